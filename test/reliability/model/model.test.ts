import { runSequences } from "./sequences";

jest.setTimeout(120_000);

describe("a random life", () => {
  it.each(["read_write", "read_only"] as const)(
    "of a %s compute never has two computes, and ends as the program says",
    async (type) => {
      await runSequences(type, { count: 100, seed: 1 });
    },
  );
});
