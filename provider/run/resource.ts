/**
 * The resource of a program that a call is made for, as its host knows it.
 */

export type Severity = "info" | "warning" | "error";

/** Where messages for people go: the row of one resource. */
export interface Row {
  /** Stays in the diagnostics. */
  say(severity: Severity, message: string): Promise<void>;
  /** Shown while the step runs, then gone. */
  progress(message: string): void;
}

export interface Resource {
  /** Distinguishes it from every other resource; undefined if the host knows no id. */
  readonly id: string | undefined;
  /** Its name at the engine; undefined if the host does not know it. */
  readonly urn?: string | undefined;
  /** The organisation of its stack, if the host knows one. */
  readonly organization?: string | undefined;
  /** Its id when its state was written, if that was different. */
  readonly formerId?: string | undefined;
  /** Its name, for people. */
  readonly title: string;
  /** Names of the arguments that are or contain a secret: messages never show their values. */
  readonly secrets: readonly string[];
  readonly row: Row;
  /** Time limit of this call in seconds, if the host sets one. The declared `timeouts` override it. */
  readonly limitSeconds?: number | undefined;
}
