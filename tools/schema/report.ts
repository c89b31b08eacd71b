/**
 * The JSON Schemas of what the commands write, from the types: programs in TypeScript have those of compute-preview, others
 * have the schema, with the comments.
 */
import path from "node:path";
import { createGenerator, type SchemaGenerator } from "ts-json-schema-generator";

import { checkoutFolder } from "../checkout";

/** What `--format json` prints, of one stack or of several. */
const printed = ["Report", "StacksReport"];

export function reportSchema(): Readonly<Record<string, unknown>> {
  const generator = generatorOf("preview/shape.ts");
  const definitions = printed.map((name) => generator.createSchema(name).definitions);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "What compute-preview --format json prints",
    oneOf: printed.map((name) => ({ $ref: `#/definitions/${name}` })),
    definitions: Object.assign({}, ...definitions) as object,
  };
}

export function verificationSchema(): Readonly<Record<string, unknown>> {
  return {
    title: "What compute-verify --out writes",
    ...generatorOf("verify/report.ts").createSchema("Verification"),
  };
}

function generatorOf(file: string): SchemaGenerator {
  return createGenerator({
    path: path.join(checkoutFolder, file),
    tsconfig: path.join(checkoutFolder, "tsconfig.json"),
    // Members are added without a new version: none that is unknown is refused.
    additionalProperties: true,
    skipTypeCheck: true,
  });
}
