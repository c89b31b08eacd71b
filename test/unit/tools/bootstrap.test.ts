import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../../../tools/checkout";
import { removeTemporaryFolders, temporaryFolder } from "./temporaryFolder";

afterEach(removeTemporaryFolders);

describe("bootstrap", () => {
  it("installs and builds a fresh clone, once", () => {
    const clone = freshClone();
    expect(bootstrap(clone, ["hello", "you"])).toMatchObject({ status: 7, stdout: "hello you\n" });
    expect(stepsOf(clone)).toEqual(["install", "build"]);
    bootstrap(clone, ["hello"]);
    expect(stepsOf(clone)).toEqual(["install", "build"]);
  });

  it.each([
    { change: "sdk/new.ts", content: "", steps: ["build"], reason: "a source file was added" },
    {
      change: "package-lock.json",
      content: lockWith("2.0.0"),
      steps: ["install", "build"],
      reason: "a version moved",
    },
  ])("does again what is stale when $reason", ({ change, content, steps }) => {
    const clone = freshClone();
    bootstrap(clone, ["hello"]);
    rmSync(path.join(clone, "steps"));
    writeFileSync(path.join(clone, change), content);
    bootstrap(clone, ["hello"]);
    expect(stepsOf(clone)).toEqual(steps);
  });

  it("builds again after a source file was removed", () => {
    const clone = freshClone();
    writeFileSync(path.join(clone, "sdk/old.ts"), "");
    bootstrap(clone, ["hello"]);
    rmSync(path.join(clone, "sdk/old.ts"));
    bootstrap(clone, ["hello"]);
    expect(stepsOf(clone)).toEqual(["install", "build", "build"]);
  });

  it("stops with the installer's exit code, and installs again next time", () => {
    const clone = freshClone();
    const failed = bootstrap(clone, ["hello"], { FAIL: "install" });
    expect(failed).toMatchObject({ status: 3, stdout: "" });
    expect(failed.stderr).toContain("Installing: `npm ci` failed");
    expect(bootstrap(clone, ["hello"]).status).toBe(7);
  });

  it("keeps the last good build when the compiler finds errors", () => {
    const clone = freshClone();
    bootstrap(clone, ["hello"]);
    writeFileSync(path.join(clone, "sdk/new.ts"), "");
    const failed = bootstrap(clone, ["hello"], { FAIL: "build" });
    expect(failed.stderr).toContain("Building: the compiler found errors");
    expect(existsSync(path.join(clone, "dist/tools/commands/hello.js"))).toBe(true);
  });

  it("takes the lock of a process that is gone", () => {
    const clone = freshClone();
    mkdirSync(path.join(clone, ".local"));
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeFileSync(path.join(clone, ".local/prepare.lock"), String(pid));
    expect(bootstrap(clone, ["hello"]).status).toBe(7);
  });

  it("names the commands when asked for another", () => {
    expect(bootstrap(freshClone(), ["helo"]).stderr).toContain("bootstrap.js hello");
  });
});

/** Enough of a checkout: an installer and a compiler that write down when they ran. */
function freshClone(): string {
  const clone = temporaryFolder();
  for (const folder of ["sdk", "provider", "preview", "emulator", "tools/commands", "tools/plugin"]) {
    mkdirSync(path.join(clone, folder), { recursive: true });
  }
  cpSync(path.join(checkoutFolder, "tools/bootstrap.js"), path.join(clone, "tools/bootstrap.js"));
  const texts = {
    "package.json": "{}",
    "package-lock.json": lockWith("1.0.0"),
    "tsconfig.json": "{}",
    "tsconfig.build.json": "{}",
    "tools/commands/hello.ts": "",
    "tools/plugin/bundle.js": "",
    "fake-npm.js": fakeNpm,
  };
  for (const [file, text] of Object.entries(texts)) writeFileSync(path.join(clone, file), text);
  return clone;
}

function lockWith(version: string): string {
  return JSON.stringify({
    packages: {
      "": {},
      "node_modules/a": { version },
      "node_modules/elsewhere": { version, optional: true },
    },
  });
}

const fakeNpm = `
const fs = require("fs");
if (process.env.FAIL === "install") process.exit(3);
fs.appendFileSync("steps", "install\\n");
const lock = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
delete lock.packages["node_modules/elsewhere"];
fs.mkdirSync("node_modules/typescript/bin", { recursive: true });
fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify(lock));
fs.writeFileSync("node_modules/typescript/bin/tsc", ${JSON.stringify(`
const fs = require("fs");
if (process.env.FAIL === "build") process.exit(2);
fs.appendFileSync("steps", "build\\n");
const out = process.argv[process.argv.indexOf("--outDir") + 1] + "/tools/commands";
fs.mkdirSync(out, { recursive: true });
fs.writeFileSync(out + "/hello.js",
  "exports.run = async (args) => { console.log(['hello', ...args].join(' ')); return 7; };");
`)});
`;

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function bootstrap(clone: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Ran {
  return spawnSync(process.execPath, [path.join(clone, "tools/bootstrap.js"), ...args], {
    encoding: "utf8",
    env: { ...process.env, npm_execpath: path.join(clone, "fake-npm.js"), ...env },
  });
}

function stepsOf(clone: string): string[] {
  return readFileSync(path.join(clone, "steps"), "utf8").trim().split("\n");
}
