import { fuzz } from "./fuzzing";

describe("an answer whose status line, headers or body were tampered with", () => {
  it("is refused in words, or holds what a success must hold", async () => {
    const counts = await fuzz({ count: 2_000, seed: 1 });
    expect(counts.good + counts.refused).toBe(2_000);
    expect(counts.good).toBeGreaterThan(100);
    expect(counts.refused).toBeGreaterThan(500);
  });
});
