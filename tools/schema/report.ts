/**
 * The JSON Schema of compute-preview's reports, from their types: programs in TypeScript have the types,
 * others have the schema, with the comments.
 */
import path from "node:path";
import { createGenerator } from "ts-json-schema-generator";

import { checkoutFolder } from "../checkout";

/** What `--format json` prints, of one stack or of several. */
const printed = ["Report", "StacksReport"];

export function reportSchema(): Readonly<Record<string, unknown>> {
  const generator = createGenerator({
    path: path.join(checkoutFolder, "preview/judge/shape.ts"),
    tsconfig: path.join(checkoutFolder, "tsconfig.json"),
    // Members are added without a new version: none that is unknown is refused.
    additionalProperties: true,
    skipTypeCheck: true,
  });
  const definitions = printed.map((name) => generator.createSchema(name).definitions);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "What compute-preview --format json prints",
    oneOf: printed.map((name) => ({ $ref: `#/definitions/${name}` })),
    definitions: Object.assign({}, ...definitions) as object,
  };
}
