/**
 * Writes the schemas of the build that this file belongs to: the plugin's next to the plugin, and those of the
 * commands' JSON.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { reportSchema, verificationSchema } from "./report";
import { pluginSchema } from "./schema";

const dist = path.join(__dirname, "../..");
write("plugin/schema.json", pluginSchema());
write("preview/report.schema.json", reportSchema());
write("verify/report.schema.json", verificationSchema());

function write(name: string, schema: object): void {
  const file = path.join(dist, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(schema, undefined, 2)}\n`);
}
