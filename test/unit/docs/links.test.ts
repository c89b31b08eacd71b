import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(__dirname, "..", "..", "..");

/** The texts that people read, without what their tests hold already. */
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync(path.join(root, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];

interface Link {
  readonly page: string;
  readonly target: string;
  /** What hovering over it shows: for a test, its name. */
  readonly title: string | undefined;
}

const links: readonly Link[] = pages.flatMap((page) => {
  const text = readFileSync(path.join(root, page), "utf8").replaceAll(/```.*?```/gs, "");
  return [...text.matchAll(/\]\(([^)\s]+)(?: "([^"]+)")?\)/g)].map(([, target = "", title]) => ({
    page,
    target,
    title,
  }));
});

const local = links.filter(({ target }) => !/^https?:/.test(target));
const toTests = local.filter(({ title }) => title !== undefined);

it.each(local)("$page links to $target, which is there", ({ page, target }) => {
  const [file = "", anchor] = target.split("#");
  const linked = path.join(root, file === "" ? page : path.join(path.dirname(page), file));
  expect(existsSync(linked)).toBe(true);
  if (anchor === undefined) return;
  const headings = [...readFileSync(linked, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(/\s/g, "-"),
  );
  expect(headings).toContain(anchor);
});

it.each(toTests)("$page names the test $title", ({ page, target, title }) => {
  const source = readFileSync(path.join(root, path.dirname(page), target), "utf8");
  // As it stands in the source, up to a line break of the formatter.
  expect(source).toContain(`"${title!}`);
});

it("holds every row of what-happens-when to a test", () => {
  const page = "docs/what-happens-when.md";
  const rows = readFileSync(path.join(root, page), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (when|-)/.test(line));
  expect(rows.length).toBeGreaterThan(25);
  expect(rows.filter((row) => !/\| \[test\]\(\S+\.test\.ts "[^"]+"\) +\|$/.test(row))).toEqual([]);
});
