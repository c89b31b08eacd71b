import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
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

interface Started {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Starts the plugin as the engine does, and ends it at its first line. On Windows it is a script, for which Node needs a shell. */
async function start(env: NodeJS.ProcessEnv): Promise<Started> {
  const program = path.join(plugin, "pulumi-resource-compute");
  const options = { env, cwd: outside, shell: isWindows };
  const child = spawn(isWindows ? `"${program}.cmd"` : program, options);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    if (!stdout.includes("\n")) return;
    if (isWindows) spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
    else child.kill();
  });
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { stdout, stderr, code };
}

describe("the plugin's folder, where nothing else is installed", () => {
  it("starts, and prints its port alone", async () => {
    const { stdout, stderr } = await start({ PATH: process.env["PATH"] });
    expect(stdout).toMatch(/^\d+\n$/);
    expect(stderr).toBe("");
  });

  itUnlessWindows(
    "its script cannot pass a file on",
    "prints its port alone where NODE_OPTIONS preloads what prints",
    async () => {
      const preloaded = path.join(outside, "preloaded.js");
      writeFileSync(preloaded, 'console.log("[dotenv@17.0.0] injecting env (3) from .env");');
      const { stdout, stderr } = await start({
        PATH: process.env["PATH"],
        NODE_OPTIONS: `--require ${preloaded}`,
      });
      expect(stdout).toMatch(/^\d+\n$/);
      expect(stderr).toBe("[dotenv@17.0.0] injecting env (3) from .env\n");
    },
  );

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
