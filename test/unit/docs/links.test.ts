/** Checks what pages name: files, commands, messages, tests, and the repository. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { longTests } from "../../../tools/commands/long";
import { temporaryFolder } from "../../support/temporaryFolder";
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

it.each(local)("$page links to $target, which exists", ({ page, target }) => {
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

it("pages and workflows name only npm scripts that exist, and exactly the long tests that exist", () => {
  const texts = [...pages, ...filesOf(".github/workflows")].map(textOf).join("\n");
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: object };
  const named = [...texts.matchAll(/npm run (?:--silent )?(\w+(?::\w+)?)/g)].map(([, script]) => script);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  const long = [...texts.matchAll(/npm run test:long -- ([a-z]+)/g)].map(([, name]) => name);
  expect(new Set(long)).toEqual(new Set(Object.keys(longTests)));
});

it("docs/assistants.md, which the package contains, names pages that exist", () => {
  for (const [file] of textOf("docs/assistants.md").matchAll(/[\w/-]+\.md/g))
    expect({ file, isThere: existsSync(path.join(root, file)) }).toEqual({ file, isThere: true });
});

it("the two pages for the Pulumi Registry have no relative links: the registry has no other page", () => {
  for (const page of ["docs/_index.md", "docs/installation-configuration.md"])
    expect(links.filter((link) => link.page === page && !link.target.startsWith("https:"))).toEqual([]);
});

it("the repository has the same owner everywhere as in package.json", () => {
  const { repository } = JSON.parse(textOf("package.json")) as { readonly repository: { url: string } };
  const [, owner] = /github\.com\/(\w[\w-]*)\/pulumi-compute-endpoint\.git$/.exec(repository.url)!;
  const named = filesOf("*.md", "*.yml", "*.yaml", "*.json").flatMap((file) => {
    const found = textOf(file).matchAll(
      /(?:github\.com\/|uses: |"|`)([\w-]+)\/pulumi-compute-endpoint[/@#.]/g,
    );
    return [...found].map(([, by]) => `${file}: ${by}`);
  });
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((each) => !each.endsWith(`: ${owner}`))).toEqual([]);
});

it("the command of docs/install.md prints the plugin's path, even where npm hoists the package to the root of the workspaces", () => {
  const folder = temporaryFolder();
  const [program, own] = ["apps/infra", "node_modules/pulumi-compute-endpoint"].map((name) =>
    path.join(folder, name),
  );
  for (const made of [program!, own!]) mkdirSync(made, { recursive: true });
  writeFileSync(path.join(own!, "package.json"), textOf("package.json"));
  const [, script = ""] = /^node -p '(.*)'$/m.exec(textOf("docs/install.md"))!;
  const printed = execFileSync(process.execPath, ["-p", script], { cwd: program, encoding: "utf8" });
  const place = printed.trim().replaceAll("\\", "/");
  expect(place).toBe("../../node_modules/pulumi-compute-endpoint/dist/plugin");
  // pnpm links the package into the program's own folder, from a folder whose name has the version.
  const [stored, link] = [
    path.join(folder, "node_modules/.pnpm/package@1"),
    path.join(program!, "node_modules"),
  ];
  for (const made of [stored, link]) mkdirSync(made, { recursive: true });
  symlinkSync(stored, path.join(link, "pulumi-compute-endpoint"), "junction");
  const linked = execFileSync(process.execPath, ["-p", script], { cwd: program, encoding: "utf8" });
  expect(linked.trim().replaceAll("\\", "/")).toBe("node_modules/pulumi-compute-endpoint/dist/plugin");
});

/** The cases of a page are the bold beginnings of its list items. */
const cases = [...textOf("docs/what-happens-when.md").matchAll(/^- \*\*([^]+?)\*\*/gm)].map(([, text = ""]) =>
  text.replaceAll(/\s+/g, " "),
);

const promises = JSON.parse(textOf("test/unit/docs/promises.json")) as Record<string, readonly string[]>;

/** The code that prints messages. Where a page has `…`, the code has `${…}`. */
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
    // promises.json has the title as the source has it, or the beginning of the title.
    expect(textOf(file)).toContain(`"${title}`);
  });
});
