import { readFileSync } from "node:fs";
import path from "node:path";
import { createShowsAfterMs, defaultTimeouts } from "../../../provider/model/timing";

it("a create without an answer is looked for as long as the documents say, well within its time", () => {
  const page = path.join(__dirname, "..", "..", "..", "docs", "ownership.md");
  const lookedForMs = createShowsAfterMs.reduce((sum, waitMs) => sum + waitMs, 0);
  expect(readFileSync(page, "utf8").replaceAll("\n", " ")).toContain(
    `A second replica is possible if lists are more than ${lookedForMs / 1_000} seconds late`,
  );
  expect(lookedForMs).toBeLessThan((defaultTimeouts.create * 1_000) / 10);
});
