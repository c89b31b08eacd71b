import type { ApiEndpoint } from "../../../../provider/service/schemas";
import {
  createLiveReads,
  type ComputeDescription,
  type LiveRead,
  type FailedRead,
} from "../../../../provider/plan/live";
import { nowOf, runningOf } from "../../../../provider/plan/running";
import { rowText } from "../../../../provider/model/notice";
import type { Api, EndpointsById } from "../../../../provider/service/client";
import { createLists } from "../../../../provider/service/lists";
import { RequestError } from "../../../../provider/model/errors";
import { listJoinMs } from "../../../../provider/model/timing";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

const nowMs = Date.UTC(2026, 0, 5, 8);

function compute(id: string, more: Partial<ApiEndpoint> = {}): ApiEndpoint {
  return { id, project_id: "p", branch_id: "br-a", type: "read_write", ...more };
}

/** A list that also shows a compute which cannot be read. @param id - undefined for an id that cannot be read either. */
function withUnreadable(endpoint: ApiEndpoint, id: string | undefined): EndpointsById {
  const problem = { doing: "listing", what: "a compute cannot be read", fix: "Look" };
  const error = new RequestError(problem, { kind: "unreadable", outcome: "unknown" });
  return Object.assign(new Map([[endpoint.id, endpoint]]), { unreadable: [{ id, error }] });
}

interface Looking {
  readonly look: (compute: Partial<ComputeDescription>) => Promise<LiveRead>;
  readonly clock: FakeClock;
  readonly lists: string[];
  readonly takeFailures: () => readonly FailedRead[];
}

/** @param answerMs - how long the service takes; an error where it fails. */
function lookingAt(endpoints: readonly ApiEndpoint[] | EndpointsById | Error, answerMs = 0): Looking {
  const clock = createFakeClock();
  const lists: string[] = [];
  const api: Pick<Api, "listEndpoints" | "lastWriteMs"> = {
    lastWriteMs: () => -Infinity,
    listEndpoints: async (projectId) => {
      lists.push(projectId);
      if (answerMs > 0) await clock.sleep(answerMs);
      if (endpoints instanceof Error) throw endpoints;
      if (endpoints instanceof Map) return endpoints;
      return new Map((endpoints as readonly ApiEndpoint[]).map((endpoint) => [endpoint.id, endpoint]));
    },
  };
  const listComputes = createLists(api as Api, clock);
  const { readLive: look, takeFailures } = createLiveReads(listComputes, clock);
  return { clock, lists, takeFailures, look: (described) => look({ projectId: "p", ...described }) };
}

describe("a live look", () => {
  const primary = compute("ep-a");
  const replicas = [compute("ep-b", { type: "read_only" }), compute("ep-c", { type: "read_only" })];
  const elsewhere = compute("ep-d", { branch_id: "br-b" });

  it.each<{ by: Partial<ComputeDescription>; seen: LiveRead; reason: string }>([
    { by: { endpointId: "ep-b" }, seen: { kind: "found", endpoint: replicas[0]! }, reason: "by its id" },
    { by: { endpointId: "ep-none" }, seen: { kind: "missing" }, reason: "no such id" },
    {
      by: { endpointId: "ep-d", branchId: "br-a", type: "read_write" },
      seen: { kind: "found", endpoint: elsewhere },
      reason: "the id counts, wherever it has moved",
    },
    {
      by: { branchId: "br-a", type: "read_write" },
      seen: { kind: "found", endpoint: primary },
      reason: "the only one of its branch and type",
    },
    { by: { branchId: "br-a", type: "read_only" }, seen: { kind: "unsure" }, reason: "two fit" },
    { by: { branchId: "br-b", type: "read_only" }, seen: { kind: "missing" }, reason: "none fits" },
  ])("tells one compute from others: $reason", async ({ by, seen }) => {
    const { look } = lookingAt([primary, ...replicas, elsewhere]);
    await expect(look(by)).resolves.toEqual(seen);
  });

  it.each<{ by: Partial<ComputeDescription>; unreadable: string | undefined; kind: string; reason: string }>([
    { by: { endpointId: "ep-x" }, unreadable: "ep-x", kind: "unsure", reason: "it is there" },
    { by: { endpointId: "ep-x" }, unreadable: undefined, kind: "unsure", reason: "it may be the one" },
    { by: { endpointId: "ep-x" }, unreadable: "ep-y", kind: "missing", reason: "that is another one" },
    {
      by: { branchId: "br-b", type: "read_only" },
      unreadable: "ep-y",
      kind: "unsure",
      reason: "it may be it",
    },
    { by: { endpointId: "ep-a" }, unreadable: undefined, kind: "found", reason: "the other one is shown" },
  ])("is $kind where a list shows a compute that cannot be read: $reason", async (row) => {
    const { look } = lookingAt(withUnreadable(primary, row.unreadable));
    await expect(look(row.by)).resolves.toMatchObject({ kind: row.kind });
  });

  it.each([
    { answerMs: 9_990, kind: "found", reason: "in time" },
    { answerMs: 9_996, kind: "unanswered", reason: "a preview waits ten seconds and no longer" },
  ])("is $kind after $answerMs ms: $reason", async ({ answerMs, kind }) => {
    const { look, clock } = lookingAt([primary], answerMs);
    await expect(look({ endpointId: "ep-a" })).resolves.toMatchObject({ kind });
    expect(clock.monotonicMs()).toBe(Math.min(answerMs + listJoinMs, 10_000));
  });

  it("says once of all projects that the service takes too long, and what to do", async () => {
    const { look, takeFailures } = lookingAt([primary], 10_001);
    await look({ endpointId: "ep-a" });
    await look({ projectId: "q", endpointId: "ep-a" });
    const text =
      "The service could not be asked, so nothing was checked there: listing the computes of project p: no answer within 10 s. Run `pulumi preview` again.";
    expect(takeFailures()).toEqual([{ text, isRefusal: false }]);
    expect(takeFailures()).toEqual([]);
  });

  it.each([
    { answerMs: 15_000, laterMs: 29_999, lists: ["p"], reason: "computes of one preview must not each wait" },
    { answerMs: 15_000, laterMs: 30_000, lists: ["p", "p"], reason: "the service may be well again" },
    { answerMs: 15_000, laterMs: 0, then: "q", lists: ["p", "q"], reason: "another project may answer" },
    { answerMs: 0, laterMs: 2_000, lists: ["p", "p"], reason: "it answered in time" },
  ])("asks again $laterMs ms after an answer of $answerMs ms, or not: $reason", async (row) => {
    const { look, clock, lists } = lookingAt([primary], row.answerMs);
    await look({ endpointId: "ep-a" });
    clock.advance(row.laterMs);
    await look({ projectId: row.then ?? "p", endpointId: "ep-a" });
    expect(lists).toEqual(row.lists);
  });
});

describe("runningOf", () => {
  it.each([
    ["active", "it serves connections", { current_state: "active" }],
    ["idle", "nobody has been there for a while", { current_state: "idle" }],
    ["disabled", "it will not wake", { current_state: "idle", disabled: true }],
    ["active", "its suspend failed", { current_state: "active", disabled: true }],
    ["active", "it wakes", { current_state: "idle", pending_state: "active" }],
    ["active", "it starts", { current_state: "init", pending_state: "active" }],
    ["active", "it still serves", { current_state: "active", pending_state: "idle" }],
    [undefined, "the flag alone says nothing of what runs", { current_state: "init", disabled: true }],
    [undefined, "nor does it where the service says no more", { disabled: true }],
    [undefined, "on its way", { current_state: "init" }],
    [undefined, "a state that nobody told us of", { current_state: "thawing" }],
    [undefined, "the service does not say", {}],
    [undefined, "enabled is not running", { disabled: false }],
  ])("is %s: %s", (running, _reason, more) => {
    expect(runningOf(compute("ep-a", more))).toBe(running);
  });
});

describe("nowOf", () => {
  const agoMs = (ms: number): Partial<ApiEndpoint> => ({
    current_state: "active",
    last_active: new Date(nowMs - ms).toISOString(),
  });

  it.each<{ more: Partial<ApiEndpoint>; says: string }>([
    { more: { current_state: "idle" }, says: "idle now: none is open" },
    { more: { current_state: "init" }, says: "" },
    { more: { current_state: "active" }, says: "active now" },
    { more: { current_state: "active", last_active: "soon" }, says: "active now" },
    { more: agoMs(-1), says: "active now" },
    { more: agoMs(0), says: "active now, last access under a minute ago" },
    { more: agoMs(59_999), says: "active now, last access under a minute ago" },
    { more: agoMs(60_000), says: "active now, last access 1 min ago" },
    { more: agoMs(119 * 60_000), says: "active now, last access 119 min ago" },
    { more: agoMs(120 * 60_000), says: "active now, last access 2 h ago" },
    { more: agoMs(49 * 3_600_000), says: "active now, last access 49 h ago" },
  ])("says $says", ({ more, says }) => {
    const facts = says === "" ? "" : ` (${says})`;
    const now = nowOf(compute("ep-a", more), nowMs);
    const notice = { property: "deferred", text: "drops open connections", now } as const;
    expect(rowText(notice)).toBe(`deferred drops open connections${facts}`);
  });
});
