/** The README's first command, in a copy of this checkout. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readyClone } from "../support/clone";
import { choosing, describeHost, hosts } from "../support/hosts";
import { run, type CommandResult } from "../support/stack";

jest.setTimeout(240_000);

for (const host of hosts) {
  describeHost(host, "npm start", () => {
    let folder: string;
    let environment: NodeJS.ProcessEnv;

    const start = async (): Promise<CommandResult> => {
      const words = ["--silent", "start"];
      return run("npm", words, { cwd: path.join(folder, "clone"), env: environment });
    };

    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), "compute-start-"));
      readyClone(path.join(folder, "clone"));
      // Simulated computes: a Postgres has tests of its own.
      environment = { ...process.env, ...(await choosing(host, folder)), COMPUTE_POSTGRES: "off" };
    });
    afterAll(() => {
      rmSync(folder, { recursive: true, force: true });
    });

    it("brings the quickstart up, and finds nothing to change the next time", async () => {
      const first = await start();
      expect(first).toMatchObject({ code: 0 });
      expect(first.stdout).toMatch(/\+ 3 created[^]*restart: size 0\.25 → 1 CU drops open connections/);
      const second = await start();
      expect(second).toMatchObject({ code: 0 });
      expect(second.stdout).toMatch(/3 unchanged[^]*restart: size 0\.25 → 1 CU/);
    });
  });
}
