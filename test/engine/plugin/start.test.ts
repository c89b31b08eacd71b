import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { folderOutside } from "../../support/packed";
import { isWindows, itUnlessWindows } from "../../support/systems";

const built = path.join(__dirname, "../../../dist/plugin");

let outside: string;
let plugin: string;

beforeAll(() => {
  outside = folderOutside();
  plugin = path.join(outside, "a folder with spaces");
  cpSync(built, plugin, { recursive: true });
});
afterAll(() => {
  rmSync(outside, { recursive: true, force: true });
});

/** What the engine starts: on Windows a script, for which Node needs a shell. */
function launch(words: readonly string[], options: SpawnOptions): ChildProcess {
  const program = path.join(plugin, "pulumi-resource-compute");
  return isWindows
    ? spawn(`"${program}.cmd"`, words, { ...options, shell: true })
    : spawn(program, words, options);
}

/** On Windows with what the shell has started. */
function end(child: ChildProcess): void {
  if (isWindows) spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
  else child.kill();
}

interface Started {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Starts the plugin as the engine does, and ends it at its first line. */
function start(environment: NodeJS.ProcessEnv): Promise<Started> {
  return new Promise((resolve, reject) => {
    const child = launch([], { env: environment, cwd: outside, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes("\n")) end(child);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ stdout, stderr, code });
    });
  });
}

describe("the plugin's folder, where nothing else is installed", () => {
  it("starts, and prints its port alone", async () => {
    const { stdout, stderr } = await start({ PATH: process.env["PATH"] });
    expect(stdout).toMatch(/^\d+\n$/);
    expect(stderr).toBe("");
  });

  it("ends by itself where its engine is gone, before it was asked for anything", async () => {
    const child = launch(["127.0.0.1:9"], {
      env: { PATH: process.env["PATH"] },
      stdio: "ignore",
    });
    const code = await new Promise((resolve) => {
      const late = setTimeout(() => {
        end(child);
      }, 30_000);
      child.once("exit", (exit) => {
        clearTimeout(late);
        resolve(exit);
      });
    });
    expect(code).toBe(1);
  });

  itUnlessWindows("its own shell says so", "says that it needs Node where PATH has none", async () => {
    const empty = path.join(outside, "empty");
    mkdirSync(empty);
    expect(await start({ PATH: empty })).toEqual({
      stdout: "",
      stderr: "pulumi-resource-compute needs Node 20.18.1 or later, and there is no node on PATH.\n",
      code: 127,
    });
  });

  it("says so on an older Node", async () => {
    const older = path.join(outside, "older.js");
    writeFileSync(older, 'Object.defineProperty(process.versions, "node", { value: "20.9.0" });');
    expect(await start({ PATH: process.env["PATH"], NODE_OPTIONS: `--require ${older}` })).toEqual({
      stdout: "",
      stderr: "pulumi-resource-compute needs Node 20.18.1 or later, and the node on PATH is 20.9.0.\n",
      code: 1,
    });
  });
});
