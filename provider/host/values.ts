/**
 * Prepares what goes to the engine's process. Values must be plain JSON: with `undefined` or a bigint in the outputs, the call
 * fails after the compute was created, and the engine keeps no id of that compute. What is thrown must be an error without
 * secrets: `throw null` hangs the run.
 */
import { ComputeError, messageOf } from "../model/errors";
import { PartialFailure, type EndpointState } from "../model/state";
import { unknownValue } from "../model/unknown";
import type { Session } from "./session";

/**
 * A copy that any engine can store: JSON without nulls and circular references. Numbers that JSON does not support become
 * text. Never throws.
 */
export function toPlain(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return plain(values, new Set()) as Record<string, unknown>;
}

function plain(value: unknown, above: ReadonlySet<unknown>): unknown {
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value)))
    return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value !== "object") return ["function", "symbol"].includes(typeof value) ? undefined : value;
  if (value === null || above.has(value)) return undefined;
  const inside = new Set(above).add(value);
  // Not `map`: it would keep the holes of a sparse array.
  if (Array.isArray(value)) return Array.from(value, (member) => plain(member, inside) ?? null);
  // Not by assignment: a member called `__proto__` would become the prototype.
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, plain(member, inside)] as const)
      .filter(([, member]) => member !== undefined),
  );
}

interface Guard {
  /** Values that are or contain a secret: no message may show them. */
  readonly secrets: readonly unknown[];
  /** The property values of a partial failure. */
  readonly properties: (state: EndpointState) => Record<string, unknown>;
}

/** Runs a call of the engine, and throws only errors that the engine can handle. */
export async function guarded<T>(
  { hide, hideWord, ...redaction }: Pick<Session, "hide" | "hideWord" | "redact" | "redactOwn">,
  { secrets, properties }: Guard,
  act: () => Promise<T>,
): Promise<T> {
  for (const secret of secrets)
    for (const text of textsIn(secret)) {
      // Our own sentences name a setting or a trigger, and never show its value.
      if (typeof secret === "object" && isWord(text)) hideWord(text);
      else hide(text);
    }
  try {
    return await act();
  } catch (error) {
    throw toThrown(error, { ...redaction, properties });
  }
}

/** A word or a number, as our own sentences have them: `idle`, `start_compute`, `4000`. */
function isWord(text: string): boolean {
  return /^(?:[\p{L}_]+|[\d.]+)$/u.test(text);
}

/** Shorter values are not hidden: that would remove words and numbers from every message. */
const shortestSecret = 4;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return text.length < shortestSecret || text === unknownValue ? [] : [text];
}

/**
 * Prepares an error of ours so that the engine prints it once, as one sentence, on the row of the resource. The dynamic
 * provider also prints `${error}: ${error.stack}` on the stack's row; that line points to the resource's row.
 *
 * @param redaction - removes secrets. This is the last place where a text is checked: an error of ours has been cleaned of the
 * service's words, any other error may quote anything.
 */
export function toThrown(
  thrown: unknown,
  { properties, ...redaction }: Pick<Session, "redact" | "redactOwn"> & Pick<Guard, "properties">,
): Error {
  const isOurs = (thrown instanceof PartialFailure ? thrown.cause : thrown) instanceof ComputeError;
  const redact = isOurs ? redaction.redactOwn : redaction.redact;
  const message = redact(messageOf(thrown));
  const stack = redact((thrown instanceof Error && thrown.stack) || message);
  if (thrown instanceof PartialFailure) {
    return Object.assign(pointing(message, stack), {
      id: thrown.state.endpointId,
      properties: toPlain(properties(thrown.state)),
      reasons: thrown.reasons.map(redact),
    });
  }
  if (thrown instanceof ComputeError) return pointing(message, stack);
  if (!(thrown instanceof Error)) return new Error(message);
  // One of JavaScript's own errors is a bug in the provider, and a maintainer needs its stack trace.
  const text =
    thrown.name === "Error"
      ? message
      : `a bug in the provider stopped this step (${redact(thrown.name)}: ${message}). Run the same command again. If the error comes back, report it with this message`;
  return Object.assign(new Error(text), { stack });
}

/**
 * @param stack - the stack trace of the failure itself. It becomes the cause, for tests and debuggers: users never see a cause.
 */
function pointing(message: string, stack: string): Error {
  const error = new Error(message, { cause: Object.assign(new Error(message), { stack }) });
  Object.defineProperty(error, "toString", { value: () => "This run failed because of a compute" });
  error.stack = "see the error on its row.";
  return error;
}
