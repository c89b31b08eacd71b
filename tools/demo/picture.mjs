/**
 * Draws docs/images/demo.svg: what `npm run demo` prints, line by line.
 *
 *   npm run picture:demo
 *
 * Needs a Postgres. The layout follows from the text alone; the times in it are those of this run.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
const [charPx, linePx, marginPx] = [7.8, 19, 20];

const ran = spawnSync(process.execPath, [path.join(root, "tools/bootstrap.js"), "demo"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
if (ran.status !== 0) throw new Error(`The demo ended with ${ran.status}, see above.`);
// The first lines name this machine's programs.
const lines = ["$ npm run demo", "", ...ran.stdout.trimEnd().split("\n").slice(2)];

const width = Math.ceil(Math.max(...lines.map(({ length }) => length)) * charPx + 2 * marginPx);
const height = lines.length * linePx + 2 * marginPx;
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const colour = (line) =>
  /57P01/.test(line)
    ? "#ff7b72"
    : /connected/.test(line)
      ? "#7ee787"
      : /pulumi|^[ ]+│ \S/.test(line)
        ? "#e3b341"
        : "#c9d1d9";
const texts = lines.flatMap((line, index) =>
  line === ""
    ? []
    : `  <text x="${marginPx}" y="${marginPx + (index + 1) * linePx - 5}" fill="${colour(line)}" textLength="${(line.length * charPx).toFixed(1)}">${escaped(line)}</text>`,
);
const title = "npm run demo: what the preview said beside what an open connection saw";
writeFileSync(
  path.join(root, "docs/images/demo.svg"),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" xml:space="preserve" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" style="white-space: pre">
  <title>${title}</title>
  <rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${texts.join("\n")}
</svg>
`,
);
