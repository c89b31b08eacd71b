/** What leaves the process is plain JSON or an error that the engine can handle, and shows no secret. */
import fc from "fast-check";
import {
  markedLike,
  markSecret as secret,
  outputsOf,
  secretMembers,
  withoutMarks,
} from "../../../../provider/host/plugin/propertyValues";
import { guarded, toPlain, toThrown } from "../../../../provider/host/values";
import { ComputeError, ConfigurationError, RequestError } from "../../../../provider/model/errors";
import { PartialFailure, type EndpointState } from "../../../../provider/model/state";
import { createRedactor, redactor } from "../../../../provider/redact";

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

/** Whether JSON can hold a value: no undefined, no holes, no NaN and no infinity. */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return ["string", "boolean"].includes(typeof value);
  if (value === null) return true;
  if (Array.isArray(value)) return Array.from(value as unknown[]).every(isPlain);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

describe("a plain copy", () => {
  const odd = JSON.parse('{"__proto__": {"a": 1}}') as unknown;
  const circle: Record<string, unknown> = { name: "a" };
  circle["self"] = circle;
  circle["list"] = [circle];
  const twice = { a: 1 };

  it.each<[reason: string, value: unknown, copy?: unknown]>([
    ["undefined would fail after the create, and lose the id", undefined],
    ["null is how services leave a field out", null],
    ["a bigint would fail as undefined does", 10n ** 20n, "100000000000000000000"],
    ["NaN would become null on the way", Number.NaN, "NaN"],
    ["a date would become {} on the way", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["an invalid date has no text", new Date(Number.NaN)],
    ["a function is not data", () => 1],
    ["a list keeps its positions", [1, undefined, null, 2n], [1, null, null, "2"]],
    ["a member named __proto__ is a member, not the prototype", odd, odd],
    ["undefined goes at any depth", { deep: { gone: undefined, kept: 1 } }, { deep: { kept: 1 } }],
    ["a cycle is cut", circle, { name: "a", list: [null] }],
    ["a value that occurs twice is not a cycle", [twice, twice], [twice, twice]],
  ])("is what any engine can store: %s", (...[, value, copy]) => {
    expect(toPlain({ value })).toStrictEqual(copy === undefined ? {} : { value: copy });
  });

  it("can be made of any value without throwing", () => {
    const property = fc.property(fc.dictionary(fc.string(), anything), (record) => isPlain(toPlain(record)));
    fc.assert(property, { numRuns: 2_000 });
  });

  it("leaves plain JSON as it is, except for nulls in objects", () => {
    const property = fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
      expect(JSON.stringify(toPlain(record))).toBe(JSON.stringify(withoutNulls(record)));
    });
    fc.assert(property);
  });
});

describe("what is thrown", () => {
  const redact = redactor("s3cret");
  /** Keeps the properties of a partial failure, and adds only the host's own. */
  const way = {
    redact,
    redactOwn: redact,
    properties: (state: EndpointState) => ({ ...state, __provider: "text" }),
  };
  const problem = { doing: "creating a compute", what: "the service answered 500", fix: "Try again" };
  const sentence = "creating a compute: the service answered 500. Try again.";
  const ids = { endpointId: "ep-a", projectId: "p", branchId: "br-a" };
  const state: EndpointState = { ...ids, type: "read_write", managed: [] };
  const printed = (error: Error): string => `${String(error)}: ${String(error.stack)}`;

  it.each([
    new ComputeError(problem),
    new ConfigurationError(problem),
    new RequestError(problem, { kind: "connection", outcome: "unknown" }),
  ])("shows the sentence of a $name once, on the row, and keeps its stack as a cause", (error) => {
    const thrown = toThrown(error, way);
    expect(thrown.message).toBe(sentence);
    // The provider process prints this text of the error on the stack's row.
    expect(printed(thrown)).not.toMatch(/the service answered|\n|\bat /);
    expect(thrown.cause).toMatchObject({ message: error.message, stack: error.stack });
  });

  it("carries the id, plain properties and full-sentence reasons of a partial failure", () => {
    const odd = { ...state, size: 1n, gone: undefined };
    const { message: _, ...kept } = toThrown(new PartialFailure(odd, new ComputeError(problem)), way);
    expect(kept).toMatchObject({ id: "ep-a", reasons: [sentence] });
    expect(kept).toHaveProperty("properties", { ...state, size: "1", __provider: "text" });
  });

  it("explains a JavaScript error, and keeps its stack", () => {
    const bug = new TypeError("x is not a function");
    const { message, stack } = toThrown(bug, way);
    expect(message).toBe(
      "a bug in the provider stopped this step (TypeError: x is not a function). Run the same command again. If the error comes back, report it with this message",
    );
    expect(stack).toBe(bug.stack);
  });

  it("shows no key, even in its stack and its reasons, whatever is thrown", () => {
    const spilt = new ComputeError({ ...problem, what: "the service answered 400 (no s3cret please)" });
    for (const thrown of [spilt, new PartialFailure(state, spilt), new TypeError("s3cret"), "s3cret"]) {
      const error = toThrown(thrown, way);
      const all = [error.message, printed(error), JSON.stringify(error)].join();
      expect(all).not.toContain("s3cret");
      expect(all).toContain("[redacted]");
    }
  });

  it("becomes an error with a message, whatever it was", () => {
    const property = fc.property(anything, (thrown) => {
      const error = toThrown(thrown, way);
      return error instanceof Error && error.message !== "";
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it("shows no declared secret of four letters or more, at any depth", async () => {
    const secrets = [{ list: ["hidden", { port: 54_321 }] }, "on"];
    const act = (): Promise<never> => Promise.reject(new Error("hidden is on 54321"));
    const call = guarded(createRedactor(), { secrets, properties: () => ({}) }, act);
    await expect(call).rejects.toThrow("[redacted] is on [redacted]");
  });
});

/** A program can pass anything, so some of these marks are in values that no argument takes. */
describe("marks of secrets", () => {
  it("are removed wherever they are, even inside another mark; a value that only looks like a mark stays", () => {
    const marked = { list: [1, secret(2)], map: { a: { b: secret({ c: secret("s") }) } } };
    expect(withoutMarks(marked)).toEqual({ list: [1, 2], map: { a: { b: { c: "s" } } } });
    const other = {
      asset: { "4dabf18193072939515e22adb298388d": "another", value: "s" },
      map: { value: "s" },
    };
    expect([withoutMarks(other), secretMembers(other)]).toEqual([other, []]);
  });

  it("are found in each member that holds one anywhere", () => {
    const values = { branchId: secret("br-a"), settings: { list: [{ of: secret(1) }] }, nothing: null };
    expect(secretMembers(values)).toEqual(["branchId", "settings"]);
  });

  it("are put on items of lists and on false values too, but never twice on one value", () => {
    const values = { l: ["a", "b"], f: false, u: undefined, m: secret({ value: 1 }) };
    const like = { l: ["a", secret("b")], f: secret(true), u: secret("old"), m: { value: secret(1) } };
    expect(markedLike(values, like)).toEqual({ ...values, l: ["a", secret("b")], f: secret(false) });
  });

  it("stay on an old secret that the state keeps, unless the declaration has made it public", () => {
    const olds = { settings: { pgSettings: { old: secret("s1"), open: secret("s2"), gone: secret("s3") } } };
    const news = { settings: { pgSettings: { old: "public", open: "s2" } } };
    const kept = {
      settings: { pgSettings: { old: "s1", open: "s2" } },
      managed: [],
    } as unknown as EndpointState;
    expect(outputsOf(kept, "urn", { olds, news })["settings"]).toEqual({
      pgSettings: { old: secret("s1"), open: "s2" },
    });
  });
});
