/**
 * The edge to the engine's provider process: what crosses it must be plain JSON, and what is thrown must be
 * an error. Getting either wrong there loses a compute that exists: `undefined` or a bigint in outputs fails
 * after the create, with no id kept, and `throw null` hangs the run.
 */
import { ComputeError, messageOf, PartialFailure } from "./errors";

/**
 * A copy that any engine can store: undefined, functions and symbols are dropped, numbers that JSON cannot
 * hold become text, dates ISO 8601, and circles end. Never throws.
 */
export function toPlain(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return plainObject(value, new Set());
}

function plainObject(value: object, above: ReadonlySet<object>): Record<string, unknown> {
  const inside = new Set(above).add(value);
  const members = Object.keys(value)
    .map((key) => [key, plain((value as Record<string, unknown>)[key], inside)] as const)
    .filter(([, member]) => member !== undefined);
  // Not by assignment: a member called `__proto__` would become the prototype.
  return Object.fromEntries(members);
}

function plain(value: unknown, above: ReadonlySet<object>): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return value.toString();
    case "object": {
      if (value === null || above.has(value)) return undefined;
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
      if (!Array.isArray(value)) return plainObject(value, above);
      const inside = new Set(above).add(value);
      // Not `map`, which leaves a list's holes as they are.
      return Array.from(value, (member) => plain(member, inside) ?? null);
    }
    default:
      return undefined;
  }
}

/**
 * What the engine prints of an error of ours: its sentence, once, on the row of the resource. The provider
 * process writes `${error}: ${error.stack}` to the stack's own row as well; that line points to the other.
 *
 * @param redact - takes the key out: the last place through which a word of the service's passes.
 */
export function toThrown(thrown: unknown, redact: (text: string) => string): Error {
  const message = redact(messageOf(thrown));
  if (thrown instanceof PartialFailure) {
    return Object.assign(pointing(message), {
      id: thrown.id,
      properties: toPlain(thrown.properties),
      reasons: thrown.reasons.map(redact),
    });
  }
  if (thrown instanceof ComputeError) return pointing(message);
  if (!(thrown instanceof Error)) return new Error(message);
  // Not foreseen: its stack is what a maintainer needs.
  return Object.assign(new Error(message), {
    name: thrown.name,
    stack: redact(thrown.stack ?? message),
  });
}

function pointing(message: string): Error {
  const error = new Error(message);
  Object.defineProperty(error, "toString", { value: () => "A compute failed" });
  error.stack = "its own row says why.";
  return error;
}
