/** The README's first command in a copy of this checkout, and the command that says which engine it uses. */
import path from "node:path";
import { readyClone } from "../support/clone";
import { ofThisPart } from "../support/extent";
import { choosing, describeHost, hosts, hostsHere } from "../support/hosts";
import { run, type CommandResult } from "../support/stack";
import { temporaryFolder } from "../support/temporaryFolder";

/** `npm test` runs `npm start` once. `npm run test:full` runs it twice: with the other host, or with the same one if there is no other. */
const others = hosts.filter((host) => host !== hostsHere()[0] || hostsHere().length === 1);
const parts = [
  ...hostsHere()
    .slice(0, 1)
    .map((host) => ({ host, isQuick: true })),
  ...others.map((host) => ({ host, isQuick: false })),
];

for (const { host, isQuick } of ofThisPart(parts, (one) => one.isQuick)) {
  describeHost(host, "npm start", () => {
    const folder = temporaryFolder();
    let environment: NodeJS.ProcessEnv;

    const npm = async (...words: string[]): Promise<CommandResult> =>
      run("npm", ["--silent", ...words], { cwd: path.join(folder, "clone"), env: environment });

    beforeAll(async () => {
      readyClone(path.join(folder, "clone"));
      const own = { ...process.env, ...(await choosing(host, folder)) };
      // Computes are simulated here: Postgres has tests of its own. Variables that are exported for other stacks must not count.
      environment = { ...own, COMPUTE_POSTGRES: "off", COMPUTE_ON_INTERRUPTION: "nonsense" };
    });

    it("brings the quickstart up, and says which change would restart a compute", async () => {
      const first = await npm("start");
      expect(first).toMatchObject({ code: 0 });
      expect(first.stdout).toMatch(/\+ 3 created[^]*restart: size 0\.25 → 1 CU/);
      if (isQuick) return;
      const second = await npm("start");
      expect(second).toMatchObject({ code: 0 });
      expect(second.stdout).toMatch(/3 unchanged[^]*restart: size 0\.25 → 1 CU/);
      const ran = await npm("run", "local", "--", "sh", "-c", "pulumi stack --show-name && exit 7");
      expect(ran).toMatchObject({ code: 7, stdout: "local\n" });
      const none = await npm("run", "local", "--", "no-such-command");
      expect(none).toMatchObject({ code: 1, stdout: "" });
      expect(none.output).toContain("Running no-such-command: there is no such command on PATH.");
    });

    it("needs an engine: npm run doctor names the engine, or says how to get one", async () => {
      expect(await npm("run", "doctor")).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^ok +engine +Pulumi 3\.\d+\.\d+ in /m) as string,
      });
      const none = { COMPUTE_ENGINE_IGNORE_PATH: "true", COMPUTE_ENGINE_CACHE: path.join(folder, "none") };
      environment = { ...environment, ...none };
      const { code, stdout } = await npm("run", "doctor");
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /^fails +engine +no usable pulumi on PATH or in the cache[^]*→ npm start or npm test/m,
      );
    });
  });
}
