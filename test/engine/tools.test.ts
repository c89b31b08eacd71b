import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import path from "node:path";

import { checkoutFolder } from "../../tools/checkout";

jest.setTimeout(60_000);

describe("npm run local", () => {
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

function local(command: readonly string[], input = ""): SpawnSyncReturns<string> {
  const bootstrap = path.join(checkoutFolder, "tools/bootstrap.js");
  return spawnSync(process.execPath, [bootstrap, "local", ...command], { encoding: "utf8", input });
}
