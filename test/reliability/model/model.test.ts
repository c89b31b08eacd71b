import { variants, type Variant } from "../../support/variants";
import { asMuchAs } from "../../support/extent";
import { runSequences } from "./sequences";

/** Behind both variants a life is the same but for the read before each change. */
const counts: Readonly<Record<Variant, number>> = asMuchAs({
  quick: { dynamic: 15, native: 5 },
  full: { dynamic: 100, native: 40 },
});

describe.each(variants)("with the %s variant, a random life", (variant) => {
  it.each(["read_write", "read_only"] as const)(
    "of a %s compute never has two computes, and ends as the program says",
    async (type) => {
      await runSequences(type, { variant, count: counts[variant], seed: 1 });
    },
  );
});
