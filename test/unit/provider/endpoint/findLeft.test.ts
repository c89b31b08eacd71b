import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { deadlineIn } from "../../../../provider/clock";
import { findLeft } from "../../../../provider/endpoint/applying/recover";
import type { Step } from "../../../../provider/endpoint/applying/step";
import type { JournalEntry } from "../../../../provider/writes/journal";
import { createFakeClock } from "../../../support/fakeClock";
import { byId, endpoint, intent, stepWith } from "./unanswered";

interface Look {
  readonly entry?: Partial<JournalEntry>;
  /** When the next run begins, after the killed one wrote down what it was about to create. */
  readonly begunAfterMs?: number;
  /** When a list shows the compute. */
  readonly shownAfterMs?: number;
  /** When a list shows a second one. */
  readonly secondAfterMs?: number;
  readonly limitMs?: number;
}

/** @returns what is found, and when the look was over, counted from the intent. */
async function lookLeft(look: Look): Promise<{ readonly id: string | undefined; readonly afterMs: number }> {
  const { entry = {}, begunAfterMs = 1_000, shownAfterMs = Infinity, limitMs = 600_000 } = look;
  const { secondAfterMs = Infinity } = look;
  const clock = createFakeClock();
  const atMs = clock.now();
  const written = {
    ...intent,
    intentAtMs: atMs,
    window: { fromMs: atMs - 3_000, toMs: atMs + 63_000 },
    ...entry,
  };
  const shown = (id: string, afterMs: number): readonly ApiEndpoint[] => {
    const made = { created_at: new Date(atMs + Math.min(afterMs, 60_000)).toISOString(), type: written.type };
    return clock.now() >= atMs + afterMs ? [endpoint(id, made)] : [];
  };
  clock.advance(begunAfterMs);
  const services = {
    ...stepWith().services,
    clock,
    api: { serviceNow: () => clock.now() },
    lists: {
      now: () =>
        Promise.resolve(byId(...shown("ep-new", shownAfterMs), ...shown("ep-second", secondAfterMs))),
    },
  };
  const resource = { id: "urn:a", row: { progress: () => undefined } };
  const step = { services, resource, deadline: deadlineIn(limitMs, clock) } as unknown as Step;
  const found = await findLeft(step, written);
  return { id: found?.id, afterMs: clock.now() - atMs };
}

describe("the compute of a run that was killed while its POST was under way", () => {
  it.each([1_000, 40_000, 59_000])(
    "is found %d ms later, when the service has made it",
    async (shownAfterMs) => {
      await expect(lookLeft({ shownAfterMs })).resolves.toMatchObject({ id: "ep-new" });
    },
  );

  it("is looked for as long as a request lasts, and until the latest list would show it", async () => {
    const { id, afterMs } = await lookLeft({});
    expect(id).toBeUndefined();
    expect(afterMs).toBeGreaterThan(75_000);
    expect(afterMs).toBeLessThan(85_000);
  });

  it.each([
    { look: { begunAfterMs: 90_000 }, reason: "the POST was over long before" },
    {
      look: { entry: { type: "read_write" as const } },
      reason: "the service refuses a second primary itself",
    },
    {
      look: { entry: { window: { fromMs: 0, toMs: 0 } } },
      reason: "its answer was lost, and that is long ago",
    },
  ])("is not waited for: $reason", async ({ look }) => {
    const begunAfterMs = "begunAfterMs" in look ? look.begunAfterMs : 1_000;
    expect((await lookLeft(look)).afterMs - begunAfterMs).toBeLessThanOrEqual(15_000);
  });

  describe("and that had sent another POST before, which got no answer", () => {
    const earlier = [{ fromMs: -20_000, toMs: -14_000 }];

    it("is taken over once the POST under way can make no second one any more", async () => {
      const { id, afterMs } = await lookLeft({ entry: { earlier }, shownAfterMs: 1_000 });
      expect(id).toBe("ep-new");
      expect(afterMs).toBeGreaterThan(75_000);
      expect(afterMs).toBeLessThan(85_000);
    });

    it("is named with the second one, where both POSTs have made one", async () => {
      await expect(
        lookLeft({ entry: { earlier }, shownAfterMs: 1_000, secondAfterMs: 30_000 }),
      ).rejects.toThrow("ep-new, ep-second appeared on the branch since");
    });

    it("is taken over at once where the time limit is short, and where it is a primary", async () => {
      const short = await lookLeft({ entry: { earlier }, shownAfterMs: 1_000, limitMs: 5_000 });
      expect(short.id).toBe("ep-new");
      const primary = await lookLeft({ entry: { earlier, type: "read_write" }, shownAfterMs: 1_000 });
      expect(primary).toEqual({ id: "ep-new", afterMs: 1_000 });
    });
  });

  it("leaves the rest to the next run where the time limit is shorter", async () => {
    await expect(lookLeft({ limitMs: 30_000 })).rejects.toThrow("may still show up");
  });
});
