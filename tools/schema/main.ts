/** Writes schema.json beside the plugin of the build that this file is part of. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { pluginSchema } from "./schema";

const folder = path.join(__dirname, "../../plugin");
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, "schema.json"), `${JSON.stringify(pluginSchema(), undefined, 2)}\n`);
