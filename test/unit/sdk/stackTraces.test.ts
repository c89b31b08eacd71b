import path from "node:path";
import { shortenStackTraces, stackTraces } from "../../../sdk/stackTraces";

const original = stackTraces.prepareStackTrace;

/** Has the name of the SDK's function. */
function debuggablePromise(): string | undefined {
  return new Error().stack;
}

function somethingElse(): string | undefined {
  return new Error("of a program").stack;
}

beforeEach(() => {
  stackTraces.prepareStackTrace = (error, frames) =>
    `${error.message}: ${frames[0]?.getFunctionName()}, mapped`;
});

afterEach(() => {
  stackTraces.prepareStackTrace = original;
});

describe("shortenStackTraces", () => {
  it("leaves out the traces of the SDK's promises, and no other", () => {
    const restore = shortenStackTraces();
    expect(debuggablePromise()).toBe("");
    expect(somethingElse()).toBe("of a program: somethingElse, mapped");
    restore();
  });

  it("shows the engine only the program's lines: none of this package, and none outside the program", () => {
    const sdk = "/app/node_modules/@pulumi/pulumi/resource.js";
    const own = path.join(__dirname, "../../../sdk/endpoint.js");
    const frame = (file: string | null, name: string) => ({
      getFileName: () => file,
      getFunctionName: () => name,
    });
    // The SDK removes the first five frames, which is right for a package with one class.
    const removed = [
      ...["callsites", "stackTrace", "Resource", "CustomResource"].map((name) => frame(sdk, name)),
      frame(own, "EndpointResource"),
    ];
    const program = [frame("/app/db.ts", "db"), frame(null, "map"), frame("file:///app/index.mjs", "main")];
    const outside = [frame("node:internal/modules/cjs/loader", "load"), frame(sdk, "run")];
    const seen = (frames: readonly object[]): unknown => {
      stackTraces.prepareStackTrace = (_error, mapped) => mapped;
      const restore = shortenStackTraces();
      const kept = stackTraces.prepareStackTrace(new Error(), frames as NodeJS.CallSite[]);
      restore();
      return kept;
    };
    expect(seen([...removed, frame(own, "Endpoint"), ...program, ...outside])).toEqual([
      ...removed,
      ...program,
    ]);
    const unknown = [...removed, frame(own, "Endpoint"), ...outside];
    expect(seen(unknown)).toEqual(unknown);
  });
});
