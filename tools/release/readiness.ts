/**
 * What must be true before a version leaves this repository: a tag alone decides that it does.
 */
import { sectionOf } from "./changelog";

/** What is looked at, all of it as text, so that a test needs no repository. */
export interface Candidate {
  readonly manifest: {
    readonly version: string;
    readonly repository: { readonly url: string };
    readonly homepage: string;
    readonly bugs: string;
  };
  readonly changelog: string;
  /** As `git status --porcelain` has it. */
  readonly changes: string;
  /** The tag that is released; undefined where there is none yet. */
  readonly tag: string | undefined;
  /** `owner/name` of the repository that the workflow runs in; undefined elsewhere. */
  readonly runsIn: string | undefined;
}

export interface Finding {
  readonly what: string;
  readonly state: string;
  /** Present where it stands in the way of a release. */
  readonly remedy?: string;
}

/** The one placeholder of this repository's address, in package.json. */
const placeholder = "OWNER";

export function readinessOf(candidate: Candidate): readonly Finding[] {
  return [tag(candidate), changelog(candidate), address(candidate), changes(candidate)];
}

function tag({ tag: given, manifest: { version } }: Candidate): Finding {
  const what = "tag";
  if (given === undefined)
    return { what, state: "none", remedy: `git tag v${version} && git push origin v${version}` };
  if (given === `v${version}`) return { what, state: given };
  return {
    what,
    state: `${given}, where package.json has ${version}`,
    remedy: "npm version, or another tag",
  };
}

function changelog({ changelog: text, manifest: { version } }: Candidate): Finding {
  const what = "changelog";
  const section = sectionOf(text, version);
  const heading = `## [${version}] - YYYY-MM-DD`;
  if (section === undefined)
    return { what, state: `nothing of ${version}`, remedy: `Put "${heading}" below [Unreleased]` };
  if (section.date === undefined || section.text === "")
    return { what, state: `${version} has no date or no text`, remedy: `Write it below "${heading}"` };
  return { what, state: `${version} of ${section.date}` };
}

function address({ manifest: { repository, homepage, bugs }, runsIn }: Candidate): Finding {
  const what = "repository";
  const [, owner, name] =
    /^git\+https:\/\/github\.com\/([\w.-]+)\/([\w.-]+)\.git$/.exec(repository.url) ?? [];
  const state = `${owner ?? "?"}/${name ?? "?"}`;
  const page = `https://github.com/${state}`;
  if (homepage !== `${page}#readme` || bugs !== `${page}/issues`)
    return { what, state, remedy: "Let homepage and bugs in package.json name the repository too" };
  if (owner === placeholder)
    return { what, state, remedy: `Replace ${placeholder} in package.json: provenance names the repository` };
  if (runsIn !== undefined && runsIn !== state)
    return { what, state, remedy: `This runs in ${runsIn}: npm would refuse the provenance` };
  return { what, state };
}

function changes({ changes: text }: Candidate): Finding {
  const count = text.split("\n").filter((line) => line !== "").length;
  const what = "working copy";
  if (count === 0) return { what, state: "as committed" };
  return { what, state: `${count} files differ from the commit`, remedy: "Commit or remove them" };
}
