import { doors, type Door } from "../../support/doors";
import { asMuchAs } from "../../support/extent";
import { runSequences } from "./sequences";

/** Behind both doors a life is the same but for the read before each change. */
const counts: Readonly<Record<Door, number>> = asMuchAs({
  quick: { dynamic: 30, native: 15 },
  full: { dynamic: 100, native: 40 },
});

describe.each(doors)("behind the %s door, a random life", (door) => {
  it.each(["read_write", "read_only"] as const)(
    "of a %s compute never has two computes, and ends as the program says",
    async (type) => {
      await runSequences(type, { door, count: counts[door], seed: 1 });
    },
  );
});
