/**
 * A rule of .dependency-cruiser.js guards nothing where a name in it is no file's any more.
 */
import path from "node:path";
import { filesOf, root } from "./checkout";

interface Side {
  readonly path?: string | readonly string[];
  readonly pathNot?: string | readonly string[];
}
interface Rule {
  readonly name: string;
  readonly from: Side;
  readonly to: Side;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- it is a configuration, not a module of ours
const { forbidden } = require(path.join(root, ".dependency-cruiser.js")) as { forbidden: readonly Rule[] };
const files = filesOf("*.ts", "*.js");

/** `a(b|c)d` as `abd` and `acd`: each pattern without alternatives of its own. Lookaheads name what is left out. */
function alternativesOf(pattern: string): readonly string[] {
  const group = /\((\?!)?([^()]*)\)/.exec(pattern);
  const [whole, isNegative, inside = ""] = group ?? [];
  if (group === null || whole === undefined) return pattern.split("|");
  const [before, after] = [pattern.slice(0, group.index), pattern.slice(group.index + whole.length)];
  const parts = inside.split("|").flatMap((each) => alternativesOf(`${before}${each}${after}`));
  return [...new Set(isNegative === undefined ? parts : [...parts, ...alternativesOf(`${before}${after}`)])];
}

const sides = forbidden.flatMap(({ name, from, to }) =>
  [from.path, from.pathNot, to.path, to.pathNot]
    .flatMap((each) => each ?? [])
    .flatMap(alternativesOf)
    // Packages are none of ours, and `$1` is what the other side matched.
    .filter((pattern) => !pattern.includes("node_modules") && !pattern.includes("$1"))
    .map((pattern) => ({ name, pattern })),
);

it("knows rules with alternatives", () => {
  expect(alternativesOf("^a/(b|c(d|e))\\.ts$")).toEqual(["^a/b\\.ts$", "^a/cd\\.ts$", "^a/ce\\.ts$"]);
  expect(sides.length).toBeGreaterThan(100);
});

it.each(sides)("$name: $pattern is the name of a file", ({ pattern }) => {
  expect(files.some((file) => new RegExp(pattern).test(file))).toBe(true);
});
