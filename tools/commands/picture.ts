/**
 * `npm run picture -- NAME`: takes a picture of docs/images/ again.
 */
import { runNamed } from "../named";

const programs = {
  comment: ["tools/pictures/comment.mjs", "comment"],
  console: ["tools/pictures/console.mjs"],
  demo: ["tools/pictures/demo.mjs"],
  terraform: ["tools/pictures/comment.mjs", "terraform"],
};

export function run(args: readonly string[]): Promise<number> {
  return runNamed({ script: "npm run picture", programs }, args);
}
