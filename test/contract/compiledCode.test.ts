/**
 * The compiled code of the plugin, which Node 22.1 and later keep from one run to the next.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import path from "node:path";
import { isWindows } from "../support/systems";
import { temporaryFolder } from "../support/temporaryFolder";

const plugin = path.join(__dirname, "..", "..", "dist", "plugin", "plugin.js");

describe("the plugin's compiled code", () => {
  /** One run, which the engine ends as at the end of an update. */
  async function run(cacheFolder: string): Promise<string> {
    const child = spawn(process.execPath, [plugin], {
      env: { PATH: process.env["PATH"], XDG_CACHE_HOME: cacheFolder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    await once(child.stdout, "data");
    child.kill("SIGINT");
    await once(child, "close");
    return printed;
  }

  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  const isKept = "enableCompileCache" in nodeModule;

  (isWindows ? it.skip : it)("is neither read nor kept where other users can write", async () => {
    const compiled = path.join(folder, "pulumi-compute-endpoint", "compiled");
    mkdirSync(compiled, { recursive: true });
    chmodSync(compiled, 0o777);
    expect(await run(folder)).toBe("");
    expect(readdirSync(compiled)).toEqual([]);
  });

  (isWindows ? it.skip : it)(
    `is ${isKept ? "kept in the user's cache folder, and loaded from there" : "not kept: this Node cannot"}`,
    async () => {
      const files = (): readonly { readonly name: string; readonly changedMs: number }[] =>
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name, parentPath }) => ({
            name,
            changedMs: statSync(path.join(parentPath, name)).mtimeMs,
          }));
      expect(await run(folder)).toBe("");
      const first = files();
      expect(first.length > 0).toBe(isKept);
      expect(await run(folder)).toBe("");
      // Nothing was compiled anew.
      expect(files()).toEqual(first);
    },
  );
});
