/** The SDKs for languages without a hand-written one: made of the schema, never part of the repository. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { exitCodeOf, runChild } from "../children";
import { executableName } from "../engine/platform";
import { goBuild } from "../go";
import { pluginSchema } from "../schema/schema";
import { digest, folderDigest, once } from "./once";

const generatorModule = path.join(checkoutFolder, "tools/languages/generator");

/**
 * Writes `python/` and `go/` into a folder.
 *
 * @throws where there is no Go, or where the schema is none that Pulumi takes.
 */
export async function generateSdks(folder: string): Promise<void> {
  await generate(await generator(), folder);
}

/** The SDKs of today's schema, in the cache. */
export async function cachedSdks(): Promise<string> {
  const sources = digest(JSON.stringify(pluginSchema()), folderDigest(generatorModule));
  const executable = await generator();
  return once(`sdks-${sources}`, (staging) => generate(executable, staging));
}

async function generator(): Promise<string> {
  const name = executableName("generator");
  const folder = await once(`generator-${folderDigest(generatorModule)}`, (staging) =>
    goBuild(".", { cwd: generatorModule, to: path.join(staging, name) }),
  );
  return path.join(folder, name);
}

async function generate(executable: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const schema = path.join(folder, "schema.json");
  writeFileSync(schema, JSON.stringify(pluginSchema()));
  // Its words are errors alone; stdout belongs to whoever asked.
  const ran = await runChild(executable, [schema, folder], { stdio: ["ignore", 2, 2] });
  if (exitCodeOf(ran) !== 0) throw new Error("Generating SDKs: the generator failed, see above.");
}
