/** The plugin's folder alone: how the plugin starts, and what it prints with an old Node or without Node. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { folderOutside } from "../support/packed";
import { isWindows, itUnlessWindows } from "../support/systems";

let outside: string;
let plugin: string;

beforeAll(() => {
  outside = folderOutside();
  plugin = path.join(outside, "a folder with spaces");
  cpSync(path.join(__dirname, "../../dist/plugin"), plugin, { recursive: true });
});
afterAll(() => {
  rmSync(outside, { recursive: true, force: true });
});

/** Starts the plugin as the engine does, and ends it at its first line. On Windows it is a script, for which Node needs a shell. */
async function start(env: NodeJS.ProcessEnv) {
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

/** An environment in which Node runs this file first. */
function preloading(code: string): NodeJS.ProcessEnv {
  const file = path.join(outside, "preloaded.js");
  writeFileSync(file, code);
  return { PATH: process.env["PATH"], NODE_OPTIONS: `--require ${file}` };
}

itUnlessWindows(
  "a .cmd script cannot pass a file descriptor on",
  "the plugin's stdout has only its port, even if nothing else is installed and NODE_OPTIONS preloads a file that prints",
  async () => {
    const said = "[dotenv@17.0.0] injecting env (3) from .env";
    const { stdout, stderr } = await start(preloading(`console.log(${JSON.stringify(said)});`));
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^\d+\n$/), `${said}\n`]);
  },
);

itUnlessWindows("its own shell says so", "the plugin says that it needs Node if PATH has none", async () => {
  const empty = path.join(outside, "empty");
  mkdirSync(empty);
  expect(await start({ PATH: empty })).toEqual({
    stdout: "",
    stderr: "pulumi-resource-compute needs Node 20.18.1 or later, and there is no node on PATH.\n",
    code: 127,
  });
});

it("the plugin says that Node is too old", async () => {
  const older = 'Object.defineProperty(process.versions, "node", { value: "20.9.0" });';
  expect(await start(preloading(older))).toEqual({
    stdout: "",
    stderr: "pulumi-resource-compute needs Node 20.18.1 or later, and the node on PATH is 20.9.0.\n",
    code: 1,
  });
});
