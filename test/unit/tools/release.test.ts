import { notesOf } from "../../../tools/release/notes";

const changelog = `# Changelog

## [Unreleased]

### Added

- Later.

## [1.2.0] - 2026-01-02

### Fixed

- A thing, see [1.1.0].

## [1.1.0]

- No date.

## [1.0.0] - 2025-01-02
`;

describe("the text of a release", () => {
  it("is the version's section, up to the next version's", () => {
    const text = "### Fixed\n\n- A thing, see [1.1.0].";
    expect(notesOf(changelog, { version: "1.2.0", tag: "v1.2.0" })).toBe(text);
    expect(notesOf(changelog, { version: "1.2.0", tag: undefined })).toBe(text);
  });

  it("is what is not released yet, where nothing leaves this machine", () => {
    expect(notesOf(changelog, { version: "1.3.0", tag: undefined })).toBe("### Added\n\n- Later.");
  });

  it.each([
    { version: "1.2.0", tag: "v1.3.0", reason: "the tag names another version" },
    { version: "1.3.0", tag: "v1.3.0", reason: "the version has no section" },
    { version: "1x2.0", tag: "v1x2.0", reason: "its name is another one's up to a character" },
    { version: "1.1.0", tag: "v1.1.0", reason: "its section has no date" },
    { version: "1.0.0", tag: "v1.0.0", reason: "its section has no text" },
  ])("holds up a release where $reason", ({ version, tag }) => {
    expect(() => notesOf(changelog, { version, tag })).toThrow(/^Releasing v\S+: .*\. /);
  });
});
