import { isRecentEnough, parseEngineVersion } from "../../../tools/engine/version";

describe("parseEngineVersion", () => {
  it.each([
    { printed: "v3.246.0\n", version: "3.246.0", reason: "what a release prints" },
    { printed: "3.216.0", version: "3.216.0", reason: "an older release prints no v" },
    { printed: "v3.220.0-alpha.x1a2b", version: "3.220.0-alpha.x1a2b", reason: "a build between releases" },
    { printed: "", version: undefined, reason: "nothing was printed" },
    { printed: "command not found", version: undefined, reason: "another program of that name" },
  ])("reads $printed as $version: $reason", ({ printed, version }) => {
    expect(parseEngineVersion(printed)).toBe(version);
  });
});

describe("isRecentEnough", () => {
  it.each([
    { version: "3.216.0", enough: true, reason: "the oldest that will do" },
    { version: "3.216.0-dev.1", enough: true, reason: "a build on the way to it has what it has" },
    { version: "3.215.9", enough: false, reason: "the last that will not" },
    { version: "3.99.0", enough: false, reason: "numbers are compared, not text" },
    { version: "4.0.0", enough: true, reason: "later lines are the user's choice" },
  ])("says $enough for $version: $reason", ({ version, enough }) => {
    expect(isRecentEnough(version)).toBe(enough);
  });
});
