import { deadlineIn } from "../../../../provider/clock";
import { lookForCreated } from "../../../../provider/endpoint/applying/recover";
import type { Step } from "../../../../provider/endpoint/applying/step";
import type { EndpointsById } from "../../../../provider/endpoint/listed";
import { RequestError } from "../../../../provider/errors";
import { createFakeClock } from "../../../support/fakeClock";
import { byId, endpoint, intent, stepWith, withUnreadable } from "./unanswered";

describe("lookForCreated", () => {
  const unanswered = new RequestError(
    { doing: "creating", what: "no answer", fix: "Look" },
    { kind: "connection", outcome: "unknown" },
  );
  const refused = (retryAfterMs?: number): RequestError =>
    new RequestError(
      { doing: "creating", what: "the service answered 503", fix: "Wait" },
      { kind: "busy", outcome: "unknown", retryAfterMs },
    );

  /** @param lists - what each look shows, or how it fails; the last one repeats. */
  async function wait(
    error: RequestError,
    { lists = [byId()] as readonly (EndpointsById | Error)[], limitMs = 600_000 } = {},
  ): Promise<{ sleeps: readonly number[]; seen: string }> {
    const clock = createFakeClock();
    let looks = 0;
    const now = (): Promise<EndpointsById> => {
      const list = lists[Math.min(looks++, lists.length - 1)]!;
      return list instanceof Error ? Promise.reject(list) : Promise.resolve(list);
    };
    const services = {
      ...stepWith().services,
      clock,
      lists: { now },
    };
    const resource = { row: { progress: () => undefined } };
    const step = { services, resource, deadline: deadlineIn(limitMs, clock) } as unknown as Step;
    const seen = await lookForCreated(step, intent, error);
    return { sleeps: clock.sleeps, seen: typeof seen === "object" ? seen.done.id : seen };
  }

  const shown = byId(endpoint("ep-new"));

  const looks = [500, 1_000, 2_000, 4_000, 7_500];

  it.each([
    { error: unanswered, sleeps: looks, reason: "it may still show up" },
    { error: refused(), sleeps: looks, reason: "something in front of the service may have said no" },
    { error: refused(16_500), sleeps: [...looks, 1_500], reason: "it asks to wait longer" },
    { error: refused(15_000), sleeps: looks, reason: "it asks for no longer wait than that" },
    { error: refused(1e9), sleeps: [...looks, 45_000], reason: "a minute is the longest" },
  ])("looks for what the create may have made, and gives up after $sleeps: $reason", async (row) => {
    await expect(wait(row.error)).resolves.toEqual({ sleeps: row.sleeps, seen: "not done" });
  });

  it.each([
    { limitMs: 3_500, error: unanswered, sleeps: [500, 1_000, 2_000], reason: "the next run goes on" },
    { limitMs: 0, error: unanswered, sleeps: [500], reason: "one look is always taken" },
    { limitMs: 20_000, error: refused(60_000), sleeps: [...looks, 5_000], reason: "not beyond the limit" },
    { limitMs: 1_000, error: refused(60_000), sleeps: [500, 1_000, 0], reason: "the limit has passed" },
  ])("keeps to a limit of $limitMs ms: $reason", async ({ limitMs, error, sleeps }) => {
    await expect(wait(error, { limitMs })).resolves.toMatchObject({ sleeps });
  });

  it("stops looking once it has found it", async () => {
    await expect(wait(unanswered, { lists: [byId(), shown] })).resolves.toEqual({
      sleeps: [500, 1_000],
      seen: "ep-new",
    });
  });

  it.each([
    { id: "ep-odd", seen: "cannot tell", reason: "it may be the one" },
    { id: "ep-before", seen: "not done", reason: "it was there before" },
  ])("says $seen where lists show a compute that cannot be read: $reason", async ({ id, seen }) => {
    await expect(wait(unanswered, { lists: [withUnreadable(byId(), [id])] })).resolves.toMatchObject({
      seen,
    });
  });

  it("goes on where a look fails, and says whether any was answered", async () => {
    const failed = new Error("no answer");
    await expect(wait(unanswered, { lists: [failed, shown] })).resolves.toMatchObject({ seen: "ep-new" });
    await expect(wait(refused(), { lists: [failed] })).resolves.toMatchObject({ seen: "cannot tell" });
    await expect(wait(refused(), { lists: [byId(), failed] })).resolves.toMatchObject({ seen: "not done" });
  });
});
