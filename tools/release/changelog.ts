/**
 * Reads CHANGELOG.md.
 */

/** A version's part of CHANGELOG.md: the text of its release. */
export interface Section {
  /** Absent while the version is not released. */
  readonly date?: string;
  readonly text: string;
}

/** @param name - a version, or `Unreleased`. @returns undefined where the changelog has no such heading. */
export function sectionOf(changelog: string, name: string): Section | undefined {
  const [, ...parts] = changelog.split(/^## /m);
  for (const part of parts) {
    const [heading = "", ...lines] = part.split("\n");
    const [, found, date] = /^\[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?\s*$/.exec(heading) ?? [];
    if (found === name) return { ...(date === undefined ? {} : { date }), text: lines.join("\n").trim() };
  }
  return undefined;
}
