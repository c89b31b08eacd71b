/** Parts of the language host for an engine that was built here; test/engine/hosts.test.ts has the whole. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { removeTemporaryFolders, temporaryFolder } from "./temporaryFolder";

// The host is plain JavaScript.
const load = createRequire(__filename);
const { optionVariables, readOptions, splitArguments } = load("../../../tools/engine/host/options") as {
  readOptions: (given: object) => Record<string, unknown>;
  optionVariables: (options: object) => Record<string, string>;
  splitArguments: (text: string) => string[];
};
const { chooseManager } = load("../../../tools/engine/host/packages") as {
  chooseManager: (wanted: string, folder: string, env: NodeJS.ProcessEnv) => string;
};

afterEach(removeTemporaryFolders);

describe("options", () => {
  it("hands the path of tsconfig on as it is written", () => {
    const variables = optionVariables(readOptions({ tsconfig: "own/tsconfig.json" }));
    expect(variables).toEqual({
      PULUMI_NODEJS_TYPESCRIPT: "true",
      PULUMI_NODEJS_TSCONFIG_PATH: "own/tsconfig.json",
    });
    expect(optionVariables(readOptions({ typescript: false }))).toEqual({});
  });

  it.each([
    { given: { typescript: "true" }, says: "typescript option must be true or false" },
    { given: { tsconfig: 1 }, says: "tsconfig option must be a text" },
    { given: { nodeargs: ["--title=a"] }, says: "nodeargs option must be a text" },
    { given: { packagemanager: "maven" }, says: "packagemanager option must be one of auto, npm" },
  ])("refuses $given", ({ given, says }) => {
    expect(() => readOptions(given)).toThrow(says);
  });

  it.each([
    { text: "", words: [] },
    { text: "  --a   --b=c ", words: ["--a", "--b=c"] },
    { text: `--a "b c" 'd "e' f"g"h ""`, words: ["--a", "b c", 'd "e', "fgh", ""] },
    { text: String.raw`a\ b "c\"d" 'e\f'`, words: ["a b", 'c"d', String.raw`e\f`] },
    { text: "a#b # no\nc", words: ["a#b", "c"] },
  ])("splits $text", ({ text, words }) => {
    expect(splitArguments(text)).toEqual(words);
  });

  it.each(['a "b', "a 'b", "a\\"])("refuses to split %s", (text) => {
    expect(() => splitArguments(text)).toThrow("nodeargs");
  });
});

describe("the package manager", () => {
  it.each([
    { reason: "npm, with nothing else said", lock: "package-lock.json", chosen: "npm" },
    { reason: "that of the lock file above", lock: "pnpm-lock.yaml", chosen: "pnpm" },
    { reason: "npm, where that of the lock file is not there", lock: "bun.lock", chosen: "npm" },
    { reason: "yarn, if it is preferred", lock: "", chosen: "yarn", env: { PULUMI_PREFER_YARN: "true" } },
    { reason: "the one that is named", lock: "pnpm-lock.yaml", chosen: "yarn", wanted: "yarn" },
  ])("is $reason", ({ lock, chosen, wanted = "auto", env }) => {
    const { folder, bin } = folders(lock);
    expect(chooseManager(wanted, folder, { PATH: bin, ...env })).toBe(chosen);
  });

  it("fails where the one that is named is not there", () => {
    const { folder, bin } = folders("");
    expect(() => chooseManager("bun", folder, { PATH: bin })).toThrow("bun, which is not on PATH");
  });
});

/** A program's folder, in one with this lock file, and a PATH without bun. */
function folders(lock: string): { folder: string; bin: string } {
  const root = temporaryFolder();
  const folder = path.join(root, "program");
  const bin = path.join(root, "bin");
  for (const made of [folder, bin]) mkdirSync(made);
  if (lock !== "") writeFileSync(path.join(root, lock), "");
  for (const name of ["npm", "yarn", "pnpm"]) {
    writeFileSync(path.join(bin, process.platform === "win32" ? `${name}.cmd` : name), "");
  }
  return { folder, bin };
}
