/**
 * How much code each room may have: lines with a token in them. A budget is only ever lowered; who needs more takes it
 * from what the room has.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { root } from "./checkout";

const budgets = {
  provider: 9907,
  "provider/endpoint/applying/update.ts": 95,
  "provider/pure/plan.ts": 57,
  sdk: 747,
  preview: 3066,
  import: 443,
  action: 679,
  emulator: 5412,
  tools: 2600,
  bench: 700,
} as const;

function filesIn(room: string): readonly string[] {
  const place = path.join(root, room);
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|js|mjs)$/.test(name) && path.basename(name) !== "bundle.js")
    .map((name) => path.join(place, name));
}

/** Lines that have something else than a comment. */
function codeLinesOf(file: string): number {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(source);
    if (children.length > 0 || node.getWidth(source) === 0) {
      children.forEach(visit);
      return;
    }
    const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
    for (let line = lineAt(node.getStart(source)); line <= lineAt(node.end); line += 1) lines.add(line);
  };
  visit(source);
  return lines.size;
}

it.each(Object.entries(budgets))("%s has at most %i lines of code", (room, budget) => {
  const lines = filesIn(room).reduce((sum, file) => sum + codeLinesOf(file), 0);
  expect({ room, lines: Math.max(lines, budget) }).toEqual({ room, lines: budget });
});
