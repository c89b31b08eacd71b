import { skipPromiseTraces, stackTraces } from "../../../sdk/promiseTraces";

const variable = "PULUMI_DEBUG_PROMISE_LEAKS";
const original = stackTraces.prepareStackTrace;

/** Named as the SDK's. */
function debuggablePromise(): string | undefined {
  return new Error().stack;
}

function somethingElse(): string | undefined {
  return new Error("of a program").stack;
}

beforeEach(() => {
  Reflect.deleteProperty(process.env, variable);
  stackTraces.prepareStackTrace = (error, frames) =>
    `${error.message}: ${frames[0]?.getFunctionName()}, mapped`;
});

afterEach(() => {
  Reflect.deleteProperty(process.env, variable);
  stackTraces.prepareStackTrace = original;
});

describe("skipPromiseTraces", () => {
  it("leaves out the traces of the SDK's promises, and no other", () => {
    const restore = skipPromiseTraces();
    expect(debuggablePromise()).toBe("");
    expect(somethingElse()).toBe("of a program: somethingElse, mapped");
    restore();
  });

  it("puts back what was there", () => {
    const before = stackTraces.prepareStackTrace;
    skipPromiseTraces()();
    expect(stackTraces.prepareStackTrace).toBe(before);
    expect(debuggablePromise()).toBe(": debuggablePromise, mapped");
  });

  it("keeps them all for whoever looks for leaks", () => {
    process.env[variable] = "1";
    const restore = skipPromiseTraces();
    expect(debuggablePromise()).toBe(": debuggablePromise, mapped");
    restore();
  });

  it("touches nothing where traces are not mapped", () => {
    stackTraces.prepareStackTrace = undefined;
    const restore = skipPromiseTraces();
    expect(stackTraces.prepareStackTrace).toBeUndefined();
    expect(debuggablePromise()).toContain("promiseTraces.test.ts");
    restore();
  });
});
