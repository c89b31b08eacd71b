/**
 * The JSON Schemas of what the commands write, made from the types. TypeScript programs can use the types of
 * compute-preview; other programs use the schema, with the same comments.
 */
import path from "node:path";
import { createGenerator, type SchemaGenerator } from "ts-json-schema-generator";

import { checkoutFolder } from "../checkout";

/** The types that `--format json` prints, for one stack or for several. */
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
    // New members come without a new version, so the schema accepts members that it does not know.
    additionalProperties: true,
    skipTypeCheck: true,
  });
}
