import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { checkoutFolder } from "../../tools/checkout";
import { describeUnlessWindows } from "../support/systems";

describeUnlessWindows("the commands are those of sh", "npm run local", () => {
  it("passes stdin, stdout and the exit code through, and adds nothing to stdout", () => {
    const ran = local(["sh", "-c", "cat; exit 7"], "in and out");
    expect(ran).toMatchObject({ stdout: "in and out", status: 7 });
  });

  it("runs the command with the engine, the stack and the control plane set", () => {
    const ran = local(["sh", "-c", "pulumi stack --show-name && echo $COMPUTE_BASE_URL $COMPUTE_API_KEY"]);
    expect(ran.stdout).toMatch(/^local\nhttp:\/\/127\.0\.0\.1:\d+ \S+\n$/);
  });

  it("says which command is not there", () => {
    const ran = local(["no-such-command"]);
    expect(ran).toMatchObject({ stdout: "", status: 1 });
    expect(ran.stderr).toContain("Running no-such-command: there is no such command on PATH.");
  });
});

describe("examples/pull-request/local.mjs", () => {
  it("prints what docs/images/comment.png shows (else: npm run picture -- comment)", () => {
    const words = [path.join(checkoutFolder, "examples/pull-request/local.mjs")];
    const { stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
    const png = readFileSync(path.join(checkoutFolder, "docs/images/comment.png"));
    // Behind the header, as tools/pictures/comment.mjs puts it.
    const shown = png.toString("utf8", 41 + "Comment\0\0\0\0\0".length, 41 + png.readUInt32BE(33));
    const withoutIds = (text: string): string => text.trim().replaceAll(/\b(ep|br)-[\w-]+/g, "$1-…");
    expect(withoutIds(stdout)).toBe(withoutIds(shown));
  });
});

it("npm run bench prepares what it runs on, and says which option is wrong", () => {
  const bench = path.join(checkoutFolder, "bench/main.js");
  const ran = spawnSync(process.execPath, [bench, "--n", "x"], { encoding: "utf8" });
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain('--n takes whole numbers above 0, not "x".');
});

function local(command: readonly string[], input = ""): SpawnSyncReturns<string> {
  const bootstrap = path.join(checkoutFolder, "tools/bootstrap.js");
  return spawnSync(process.execPath, [bootstrap, "local", ...command], { encoding: "utf8", input });
}
