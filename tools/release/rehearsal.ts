/**
 * A release as the workflow makes it, on this machine, up to the point where it would leave it.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { git, npm } from "./commands";
import { notesFile, releaseFolder, verifyChecksums } from "./files";

/** Lines of the release's text that are shown. */
const shownLines = 6;

/**
 * Makes the files of a release from a clean clone of the last commit, and lets npm say what it would publish.
 *
 * @param tests - also runs everything that CI runs, in the clone.
 */
export function rehearse({ tests }: { readonly tests: boolean }): void {
  const place = mkdtempSync(path.join(tmpdir(), "compute-release-"));
  const clone = path.join(place, "clone");
  try {
    git(["clone", "--quiet", checkoutFolder, clone]);
    console.log(`clone      ${git(["rev-parse", "--short", "HEAD"]).trim()}, without node_modules and dist`);
    if (tests) for (const words of [["test"], ["run", "test:full"]]) npm(words, clone);
    npm(["run", "--silent", "release:files"], clone);
    rmSync(releaseFolder, { recursive: true, force: true });
    cpSync(path.join(clone, path.relative(checkoutFolder, releaseFolder)), releaseFolder, {
      recursive: true,
    });
    show(npm(["publish", "--dry-run", "--ignore-scripts", "--json", packageFile()], place));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  const untested = tests ? [] : ["npm test and test:full (-- --test runs both in the clone)"];
  console.log(
    `not run    ${[...untested, "npm publish with provenance", "the release on GitHub"].join(", ")}`,
  );
  for (const [index, step] of stepsForPeople.entries())
    console.log(`${index === 0 ? "left to do " : "           "}${index + 1}. ${step}`);
}

/** What only a person with accounts can do, in this order. */
const stepsForPeople = [
  "GitHub: create the public repository, push main, and replace OWNER in package.json, AGENTS.md, docs/ and examples/",
  "GitHub: create the environment `npm`, and name who may approve a release",
  "npm: make .github/workflows/release.yml the package's trusted publisher, with the environment `npm`",
  "GitHub: turn on Pages for .github/workflows/docs.yml, and private vulnerability reports for SECURITY.md",
  "CHANGELOG.md: date the version; push its tag v…: the workflow publishes to npm and writes the release with the plugin's archives",
  "Pulumi's registry: a pull request that adds the repository to the list of community packages",
] as const;

function packageFile(): string {
  return path.join(releaseFolder, fileNames().find((name) => name.endsWith(".tgz")) ?? "");
}

function fileNames(): readonly string[] {
  const lines = readFileSync(path.join(releaseFolder, "SHA256SUMS"), "utf8").trimEnd().split("\n");
  return lines.map((line) => line.split("  ")[1] ?? "");
}

/** @param published - what `npm publish --dry-run --json` answers: a package, or packages by name, which differs by npm's version. */
function show(published: string): void {
  for (const name of fileNames()) {
    const { size } = statSync(path.join(releaseFolder, name));
    console.log(`file       ${name}, ${(size / 1024).toFixed(0)} KB`);
  }
  console.log(`checksums  ${verifyChecksums(releaseFolder)} files are what SHA256SUMS says`);
  const sbom = fileNames().find((name) => name.endsWith(".cdx.json")) ?? "";
  const { components } = JSON.parse(readFileSync(path.join(releaseFolder, sbom), "utf8")) as {
    components: readonly { readonly name: string; readonly version: string }[];
  };
  console.log(`sbom       ${components.map(({ name, version }) => `${name} ${version}`).join(", ")}`);
  const answer = JSON.parse(published) as Readonly<Record<string, unknown>>;
  const { id, entryCount, integrity } = ("id" in answer ? answer : Object.values(answer)[0]) as Published;
  console.log(`npm        would publish ${id}, ${entryCount} files, ${integrity}`);
  const notes = readFileSync(path.join(releaseFolder, notesFile), "utf8").trimEnd().split("\n");
  for (const line of notes.slice(0, shownLines)) console.log(`text       ${line}`);
  console.log(`           … ${notes.length} lines`);
}

interface Published {
  readonly id: string;
  readonly entryCount: number;
  readonly integrity: string;
}
