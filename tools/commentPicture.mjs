/**
 * Takes a picture of a comment, rendered and photographed by a browser: docs/images/comment.png has the one that
 * examples/pull-request/local.mjs prints, docs/images/terraform.png the one on a plan of Terraform.
 *
 *   npm run picture -- comment
 *   npm run picture -- terraform
 *
 * The Markdown goes into the picture as its text chunk "Comment", so that a test can hold the picture to today's words.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";

const here = path.dirname(fileURLToPath(import.meta.url));
const sources = {
  comment: { words: [path.join(here, "../examples/pull-request/local.mjs")], status: 0 },
  terraform: { words: [path.join(here, "../dist/preview/main.js"), "--fail-on", "restart"], status: 24 },
};
const browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const widthPx = 980;
/** For a page that is read on the way: the sharpest picture below it is taken. */
const mostBytes = 200_000;
const sharpness = [2, 1.75, 1.5, 1.25, 1];

const { argv, env, execPath, stderr } = process;
const [name] = argv.slice(2);
const browser = findBrowser();
if (browser === undefined) {
  stderr.write(
    `Taking the picture: no ${browsers.join(", ")} on PATH. On Debian: apt-get install chromium fonts-liberation fonts-noto-color-emoji.\n`,
  );
  process.exitCode = 1;
} else takePicture();

async function takePicture() {
  const { words, status } = sources[name];
  const input = name === "terraform" ? shortPlan() : "";
  const ran = spawnSync(execPath, words, { input, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] });
  if (ran.status !== status) throw new Error(`${words[0]} ended with ${ran.status}, see above.`);
  const picture = path.join(here, "../docs/images", `${name}.png`);
  const comment = ran.stdout.trim();
  // Only now: on a fresh clone it is local.mjs that installs what package-lock.json pins.
  const { marked } = await import("marked");
  const html = page(marked.parse(comment, { gfm: true, async: false }));
  const pngs = photographs(html).map((png) => withText(png, comment));
  const png = pngs.find(({ length }) => length < mostBytes);
  if (png === undefined) throw new Error(`No picture of this comment is below ${mostBytes} bytes.`);
  mkdirSync(path.dirname(picture), { recursive: true });
  writeFileSync(picture, png);
  stderr.write(`\nThe picture: ${path.relative(process.cwd(), picture)}\n`);
}

/** The plan of the tests without what makes the picture long: modules, and a value that is secret. */
function shortPlan() {
  const file = path.join(here, "../test/unit/preview/fixtures/terraform/neon.json");
  const plan = JSON.parse(readFileSync(file, "utf8"));
  const changes = plan.resource_changes.filter(({ address }) => !/^module|tuned$/.test(address));
  return JSON.stringify({ ...plan, resource_changes: changes });
}

function findBrowser() {
  const folders = (env["PATH"] ?? "").split(path.delimiter);
  return browsers
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The sharpest first. The page first says how high it is. */
function photographs(html) {
  const folder = mkdtempSync(path.join(tmpdir(), "picture-"));
  try {
    const file = path.join(folder, "comment.html");
    const image = path.join(folder, "comment.png");
    writeFileSync(file, html);
    const browse = (...args) => {
      const common = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"];
      const words = [...common, `--user-data-dir=${path.join(folder, "profile")}`, ...args];
      const ran = spawnSync(browser, [...words, pathToFileURL(file).href], {
        encoding: "utf8",
        timeout: 60_000,
      });
      if (ran.status !== 0) throw new Error(`${browser} ended with ${ran.status}: ${ran.stderr}`);
      return ran.stdout;
    };
    const height = /data-height="(\d+)"/.exec(browse(`--window-size=${widthPx},800`, "--dump-dom"))?.[1];
    if (height === undefined) throw new Error(`${browser} did not say how high the page is.`);
    return sharpness.map((factor) => {
      browse(
        `--window-size=${widthPx},${height}`,
        `--force-device-scale-factor=${factor}`,
        `--screenshot=${image}`,
      );
      return readFileSync(image);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
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

function page(body) {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>comment</title><style>
  body { margin: 0; padding: 12px; background: #fff; color: #1f2328;
    font: 14px/1.5 "Liberation Sans", Arial, Helvetica, "Noto Color Emoji", sans-serif; }
  .comment { border: 1px solid #d1d9e0; border-radius: 6px; overflow: hidden; }
  .author { padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; color: #59636e; }
  .author b { color: #1f2328; }
  .author span { border: 1px solid #d1d9e0; border-radius: 2em; padding: 0 7px; font-size: 12px; margin-left: 4px; }
  .text { padding: 0 16px 4px; }
  h3 { font-size: 18px; margin: 16px 0 12px; }
  h4 { font-size: 15px; margin: 20px 0 10px; }
  p { margin: 0 0 14px; }
  table { border-collapse: collapse; margin-bottom: 14px; }
  th, td { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left; }
  th { font-weight: 600; }
  td:nth-child(2) { min-width: 100px; }
  code { font: 85% "DejaVu Sans Mono", ui-monospace, monospace; background: #eff1f3; border-radius: 6px; padding: 2px 5px; }
  details { margin-bottom: 14px; }
  sub { color: #59636e; font-size: 12px; vertical-align: baseline; }
</style></head><body>
<div class="comment"><div class="author"><b>github-actions</b> <span>bot</span></div><div class="text">
${body}
</div></div>
<script>document.body.dataset.height = Math.ceil(document.documentElement.getBoundingClientRect().height);</script>
</body></html>
`;
}
