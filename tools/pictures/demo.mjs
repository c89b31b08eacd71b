/**
 * Draws docs/images/demo.svg: what `npm run demo` prints, line by line.
 *
 *   npm run picture -- demo
 *
 * Needs a Postgres. The layout depends only on the text; the times in the text are those of this run.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const [charPx, linePx, marginPx] = [7.8, 19, 20];

const ran = spawnSync(process.execPath, ["tools/bootstrap.js", "demo"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
if (ran.status !== 0) throw new Error(`The demo ended with ${ran.status}, see above.`);
// The first lines name this machine's programs.
const lines = ["$ npm run demo", "", ...ran.stdout.trimEnd().split("\n").slice(2)];

const width = Math.ceil(Math.max(...lines.map(({ length }) => length)) * charPx + 2 * marginPx);
const height = lines.length * linePx + 2 * marginPx;
// Non-breaking spaces, since viewers collapse ordinary ones.
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(" ", "\u00a0");
const [plain, said, lost, back] = ["#c9d1d9", "#e3b341", "#ff7b72", "#7ee787"];

/** A continued line has the colour of the line before it. */
function colourOf(line, before) {
  if (/^ +│/.test(line)) return before;
  if (line.includes("57P01")) return lost;
  if (line.includes("connected")) return back;
  return /^ *[\d.]+ s │ \S/.test(line) ? said : plain;
}

let colour = plain;
const texts = [];
for (const [index, line] of lines.entries()) {
  colour = colourOf(line, colour);
  if (line === "") continue;
  const place = `x="${marginPx}" y="${marginPx + (index + 1) * linePx - 5}"`;
  const length = `textLength="${(line.length * charPx).toFixed(1)}"`;
  texts.push(`  <text ${place} fill="${colour}" ${length}>${escaped(line)}</text>`);
}
const title = "npm run demo: what the preview said beside what an open connection saw";
writeFileSync(
  "docs/images/demo.svg",
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
  <title>${title}</title>
  <rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${texts.join("\n")}
</svg>
`,
);
