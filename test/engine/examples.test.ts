import { readFileSync } from "node:fs";
import path from "node:path";
import { checkout } from "../support/examples";
import { run } from "../support/stack";

it("examples/pull-request prints what docs/images/comment.png shows (if not: npm run picture -- comment)", async () => {
  const { stdout } = await run(process.execPath, ["examples/pull-request/local.mjs"], {
    cwd: checkout,
    env: process.env,
  });
  const png = readFileSync(path.join(checkout, "docs/images/comment.png"));
  // The picture contains the comment's Markdown right after the PNG header, where tools/pictures/comment.mjs puts it.
  const shown = png.toString("utf8", 41 + "Comment\0\0\0\0\0".length, 41 + png.readUInt32BE(33));
  // How long ago the last access was depends on the machine.
  const lasting = (text: string): string =>
    text
      .trim()
      .replaceAll(/\b(ep|br)-[\w-]+/g, "$1-…")
      .replaceAll(/under a minute ago|\d+ min ago/g, "… ago");
  expect(lasting(stdout)).toBe(lasting(shown));
});
