import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import path from "node:path";
import { readStandardInput } from "../../../preview/read/standardStreams";
import { itUnlessWindows } from "../../support/systems";
import { temporaryFolder } from "../../support/temporaryFolder";
import { fixtureFile } from "./previews";

const root = path.join(__dirname, "../../..");

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

it.each([
  ["preview/main.ts", 24, [fixtureFile("changes.json"), "--fail-on", "restart"]],
  ["import/main.ts", 0, ["--help"]],
] as const)(
  "keeps the exit code of %s if nobody reads the output to its end",
  async (...[command, code, args]) => {
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

itUnlessWindows(
  "it has no named pipes in folders",
  "waits for no pipe in a folder, and reads one that is named",
  () => {
    const folder = temporaryFolder();
    copyFileSync(fixtureFile("refresh.json"), path.join(folder, "whole.json"));
    execFileSync("mkfifo", [path.join(folder, "pipe.json")]);
    const script = '"$0" --require ts-node/register preview/main.ts "$1" <(cat "$2") --format text';
    const args = ["-c", script, process.execPath, folder, fixtureFile("changes.json")];
    const ended = spawnSync("bash", args, { cwd: root, encoding: "utf8", timeout: 30_000 });
    expect(ended.stderr).toContain(
      `${folder}/pipe.json is no preview: it cannot be read (it is no regular file: write the preview into a file, or remove it from the folder)`,
    );
    expect(ended.stdout).toMatch(/^Not known: 1 of 3 previews could not be read; 1 compute in 1 of 3/);
    expect(ended.status).toBe(3);
  },
);
