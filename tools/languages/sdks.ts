/**
 * The SDKs for languages without a hand-written SDK. They are made from the schema, and never part of the repository.
 */
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
 * The SDKs of the present schema, in the cache: a folder with `python/` and `go/`.
 *
 * @throws if there is no Go, or if Pulumi does not accept the schema.
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
    // The generator only prints errors. They go to stderr, since stdout belongs to the caller.
    const ran = await runChild(path.join(generator, name), [file, staging], { stdio: ["ignore", 2, 2] });
    if (exitCodeOf(ran) !== 0) throw new Error("Generating SDKs: the generator failed, see above.");
  });
}
