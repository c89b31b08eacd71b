import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { beginAttempt, workOf } from "../../../../provider/endpoint/applying/attempt";
import type { Services, Step } from "../../../../provider/endpoint/applying/step";
import { RequestError } from "../../../../provider/errors";
import type { JournalEntry } from "../../../../provider/writes/journal";
import { trackPendingCreates } from "../../../../provider/writes/pendingCreates";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";
import { ownershipWith } from "../../../support/ownership";

const minuteMs = 60_000;

interface Bed {
  readonly clock: FakeClock;
  readonly written: JournalEntry[];
  readonly attempt: ReturnType<typeof beginAttempt>;
  readonly services: Services;
  /** Sends the POST; it is answered at once. */
  readonly send: () => Promise<unknown>;
  /** Sends the POST; it ends without a compute. @param forMs - how long it takes. */
  readonly fail: (outcome: "refused" | "unknown", forMs?: number) => Promise<unknown>;
  /** What a compute is that the service stamps so long after the attempt was begun. */
  readonly made: (afterMs: number) => ReturnType<typeof workOf>;
}

/** @param aheadMs - how far the service's clock is ahead of ours; "untold" where it tells no time. */
function openAttempt(aheadMs: number | "untold" = 0): Bed {
  const clock = createFakeClock();
  const written: JournalEntry[] = [];
  const services = {
    clock,
    ownership: ownershipWith(),
    pendingCreates: trackPendingCreates(),
    api: { serviceNow: () => (aheadMs === "untold" ? undefined : clock.now() + aheadMs) },
    journal: {
      write: (entry: JournalEntry) => {
        written.push(entry);
        return Promise.resolve();
      },
      clear: () => {
        written.length = 0;
        return Promise.resolve();
      },
    },
  } as unknown as Services;
  const begunAtMs = clock.now();
  const attempt = beginAttempt(
    { services, resource: { id: "urn:a", title: "a", secrets: ["branchId"] } } as unknown as Step,
    {
      owner: "a".repeat(32),
      projectId: "p",
      branchId: "br-a",
      type: "read_only",
      baseline: [],
      sent: {},
      intentAtMs: begunAtMs,
    },
  );
  const made = (afterMs: number): ReturnType<typeof workOf> => {
    const created_at = new Date(begunAtMs + (aheadMs === "untold" ? 0 : aheadMs) + afterMs).toISOString();
    const endpoint: ApiEndpoint = {
      id: "ep-a",
      project_id: "p",
      branch_id: "br-a",
      type: "read_only",
      created_at,
    };
    return workOf(written.at(-1) ?? attempt.entry(), endpoint);
  };
  const send = (): Promise<unknown> =>
    attempt.post(() =>
      Promise.resolve({
        endpoint: { id: "ep-a", project_id: "p", branch_id: "br-a", type: "read_only" },
        operations: [],
      }),
    );
  const fail: Bed["fail"] = (outcome, forMs = 0) => {
    const error = new RequestError(
      { doing: "creating", what: "it failed", fix: "Look" },
      { kind: "conflict", outcome },
    );
    const failed = attempt.post(() => {
      clock.advance(forMs);
      return Promise.reject(error);
    });
    return expect(failed).rejects.toBe(error);
  };
  return { clock, written, attempt, services, send, fail, made };
}

describe("an attempt to create a compute", () => {
  it.each([0, 3 * 60 * minuteMs, -3 * 60 * minuteMs])(
    "may be carried out for one request, and not for the whole timeout: the service's clock is %d ms ahead",
    async (aheadMs) => {
      const { made, send } = openAttempt(aheadMs);
      await send();
      expect([-3_001, -3_000, 0, 63_000, 63_001, 123_000, 123_001].map(made)).toEqual([
        "no",
        "certain",
        "certain",
        "certain",
        "possible",
        "possible",
        "no",
      ]);
    },
  );

  it("is over with its request: what comes later is not proven any more", async () => {
    const { made, fail } = openAttempt();
    await fail("unknown", 2_000);
    expect([0, 5_000, 5_001, 65_000, 65_001].map(made)).toEqual([
      "certain",
      "certain",
      "possible",
      "possible",
      "no",
    ]);
  });

  it("begins when the request leaves, however long it waited for its turn", async () => {
    const { clock, written, made, send } = openAttempt();
    clock.advance(5 * minuteMs);
    expect(written).toEqual([]);
    await send();
    expect([minuteMs, 5 * minuteMs].map(made)).toEqual(["no", "certain"]);
  });

  it("is written down once, and again where it had to wait", async () => {
    const { clock, written, made, send } = openAttempt();
    await send();
    await send();
    expect(written).toHaveLength(1);
    clock.advance(2 * minuteMs);
    await send();
    expect([0, 2 * minuteMs].map(made)).toEqual(["no", "certain"]);
  });

  it("is still open where it is sent again and nobody knows of the first time", async () => {
    const { clock, made, fail, send } = openAttempt();
    await fail("unknown");
    clock.advance(15_000);
    await send();
    expect([0, 15_000].map(made)).toEqual(["certain", "certain"]);
  });

  it("has not made what appeared between a POST without an answer and one that was refused", async () => {
    const { clock, made, fail } = openAttempt();
    await fail("unknown");
    clock.advance(15_000);
    await fail("refused");
    expect([0, 3_000, 10_000, 15_000].map(made)).toEqual(["certain", "certain", "possible", "possible"]);
  });

  it("may not have made what appeared between two POSTs", async () => {
    const { clock, made, fail, send } = openAttempt();
    await fail("unknown");
    clock.advance(15_000);
    await send();
    expect([0, 10_000, 15_000].map(made)).toEqual(["certain", "possible", "certain"]);
  });

  it("is not in the journal while a POST that was refused waits to be sent again", async () => {
    const { written, fail } = openAttempt();
    await fail("refused");
    expect(written).toEqual([]);
  });

  it("leaves more room where the service tells no time", async () => {
    const { made, send } = openAttempt("untold");
    await send();
    expect([-5 * minuteMs, 6 * minuteMs].map(made)).toEqual(["certain", "certain"]);
  });

  it("is written down with what is secret as a hash, and with nothing but the id once that is known", async () => {
    const { attempt, written, send } = openAttempt();
    await send();
    expect(JSON.stringify(written)).not.toContain("br-a");
    await attempt.named("ep-a");
    expect(written.at(-1)).toMatchObject({ endpointId: "ep-a", baseline: [], sent: undefined });
  });

  it("is one in memory and in the journal, and its compute is the resource's once the POST is answered", async () => {
    const { attempt, services, send } = openAttempt();
    const { ownership, pendingCreates } = services;
    const holder = (): ReturnType<typeof ownership.holderOf> =>
      ownership.holderOf({ projectId: "p", endpointId: "ep-a" }, { owner: "b" });
    const { owner } = attempt.entry();
    expect(pendingCreates.isClear(owner)).toBe(true);
    await expect(attempt.post(() => Promise.reject(new Error("no answer")))).rejects.toThrow("no answer");
    expect(pendingCreates.isClear(owner)).toBe(false);
    await expect(holder()).resolves.toBeUndefined();
    await send();
    expect(pendingCreates.isClear(owner)).toBe(true);
    await expect(holder()).resolves.toMatchObject({ source: "process", holder: { id: "urn:a" } });
  });
});
