/** A preview that `onInterruption` ended: the team's own policy, not a broken pipeline. */
import { digest, failure, runPreview } from "./previews";

const forbidden =
  "changing compute ep-app: restart: size 1 → 2 CU drops open connections. This is forbidden here: …";

it("says first that the policy refuses the change, and how to allow it", () => {
  const { code, out } = runPreview([], digest([], failure(forbidden, "app")));
  expect(code).toBe(4);
  expect(out).toMatch(/^### \S+ Refused: onInterruption forbids the change of 1 compute$/m);
  expect(out).toContain("take the change out, or allow it as the message below says");
  expect(out).not.toContain("Fix the errors");
});

it("is a failed preview if anything else failed too", () => {
  const both = [forbidden, "no API key is set"].flatMap((text, at) => failure(text, `app${at}`).diagnostics);
  const { code, out } = runPreview([], digest([], { diagnostics: both }));
  expect(code).toBe(4);
  expect(out).toContain("Fix the errors below");
});
