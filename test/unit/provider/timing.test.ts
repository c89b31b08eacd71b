import { readFileSync } from "node:fs";
import path from "node:path";
import { createSettledAfterMs, defaultTimeouts } from "../../../provider/timing";

it("a create without an answer is looked for as long as the documents say, well within its time", () => {
  const page = path.join(__dirname, "..", "..", "..", "docs", "what-happens-when.md");
  expect(readFileSync(page, "utf8")).toContain(
    `up to ${createSettledAfterMs / 1_000} s, then sends the create again`,
  );
  expect(createSettledAfterMs).toBeLessThan((defaultTimeouts.create * 1_000) / 10);
});
