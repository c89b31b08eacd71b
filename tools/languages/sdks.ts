/** The SDKs for languages without a hand-written one: made of the schema, never part of the repository. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { exitCodeOf, runChild } from "../children";
import { executableName } from "../engine/platform";
import { goBuild } from "../go";
import { pluginSchema } from "../schema/schema";
import { digest, folderDigest, once } from "./once";

const generatorModule = path.join(checkoutFolder, "tools/languages/generator");

/**
 * The SDKs of today's schema, in the cache: a folder with `python/` and `go/`.
 *
 * @throws where there is no Go, or where the schema is none that Pulumi takes.
 */
export async function cachedSdks(): Promise<string> {
  const schema = JSON.stringify(pluginSchema());
  const name = executableName("generator");
  const generator = await once(`generator-${folderDigest(generatorModule)}`, (staging) =>
    goBuild(".", { cwd: generatorModule, to: path.join(staging, name) }),
  );
  return once(`sdks-${digest(schema, folderDigest(generatorModule))}`, async (staging) => {
    const file = path.join(staging, "schema.json");
    writeFileSync(file, schema);
    // Its words are errors alone; stdout belongs to whoever asked.
    const ran = await runChild(path.join(generator, name), [file, staging], { stdio: ["ignore", 2, 2] });
    if (exitCodeOf(ran) !== 0) throw new Error("Generating SDKs: the generator failed, see above.");
  });
}
