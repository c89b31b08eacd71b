/**
 * The pages of the site beside the API reference, and where what they link to is found: another page, a picture, or a
 * file of the repository.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { ExpectedError } from "../expectedError";

/** The front page, and a guide as well: the search and the navigation know documents only. */
const start = { file: "README.md", title: "Get started", name: "get-started" } as const;

/** In the order of the navigation. */
const guides = [
  start.file,
  ...pagesOf([
    "reference",
    "neon",
    "import",
    "terraform",
    "interruptions",
    "maintenance-windows",
    "deletions",
    "compute-preview",
    "action",
    "what-happens-when",
    "ownership",
    "limits",
    "plugin",
    "languages",
    "teams",
    "testing",
    "emulator",
    "performance",
  ]),
];

const ofTheProject = [
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...pagesOf(["interface", "engine", "measurements"]),
];

/** For Pulumi's registry, which renders them with its own titles. */
const ofTheRegistry = pagesOf(["_index", "installation-configuration"]);

function pagesOf(names: readonly string[]): readonly string[] {
  return names.map((name) => `docs/${name}.md`);
}

export const pageGroups = { guides: "Guides", project: "Project" } as const;

/** @throws ExpectedError where docs/ has a page that is not listed. */
export function documents(): readonly string[] {
  const written = readdirSync(path.join(checkoutFolder, "docs")).filter((file) => file.endsWith(".md"));
  const listed = [...guides, ...ofTheProject];
  const known = [...listed, ...ofTheRegistry];
  const unlisted = written.map((file) => `docs/${file}`).filter((file) => !known.includes(file));
  if (unlisted.length > 0)
    throw new ExpectedError(
      `Building the site: ${unlisted.join(", ")} has no place in its navigation. Add it to tools/docs/pages.ts.`,
    );
  return listed;
}

/** What the navigation shows of a page, from its first heading. */
export function titleOf(file: string): string {
  if (file === start.file) return start.title;
  const heading = /^# (.*)$/m.exec(readFileSync(path.join(checkoutFolder, file), "utf8"))?.[1];
  if (heading === undefined)
    throw new ExpectedError(`Building the site: ${file} has no title. Begin it with "# ".`);
  return heading.replaceAll("`", "");
}

/** The last part of a page's address on the site. */
export function addressName(file: string): string {
  return file === start.file ? start.name : path.parse(file).name;
}

export function groupOf(file: string): string {
  return guides.includes(file) ? pageGroups.guides : pageGroups.project;
}

/** Where the repository is: package.json is the one place that says it. */
export function repositoryAddress(): string {
  const manifest = readFileSync(path.join(checkoutFolder, "package.json"), "utf8");
  const { repository } = JSON.parse(manifest) as { repository: { url: string } };
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}

/** The site is built from the main branch, and so is what it links to. */
export const revision = "main";

/**
 * Where a page's link leads that is to no other page.
 *
 * @param target - a file or folder of this checkout, or the link as it is written where it is neither.
 * @param from - the page, from the checkout's folder on.
 * @returns undefined for what the site has itself: pictures are copied.
 */
export function addressOf(target: string, from: string): string | undefined {
  if (path.isAbsolute(target)) return isPicture(target) ? undefined : repositoryLink(target);
  const files = `${repositoryAddress()}/blob/${revision}/`;
  const address = new URL(target, files + from).href;
  // Above the files are the repository's own pages, such as its advisories.
  return address.startsWith(files) ? undefined : address;
}

function isPicture(file: string): boolean {
  return /\.(png|svg)$/.test(file);
}

function repositoryLink(absolute: string): string {
  const kind = statSync(absolute).isDirectory() ? "tree" : "blob";
  return `${repositoryAddress()}/${kind}/${revision}/${relativeTo(absolute)}`;
}

/** From the checkout's folder on, as an address has it. */
export function relativeTo(absolute: string): string {
  return path.relative(checkoutFolder, absolute).split(path.sep).join("/");
}

/** @returns the file or folder of this checkout that an address of the repository is of, whether or not it is there. */
export function linkedFile(address: string): string | undefined {
  const [, relative] =
    new RegExp(`^${repositoryAddress()}/(?:blob|tree)/${revision}/([^#?]*)`).exec(address) ?? [];
  return relative === undefined ? undefined : path.join(checkoutFolder, decodeURI(relative));
}
