/**
 * The resource of a program that a call is made for, as its host knows it.
 */

export type Severity = "info" | "warning" | "error";

/** Where messages to people go: the row of one resource. */
export interface Row {
  /** Stays in the diagnostics. */
  say(severity: Severity, message: string): Promise<void>;
  /** Shown while the step runs, then gone. */
  progress(message: string): void;
}

export interface Resource {
  /** Tells it from every other resource; undefined where the host does not know one. */
  readonly id: string | undefined;
  /** What it was called when its state was written, where that was another name. */
  readonly formerId?: string | undefined;
  /** Tells its stack from every other one; undefined where the host does not know. */
  readonly stackId?: string | undefined;
  /** The stack that its state was written in, where that may be another one, or was called otherwise. */
  readonly formerStackId?: string | undefined;
  /** Its name, for people. */
  readonly title: string;
  /** Names of the arguments that are secret, or hold a secret: messages show nothing of their values. */
  readonly secrets: readonly string[];
  readonly row: Row;
  /** Longest wait of this call in seconds, where the host sets one. The declared `timeouts` win over it. */
  readonly limitSeconds?: number | undefined;
}
