/**
 * The resource that a call is about, as the host knows it. Also compares and reads URNs, the engine's names of resources.
 */
import { dynamicType, nativeType } from "../model/fields";

export type Severity = "info" | "warning" | "error";

/** Where messages for people go: the row of one resource. */
export interface Row {
  /** Shows a message that stays in Pulumi's diagnostics. */
  say(severity: Severity, message: string): Promise<void>;
  /** Shows a message only while the step runs. */
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
  /** Paths that the program ignores, by Pulumi's option `ignoreChanges`. */
  readonly ignores: readonly string[];
  readonly row: Row;
  /** Time limit of this call in seconds, if the host sets one. The declared `timeouts` override it. */
  readonly limitSeconds?: number | undefined;
}

/**
 * Whether two URNs name one resource. The variant does not count: a resource stays the same if its stack moves to the other
 * variant.
 */
export function isSameResource(left: string, right: string): boolean {
  return anyVariant(left) === anyVariant(right);
}

/** A URN without the variant, which is in its type. */
export function anyVariant(urn: string): string {
  const [stack, project, type, ...name] = urn.split("::");
  if (type === undefined || !type.endsWith(nativeType)) return urn;
  return [stack, project, `${type.slice(0, -nativeType.length)}${dynamicType}`, ...name].join("::");
}

/** Whether a URN is an Endpoint's, in either variant. */
export function isEndpoint(urn: string): boolean {
  return anyVariant(urn).split("::")[2]?.endsWith(dynamicType) === true;
}

/** A resource's name, for people. */
export function titleIn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** Whether a URN names a provider instance, of either variant. */
export function isProvider(urn: string): boolean {
  return /^pulumi:providers:(compute|pulumi-nodejs)$/.test(urn.split("::")[2] ?? "");
}
