/**
 * Takes a picture of a comment as a browser shows it: docs/images/comment.png shows the comment that
 * examples/pull-request/local.mjs prints, and docs/images/terraform.png shows the comment on a Terraform plan.
 *
 *   npm run picture -- comment
 *   npm run picture -- terraform
 *
 * The picture contains the Markdown as its text chunk "Comment", so that a test can compare the picture with the present words.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { marked } from "marked";
import { openBrowser } from "./browser.mjs";

const sources = {
  comment: { words: ["examples/pull-request/local.mjs"], status: 0 },
  terraform: { words: ["dist/preview/main.js", "--fail-on", "drop,replace,delete"], status: 20 },
};
/** For readers on slow connections: the sharpest picture below this size is taken. */
const mostBytes = 200_000;
const sharpness = [2, 1.75, 1.5, 1.25, 1];

const [name] = process.argv.slice(2);
const { words, status } = sources[name];
const input = name === "terraform" ? shortPlan() : "";
const ran = spawnSync(process.execPath, words, {
  input,
  encoding: "utf8",
  stdio: ["pipe", "pipe", "inherit"],
});
if (ran.status !== status) throw new Error(`${words[0]} ended with ${ran.status}, see above.`);
const comment = ran.stdout.trim();
const frame = readFileSync("tools/pictures/comment.html", "utf8");
const html = frame.replace("<!-- the comment -->", () => marked.parse(comment, { gfm: true, async: false }));
const png = await photograph(html);
if (png === undefined) throw new Error(`No picture of this comment is below ${mostBytes} bytes.`);
writeFileSync(`docs/images/${name}.png`, png);

/**
 * The tests' plan without the parts that make the picture long or the verdict unknown: modules, an unknown branch and a
 * secret.
 */
function shortPlan() {
  const file = "test/unit/preview/fixtures/terraform/neon.json";
  const plan = JSON.parse(readFileSync(file, "utf8"));
  const changes = plan.resource_changes.filter(({ address }) => !/^module|moved$|tuned$/.test(address));
  return JSON.stringify({ ...plan, resource_changes: changes });
}

/** @returns undefined if every picture is too large. */
async function photograph(html) {
  const browser = await openBrowser();
  try {
    for (const deviceScaleFactor of sharpness) {
      const page = await browser.newPage({ viewport: { width: 980, height: 100 }, deviceScaleFactor });
      await page.setContent(html);
      const png = withText(await page.screenshot({ fullPage: true }), comment);
      if (png.length < mostBytes) return png;
    }
    return undefined;
  } finally {
    await browser.close();
  }
}

/** A text chunk behind the header, which is 8 + 25 bytes long: keyword, no compression, no language, UTF-8. */
function withText(png, text) {
  const data = Buffer.concat([Buffer.from("iTXtComment\0\0\0\0\0", "latin1"), Buffer.from(text)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length - 4);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(data));
  return Buffer.concat([png.subarray(0, 33), length, data, check, png.subarray(33)]);
}
