/** The README's first command in a copy of this checkout, and the one that says whether it works. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readyClone } from "../support/clone";
import { choosing, describeHost, hosts } from "../support/hosts";
import { run, type CommandResult } from "../support/stack";

for (const host of hosts) {
  describeHost(host, "npm start", () => {
    let folder: string;
    let environment: NodeJS.ProcessEnv;

    const npm = async (...words: string[]): Promise<CommandResult> =>
      run("npm", ["--silent", ...words], { cwd: path.join(folder, "clone"), env: environment });

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
      const first = await npm("start");
      expect(first).toMatchObject({ code: 0 });
      expect(first.stdout).toMatch(/\+ 3 created[^]*restart: size 0\.25 → 1 CU drops open connections/);
      const second = await npm("start");
      expect(second).toMatchObject({ code: 0 });
      expect(second.stdout).toMatch(/3 unchanged[^]*restart: size 0\.25 → 1 CU/);
    });

    it("would fail where npm run doctor says so, with the engine's message", async () => {
      const well = await npm("run", "doctor");
      expect(well.stdout).toMatch(/^ok +a program +was previewed by this engine/m);
      const project = path.join(folder, "clone", "Pulumi.yaml");
      const settings = readFileSync(project, "utf8");
      writeFileSync(project, settings.replace("tsconfig: tsconfig.json", "tsconfig: gone.json"));
      const { code, stdout } = await npm("run", "doctor");
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /^fails +a program[^]*tsconfig path was set to gone\.json[^]*→ the engine's message/m,
      );
    });
  });
}
