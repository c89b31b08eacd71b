/**
 * The text of a release: the version's section of CHANGELOG.md.
 */
import { ExpectedError } from "../expectedError";

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
