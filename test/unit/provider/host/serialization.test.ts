import { inspect } from "node:util";
import fc from "fast-check";
import { PartialFailure, type EndpointState } from "../../../../provider/model/state";
import { ComputeError, ConfigurationError, RequestError } from "../../../../provider/model/errors";
import { toPlain, toThrown } from "../../../../provider/host/values";
import { redactor } from "../../../../provider/redact";

const redact = redactor("s3cret");
/** The properties of a partial failure as they are, but for what only the host adds. */
const way = { redact, properties: (state: EndpointState) => ({ ...state, __provider: "text" }) };

const state: EndpointState = {
  endpointId: "ep-a",
  projectId: "p",
  branchId: "br-a",
  type: "read_write",
  managed: [],
};

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

/** Whether a value is what JSON can hold: no undefined, no holes, no numbers without digits. */
function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      if (value === null) return true;
      if (Array.isArray(value)) return Array.from(value as unknown[]).every(isPlain);
      return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
    default:
      return false;
  }
}

describe("toPlain", () => {
  it.each([
    { value: undefined, copy: undefined, reason: "undefined fails after the create, with no id kept" },
    { value: null, copy: undefined, reason: "null is how services leave a field out" },
    { value: 10n ** 20n, copy: "100000000000000000000", reason: "a bigint fails as undefined does" },
    { value: Number.NaN, copy: "NaN", reason: "NaN becomes null on the way" },
    { value: Number.POSITIVE_INFINITY, copy: "Infinity", reason: "so does infinity" },
    { value: new Date(0), copy: "1970-01-01T00:00:00.000Z", reason: "a date becomes {} on the way" },
    { value: new Date(Number.NaN), copy: undefined, reason: "an invalid date has no text" },
    { value: () => 1, copy: undefined, reason: "a function is not data" },
    { value: Symbol("s"), copy: undefined, reason: "a symbol is not data" },
    { value: [1, undefined, null, 2n], copy: [1, null, null, "2"], reason: "a list keeps its positions" },
    {
      value: JSON.parse('{"__proto__": {"a": 1}}') as unknown,
      copy: JSON.parse('{"__proto__": {"a": 1}}') as unknown,
      reason: "a member with this name is a member, not the prototype",
    },
    { value: { deep: { gone: undefined, kept: 1 } }, copy: { deep: { kept: 1 } }, reason: "at any depth" },
  ])("makes $value to $copy: $reason", ({ value, copy }) => {
    expect(toPlain({ value })).toStrictEqual(copy === undefined ? {} : { value: copy });
  });

  it("ends circles", () => {
    const circle: Record<string, unknown> = { name: "a" };
    circle["self"] = circle;
    circle["list"] = [circle];
    expect(toPlain({ circle })).toStrictEqual({ circle: { name: "a", list: [null] } });
  });

  it("keeps a value that appears twice without a circle", () => {
    const shared = { a: 1 };
    expect(toPlain({ left: shared, right: shared })).toStrictEqual({ left: { a: 1 }, right: { a: 1 } });
  });

  it("makes plain JSON of any value, and never throws", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anything), (record) => {
        expect(isPlain(toPlain(record))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("leaves plain JSON as it is, but for its nulls in objects", () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(json, (record) => {
        const withoutNulls = (value: unknown): unknown => {
          if (Array.isArray(value)) return value.map(withoutNulls);
          if (typeof value !== "object" || value === null) return value;
          return Object.fromEntries(
            Object.entries(value)
              .filter(([, member]) => member !== null)
              .map(([key, member]) => [key, withoutNulls(member)]),
          );
        };
        expect(JSON.stringify(toPlain(record))).toBe(JSON.stringify(withoutNulls(record)));
      }),
    );
  });
});

describe("toThrown", () => {
  const problem = { doing: "creating a compute", what: "the service answered 500", fix: "Try again" };

  it.each([
    new ComputeError(problem),
    new ConfigurationError(problem),
    new RequestError(problem, { kind: "connection", outcome: "unknown" }),
  ])("shows the sentence of a $name once, on the row, and no stack", (error) => {
    const thrown = toThrown(error, way);
    expect(thrown.message).toBe("creating a compute: the service answered 500. Try again.");
    // What the provider process prints of it, on the row of the stack.
    const printed = `${String(thrown)}: ${String(thrown.stack)}`;
    expect(printed).not.toContain("the service answered");
    expect(printed).not.toMatch(/\n|\bat /);
  });

  it("keeps the failure and its line as the cause, for tests: nothing prints a cause to users", () => {
    const failure = new ComputeError(problem);
    const { message, stack } = toThrown(failure, way).cause as Error;
    expect([message, stack]).toEqual([failure.message, failure.stack]);
    expect(stack).toContain("serialization.test.ts");
  });

  it("carries the id, plain properties and full-sentence reasons of a partial failure", () => {
    const odd = { ...state, size: 1n, gone: undefined };
    const thrown = toThrown(new PartialFailure(odd, new ComputeError(problem)), way);
    expect(thrown).toMatchObject({
      id: "ep-a",
      properties: { ...state, size: "1", __provider: "text" },
      reasons: ["creating a compute: the service answered 500. Try again."],
    });
    expect((thrown as unknown as { properties: object }).properties).not.toHaveProperty("gone");
  });

  it("says what an error of the language means, and keeps its stack", () => {
    const bug = new TypeError("x is not a function");
    const thrown = toThrown(bug, way);
    expect(thrown.message).toBe(
      "a mistake in the provider ended this step (TypeError: x is not a function). Run the same command again; if it stays so, report it with this message",
    );
    expect(thrown.stack).toBe(bug.stack);
  });

  it("takes the key out of whatever is thrown, its stack and its reasons included", () => {
    const spilt = new ComputeError({ ...problem, what: "the service answered 400 (no s3cret please)" });
    for (const cause of [spilt, new PartialFailure(state, spilt), new TypeError("s3cret"), "s3cret"]) {
      const thrown = toThrown(cause, way);
      const printed = inspect([thrown.message, thrown.stack, thrown], { depth: 9 });
      expect(printed).not.toContain("s3cret");
      expect(printed).toContain("[redacted]");
    }
  });

  it("makes an error with a message of anything that is thrown", () => {
    fc.assert(
      fc.property(anything, (thrown) => {
        const error = toThrown(thrown, way);
        expect(error).toBeInstanceOf(Error);
        expect(error.message).not.toBe("");
      }),
      { numRuns: 1_000 },
    );
  });
});
