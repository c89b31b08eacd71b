/**
 * `npm run picture -- NAME`: takes a picture of docs/images/ again.
 */
import { runNamed } from "../named";

const programs = {
  comment: ["tools/commentPicture.mjs", "comment"],
  console: ["tools/consolePicture.mjs"],
  demo: ["tools/demo/picture.mjs"],
  terraform: ["tools/commentPicture.mjs", "terraform"],
};

export function run(args: readonly string[]): Promise<number> {
  return runNamed({ script: "npm run picture", programs }, args);
}
