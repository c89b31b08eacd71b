import { readStandardInput } from "../../../preview/read/standardInput";

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
