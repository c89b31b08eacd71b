/**
 * `npm run picture -- NAME`: takes a picture of docs/images/ again.
 */
import { runNamed } from "../named";

const programs = {
  comment: ["examples/pull-request/picture.mjs"],
  console: ["tools/consolePicture.mjs"],
  demo: ["tools/demo/picture.mjs"],
};

export function run(args: readonly string[]): Promise<number> {
  return runNamed({ script: "npm run picture", programs }, args);
}
