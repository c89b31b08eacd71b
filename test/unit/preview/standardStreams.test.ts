import { spawn } from "node:child_process";
import path from "node:path";
import { readStandardInput } from "../../../preview/read/standardStreams";

const failing = (code: string): Error => Object.assign(new Error(code), { code });

/** What reads give one after the other. */
function pipeOf(...parts: readonly (string | Error)[]): (chunk: Buffer) => number {
  const left = [...parts];
  return (chunk) => {
    const part = left.shift() ?? "";
    if (part instanceof Error) throw part;
    return chunk.write(part);
  };
}

it("waits for a pipe that is still empty, and reads to its end", () => {
  const again = failing("EAGAIN");
  expect(readStandardInput(pipeOf(again, "one ", again, "two")).toString()).toBe("one two");
});

it("takes the error by which Windows ends a pipe as its end", () => {
  expect(readStandardInput(pipeOf("one", failing("EOF"))).toString()).toBe("one");
});

it("passes any other error on", () => {
  expect(() => readStandardInput(pipeOf(failing("EISDIR")))).toThrow("EISDIR");
});

it.each([
  ["preview/main.ts", 24, [path.join(__dirname, "fixtures/changes.json"), "--fail-on", "restart"]],
  ["import/main.ts", 0, ["--help"]],
] as const)(
  "keeps the exit code of %s if nobody reads the output to its end",
  async (...[command, code, args]) => {
    const root = path.join(__dirname, "../../..");
    const words = ["--require", "ts-node/register", path.join(root, command), ...args];
    const child = spawn(process.execPath, words, { cwd: root });
    child.stdout.destroy();
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
    const ended = await new Promise((resolve) => child.on("close", resolve));
    expect(complaint).not.toContain("EPIPE");
    expect(ended).toBe(code);
  },
);
