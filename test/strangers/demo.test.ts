import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { checkoutFolder, localFolder } from "../../tools/checkout";
import { describeOnPostgres } from "../emulator/postgresSupport";

const demo = (env: NodeJS.ProcessEnv = {}): ReturnType<typeof spawnSync> =>
  spawnSync(process.execPath, [path.join(checkoutFolder, "tools/bootstrap.js"), "demo"], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });

describeOnPostgres("npm run demo", () => {
  it("shows a restart, a change without one, an autosuspend and a wake, and leaves nothing behind", () => {
    const { status, stdout } = demo();
    expect(status).toBe(0);
    const rows = String(stdout).split("\n").slice(-5, -1);
    expect(rows).toEqual([
      expect.stringMatching(/^0\.25 → 1 CU +│ restart +│ 57P01 \d+ ms into pulumi up, back after \d+ ms$/),
      expect.stringMatching(/^suspend timeout 300 → 60 s +│ no interruption +│ stood, every query answered$/),
      expect.stringMatching(/^autosuspend +│ after 60 s without a query +│ 57P01 \d+ ms after it was due$/),
      expect.stringMatching(/^wake +│ with the next query +│ answered after \d+ ms$/),
    ]);
    expect(stdout).toContain("max_connections 112 → 450");
    expect(readdirSync(localFolder).filter((name) => name.startsWith("demo-"))).toEqual([]);
  }, 240_000);
});

describe("npm run demo without a Postgres", () => {
  it("ends with a code and says what to do", () => {
    const { status, stdout, stderr } = demo({ COMPUTE_POSTGRES: "off" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(
      /^Running the demo: computes must be real here, [^]*Install Postgres 15 or later/m,
    );
  }, 60_000);
});
