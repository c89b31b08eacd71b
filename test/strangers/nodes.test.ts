/** The first commands of the README in a fresh clone, with each tested version of Node, in a user's environment. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { firstOnPath } from "../../tools/engine/environment";
import { nodeFolder } from "../../tools/nodes";
import { testedNodes } from "../../tools/tested";
import { cloneInto } from "../support/clone";
import { folderOutside, userShell } from "../support/packed";

jest.setTimeout(1_800_000);

/** Variables that a user can have exported; none of them must have an effect. */
const exported: NodeJS.ProcessEnv = {
  COMPUTE_API_KEY: "nonsense",
  COMPUTE_BASE_URL: "https://nonsense.invalid",
  COMPUTE_ON_INTERRUPTION: "nonsense",
  COMPUTE_REQUESTS_PER_MINUTE: "nonsense",
  PULUMI_ACCESS_TOKEN: "pul-nonsense",
  PULUMI_BACKEND_URL: "file:///nonsense",
  PULUMI_CONFIG_PASSPHRASE: "nonsense",
  PULUMI_DEBUG_PROMISE_LEAKS: "true",
  PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true",
  PULUMI_HOME: "/nonsense",
  PULUMI_STACK: "nonsense",
  NO_PROXY: "*",
  no_proxy: "nonsense",
  NODE_OPTIONS: "--trace-warnings --stack-trace-limit=3",
  CI: "nonsense",
  FORCE_COLOR: "3",
  LANG: "tr_TR.UTF-8",
  LC_ALL: "tr_TR.UTF-8",
  TZ: "Pacific/Chatham",
};

describe.each(testedNodes)("with Node %s, in a fresh clone", (version) => {
  let clone: string;
  let env: NodeJS.ProcessEnv;

  /** @returns what it printed. */
  function printedBy(command: string, ...words: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(command, words, { cwd: clone, env, encoding: "utf8" });
    const printed = stripVTControlCharacters(`${stdout}${stderr}`);
    if (status === 0) return printed;
    throw new Error(`${command} ${words.join(" ")} ended with ${String(status)}:\n${printed}`);
  }

  beforeAll(async () => {
    // The SDK of this checkout has its own engine, whichever engine the corners use.
    const own = { ...userShell(), ...exported, COMPUTE_ENGINE_VERSION: "" };
    env = firstOnPath(await nodeFolder(version), own);
    clone = folderOutside();
    cloneInto(clone);
    // Tests of the pages ask git for the files.
    printedBy("git", "init", "--quiet");
  });
  afterAll(() => {
    rmSync(clone, { recursive: true, force: true });
  });

  it("npm start announces a restart, without a warning of Node's", () => {
    expect(printedBy("node", "-v").trim()).toBe(`v${version}`);
    const printed = printedBy("npm", "start");
    expect(printed).toMatch(/restart: size 0\.25 → 1 CU/);
    expect(printed).not.toMatch(/\(node:\d+\)/);
  });

  it("npm test passes", () => {
    // Lint and format do not depend on the Node version.
    expect(printedBy("npm", "test", "--", "--no-checks")).toMatch(/^Tests: .* passed/m);
  });
});
