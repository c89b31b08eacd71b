import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { deadlineIn } from "../../../../provider/clock";
import { findLeft } from "../../../../provider/endpoint/applying/recover";
import type { Step } from "../../../../provider/endpoint/applying/step";
import type { JournalEntry } from "../../../../provider/writes/journal";
import { createFakeClock } from "../../../support/fakeClock";
import { byId, endpoint, intent, stepWith, withUnreadable } from "./unanswered";

interface Look {
  readonly entry?: Partial<JournalEntry>;
  /** When the next run begins, after the killed one wrote down what it was about to create. */
  readonly begunAfterMs?: number;
  /** When a list shows the compute. */
  readonly shownAfterMs?: number;
  /** When a list shows a second one. */
  readonly secondAfterMs?: number;
  readonly limitMs?: number;
  /** How far the service's clock is ahead. */
  readonly aheadMs?: number;
  /** Ids of the computes that every list shows and that cannot be read. */
  readonly unreadable?: readonly (string | undefined)[];
}

const startMs = createFakeClock().now();

/** @returns what is found, and when the look was over, counted from the intent. */
async function lookLeft(look: Look): Promise<{ readonly id: string | undefined; readonly afterMs: number }> {
  const { entry = {}, begunAfterMs = 1_000, shownAfterMs = Infinity, limitMs = 600_000 } = look;
  const { secondAfterMs = Infinity, aheadMs = 0, unreadable = [] } = look;
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
    api: { serviceNow: () => clock.now() + aheadMs },
    lists: {
      now: () => {
        const list = byId(...shown("ep-new", shownAfterMs), ...shown("ep-second", secondAfterMs));
        return Promise.resolve(withUnreadable(list, unreadable));
      },
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

  it("is taken over by the first list that shows it, where only one POST was sent", async () => {
    await expect(lookLeft({ shownAfterMs: 1_000 })).resolves.toEqual({ id: "ep-new", afterMs: 1_000 });
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

    it("is taken over at once where the time limit is short, where its id is known, and where it is a primary", async () => {
      const short = await lookLeft({ entry: { earlier }, shownAfterMs: 1_000, limitMs: 5_000 });
      expect(short.id).toBe("ep-new");
      const known = await lookLeft({ entry: { earlier, endpointId: "ep-new" }, shownAfterMs: 1_000 });
      expect(known).toEqual({ id: "ep-new", afterMs: 1_000 });
      const primary = await lookLeft({ entry: { earlier, type: "read_write" }, shownAfterMs: 1_000 });
      expect(primary).toEqual({ id: "ep-new", afterMs: 1_000 });
    });
  });

  it("leaves the rest to the next run where the time limit is shorter", async () => {
    await expect(lookLeft({ limitMs: 30_000 })).rejects.toThrow("may still show up");
  });
});

describe("a compute that lists show and that cannot be read", () => {
  it.each<{ look: Look; reason: string }>([
    { look: { unreadable: ["ep-odd"] }, reason: "it has come since" },
    { look: { unreadable: [undefined] }, reason: "its id cannot be read either" },
    {
      look: { unreadable: ["ep-mine"], entry: { endpointId: "ep-mine" }, begunAfterMs: 600_000 },
      reason: "it is the one that the answer named",
    },
  ])("may be the one of the killed run: nothing is created, and the error names it: $reason", async (row) => {
    await expect(lookLeft(row.look)).rejects.toThrow("cannot be read");
  });

  it.each<{ look: Look; reason: string }>([
    { look: { unreadable: ["ep-before"] }, reason: "it was there before" },
    {
      look: { unreadable: ["ep-odd"], entry: { endpointId: "ep-mine" }, begunAfterMs: 600_000 },
      reason: "the answer named another one",
    },
  ])("stands in no create's way: $reason", async ({ look }) => {
    await expect(lookLeft(look)).resolves.toMatchObject({ id: undefined });
  });
});

describe("a compute that an answer named, and no list shows", () => {
  const entry = { endpointId: "ep-mine" };
  const hourMs = 3_600_000;

  it.each<{ look: Look; reason: string }>([
    { look: { entry }, reason: "it is young" },
    { look: { entry: { ...entry, window: undefined } }, reason: "as an earlier version wrote it down" },
    {
      look: { entry: { ...entry, window: { fromMs: startMs + 3 * hourMs, toMs: 0 } }, aheadMs: 3 * hourMs },
      reason: "it is young by the service's clock, which is hours ahead",
    },
  ])("is not created again while lists may be late: $reason", async ({ look }) => {
    await expect(lookLeft(look)).rejects.toThrow(
      /an earlier run of this resource created one already, and compute ep-mine is not listed yet, \d+ s after/,
    );
  });

  it("counts as deleted once lists have had the time to show it", async () => {
    await expect(lookLeft({ entry, begunAfterMs: 600_000 })).resolves.toMatchObject({ id: undefined });
  });
});
