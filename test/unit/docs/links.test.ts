import { existsSync } from "node:fs";
import path from "node:path";
import { longTests } from "../../../tools/commands/long";
import { filesOf, root, textOf } from "./checkout";

/** The pages that people read. */
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "test/README.md",
  "test/mutation/README.md",
  ...filesOf("docs/*.md"),
];

interface Link {
  readonly page: string;
  readonly target: string;
}

const links: readonly Link[] = pages.flatMap((page) => {
  const text = textOf(page).replaceAll(/```.*?```/gs, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ page, target }));
});

const local = links.filter(({ target }) => !/^https?:/.test(target));

it.each(local)("$page links to $target, which is there", ({ page, target }) => {
  const [file = "", anchor] = target.split("#");
  const linked = file === "" ? page : path.join(path.dirname(page), file);
  expect(existsSync(path.join(root, linked))).toBe(true);
  if (anchor === undefined) return;
  const headings = [...textOf(linked).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(/\s/g, "-"),
  );
  expect(headings).toContain(anchor);
});

it("pages and workflows name npm scripts, and long tests, that there are", () => {
  const texts = [...pages, ...filesOf(".github/workflows")].map(textOf).join("\n");
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: object };
  const named = [...texts.matchAll(/npm run (?:--silent )?(\w+(?::\w+)?)/g)].map(([, script]) => script);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  const long = [...texts.matchAll(/npm run test:long -- ([a-z]+)/g)].map(([, name]) => name);
  expect(new Set(long)).toEqual(new Set(Object.keys(longTests)));
});

/** The cases of a page are the bold beginnings of its list items. */
const cases = [...textOf("docs/what-happens-when.md").matchAll(/^- \*\*([^]+?)\*\*/gm)].map(([, text = ""]) =>
  text.replaceAll(/\s+/g, " "),
);

const promises = JSON.parse(textOf("test/unit/docs/promises.json")) as Record<string, readonly string[]>;

/** The code that prints, in which `${…}` and `…` of a message are the same. */
const printing = filesOf("provider/*.ts", "sdk/*.ts").map(textOf).join("\n");

const ofTheEngine = ["the stack is currently locked by 1 lock(s)"];

describe("the messages in what-happens-when", () => {
  const messages = cases
    .filter((text) => text.startsWith("`"))
    .map((text) => text.slice(1, -1))
    .filter((text) => !ofTheEngine.includes(text));

  it.each(messages)("are printed: %s", (message) => {
    const missing = message.split("…").filter((words) => !printing.includes(words));
    expect(missing).toEqual([]);
  });

  it("begin all entries but those that name no message", () => {
    expect(cases.filter((text) => !text.startsWith("`")).map((text) => /no message/.test(text))).toEqual([
      true,
      true,
    ]);
  });
});

describe("promises.json", () => {
  it("names the tests of every case of what-happens-when, and no others", () => {
    expect(cases.length).toBeGreaterThan(25);
    expect(Object.keys(promises)).toEqual(cases);
    for (const [text, tests] of Object.entries(promises))
      expect({ text, isCovered: tests.length > 0 }).toEqual({ text, isCovered: true });
  });

  it.each(Object.values(promises).flat())("names a test that exists: %s", (test) => {
    const [file = "", title = ""] = test.split(" > ");
    expect(file).toMatch(/\.test\.ts$/);
    // As it stands in the source, up to a line break of the formatter.
    expect(textOf(file)).toContain(`"${title}`);
  });
});
