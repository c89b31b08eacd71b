import { EventEmitter } from "node:events";
import { onEngineEnd } from "../../../../provider/host/ending";

describe("the end of a run", () => {
  it.each([
    { signal: "SIGINT", reason: "as the engine says it on Linux and macOS" },
    { signal: "SIGBREAK", reason: "as Node has the engine's CTRL_BREAK on Windows" },
  ])("does what is left to do before the process goes, on $signal: $reason", ({ signal }) => {
    const done: string[] = [];
    const ending = Object.assign(new EventEmitter(), { exit: (code: number) => done.push(`exit ${code}`) });
    onEngineEnd(() => done.push("acted"), ending);
    ending.emit(signal);
    expect(done).toEqual(["acted", "exit 0"]);
  });

  it("may be listened for on every system", () => {
    const before = process.listeners("SIGBREAK").length;
    onEngineEnd(() => undefined);
    const added = (["SIGINT", "SIGBREAK"] as const).map((signal) => process.listeners(signal).at(-1)!);
    expect(process.listeners("SIGBREAK")).toHaveLength(before + 1);
    process.removeListener("SIGINT", added[0]!).removeListener("SIGBREAK", added[1]!);
  });
});
