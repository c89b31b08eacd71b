/**
 * The text of a release: the version's section of CHANGELOG.md, and what holds for the files of every release.
 */
import { ExpectedError } from "../expectedError";
import { nodeVersion } from "./node";

/** What the notes of every release say about the plugin's executables, below the changelog's section. */
export const textAboutExecutables = `### The plugin's executables

Each archive \`pulumi-resource-compute-…\` is for one system and needs no Node: it contains Node ${nodeVersion}. Check a download with \`SHA256SUMS\`. The executables for
macOS have an ad-hoc signature, and the one for Windows has none. Before a release is published, each executable is started on its own system. The
tests run only with the one for Linux x64.`;

/** The version to release. */
interface Release {
  /** The version in package.json. */
  readonly version: string;
  /** Undefined if nothing is published: a version without a section then has the text of `[Unreleased]`. */
  readonly tag: string | undefined;
}

/** @throws ExpectedError if the tag, package.json and the changelog do not agree. */
export function notesOf(changelog: string, { version, tag }: Release): string {
  const sections = changelog.split(/^## /m).slice(1);
  const textOf = (heading: RegExp): string | undefined =>
    sections
      .find((section) => heading.test(section))
      ?.replace(/^.*\n/, "")
      .trim();
  const dated = textOf(new RegExp(`^\\[${version.replaceAll(".", "\\.")}\\] - \\d{4}-\\d\\d-\\d\\d\\s`));
  if (tag === undefined) return dated ?? textOf(/^\[Unreleased\]/) ?? "";
  if (tag !== `v${version}`)
    throw new ExpectedError(`Releasing ${tag}: package.json has version ${version}. Its tag is v${version}.`);
  if (dated === undefined || dated === "")
    throw new ExpectedError(
      `Releasing ${tag}: CHANGELOG.md has no text below "## [${version}] - YYYY-MM-DD". Write it.`,
    );
  return dated;
}
