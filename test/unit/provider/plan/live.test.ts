/** What a compute does now: which list answers which read, what the list shows of one compute, and what a preview says. */
import { rowText } from "../../../../provider/model/notice";
import type { ComputePlace } from "../../../../provider/model/inputs";
import { listServesCreatesMs, listServesMs } from "../../../../provider/model/timing";
import { createLiveReads } from "../../../../provider/plan/live";
import { nowOf, runningOf } from "../../../../provider/service/running";
import type { Api, EndpointRef } from "../../../../provider/service/client";
import { createLists } from "../../../../provider/service/lists";
import type { ComputeScope } from "../../../../provider/service/request";
import type { ApiEndpoint } from "../../../../provider/service/schemas";
import { createFakeClock } from "../../../support/fakeClock";
import { failureAs } from "../service/scripted";

const compute = (id: string, more: Partial<ApiEndpoint> = {}): ApiEndpoint => ({
  ...{ id, project_id: "p", branch_id: "br-a", type: "read_write" },
  ...more,
});
/** The primary of br-a, its two replicas, and the primary of br-d. */
const four = [
  ...[compute("ep-a"), compute("ep-b", { type: "read_only" }), compute("ep-c", { type: "read_only" })],
  compute("ep-d", { branch_id: "br-d" }),
];

interface Service {
  readonly answerMs?: number;
  /** The id of a compute that is listed but cannot be read; null if its id cannot be read either. */
  readonly unreadable?: string | null | undefined;
  /** The error of the first list. */
  readonly failure?: Error;
}

/** A service whose lists are numbered: the first one also shows a compute `ep-1`, the second one `ep-2`. */
function open({ answerMs = 100, unreadable, failure }: Service = {}) {
  const clock = createFakeClock();
  /** The projects that were listed so far, in order. */
  const listed: string[] = [];
  const writes: (ComputeScope & { readonly atMs: number })[] = [];
  const error = failureAs("unreadable", { outcome: "unknown" });
  const api: Pick<Api, "listEndpoints" | "lastWriteMs"> = {
    lastWriteMs: ({ projectId, endpointId }) => {
      const ofProject = writes.filter((write) => write.projectId === projectId);
      const meant = ofProject.filter((write) => [undefined, endpointId].includes(write.endpointId));
      return Math.max(...meant.map(({ atMs }) => atMs));
    },
    listEndpoints: async (projectId) => {
      listed.push(projectId);
      if (listed.length === 1 && failure !== undefined) throw failure;
      const all = [compute(`ep-${listed.length}`, { branch_id: "br-n" }), ...four];
      // An answer takes a moment, and others can ask meanwhile.
      await clock.sleep(answerMs);
      const shown = new Map(all.map((each) => [each.id, each]));
      return Object.assign(
        shown,
        unreadable !== undefined && { unreadable: [{ id: unreadable ?? undefined, error }] },
      );
    },
  };
  const listComputes = createLists(api as Api, clock);
  /** Asks for a list. @returns the number of the list that answers, as `ep-1` */
  const ask = async (ageMs = 0, scope: ComputeScope = { projectId: "p" }): Promise<string | undefined> =>
    [...(await listComputes(scope, { ageMs })).keys()][0];
  /** Notes a write of this run: a change of this compute or, without a compute's id, a deletion in the project. */
  const write = (scope: ComputeScope): void => void writes.push({ ...scope, atMs: clock.monotonicMs() });
  return { clock, listed, ask, write, ...createLiveReads(listComputes, clock) };
}

describe("reads of one project", () => {
  it.each([
    { ageMs: listServesMs, waitMs: 1_500, reason: "a list serves reads for two seconds" },
    { ageMs: listServesCreatesMs, waitMs: 700, reason: "the record of a create needs a newer list" },
  ])(
    "share an answer that is $waitMs ms old, but not one that is twice as old: $reason",
    async ({ ageMs, waitMs }) => {
      const { ask, clock, listed } = open();
      const answers = [await ask(ageMs)];
      for (const ms of [waitMs, waitMs]) {
        clock.advance(ms);
        answers.push(await ask(ageMs));
      }
      expect(answers).toEqual(["ep-1", "ep-1", "ep-2"]);
      expect(listed).toEqual(["p", "p"]);
    },
  );

  it.each<[written: ComputeScope, is: string, reason: string]>([
    [{ projectId: "p", endpointId: "ep-b" }, "ep-1", "this run changed another compute"],
    [{ projectId: "p", endpointId: "ep-a" }, "ep-2", "this run changed the same compute"],
    [{ projectId: "p" }, "ep-2", "this run deleted a compute"],
    [{ projectId: "q" }, "ep-1", "this run deleted a compute of another project"],
  ])("after the write %j, are answered from the list %s: %s", async (...[written, is]) => {
    const { ask, write } = open();
    const ofA = { projectId: "p", endpointId: "ep-a" };
    await ask(listServesMs, ofA);
    write(written);
    expect(await ask(listServesMs, ofA)).toBe(is);
  });

  it("take an answered list at once even if a newer one is on its way", async () => {
    const { ask, clock } = open();
    await ask();
    const newer = ask();
    const askedMs = clock.monotonicMs();
    expect(await ask(listServesMs)).toBe("ep-1");
    expect(clock.monotonicMs()).toBe(askedMs);
    expect([await newer, await ask(listServesMs)]).toEqual(["ep-2", "ep-2"]);
  });

  it("that need the present state get a list that was requested after they asked", async () => {
    const { ask, clock } = open();
    const first = ask();
    await clock.sleep(50); // the first is on its way
    expect(await Promise.all([first, ask()])).toEqual(["ep-1", "ep-2"]);
  });

  it.each([
    { afterMs: 5, reason: "sent in the same instant" },
    { afterMs: 50, reason: "on its way at that moment" },
  ])("never share a list that overlaps with a deletion: $reason", async ({ afterMs }) => {
    const { ask, write, clock } = open();
    const before = ask(listServesMs);
    await clock.sleep(afterMs);
    write({ projectId: "p" });
    expect(await Promise.all([before, ask(listServesMs)])).toEqual(["ep-1", "ep-2"]);
  });

  it("do not share a failure with later reads", async () => {
    const failure = new Error("the service is away");
    const { ask } = open({ failure });
    await expect(ask(listServesMs)).rejects.toBe(failure);
    expect(await ask(listServesMs)).toBe("ep-2");
  });
});

describe("a preview's read of one compute", () => {
  type By = Pick<EndpointRef, "endpointId"> | Pick<ComputePlace, "branchId" | "type">;
  type Row = [by: By, is: string, reason: string, unreadable?: string | null];
  it.each<Row>([
    [{ branchId: "br-a", type: "read_only" }, "unsure", "two computes match"],
    [{ endpointId: "ep-x" }, "unsure", "the compute cannot be read", "ep-x"],
    [{ endpointId: "ep-x" }, "unsure", "a compute whose id cannot be read may be this one", null],
    [{ endpointId: "ep-x" }, "missing", "another compute cannot be read", "ep-y"],
    [
      { branchId: "br-d", type: "read_only" },
      "unsure",
      "a compute that cannot be read may be this one",
      "ep-y",
    ],
  ])("looks for it in the list: %j is %s: %s", async (...[by, is, , unreadable]) => {
    const read = await open({ unreadable }).readLive({ projectId: "p", ...by });
    expect(read.kind === "found" ? read.endpoint.id : read.kind).toBe(is);
  });

  const ofA = { projectId: "p", endpointId: "ep-a" };
  it("says once for all projects that the service takes too long, and what to do", async () => {
    const { readLive, takeFailures } = open({ answerMs: 10_001 });
    for (const projectId of ["p", "q"]) await readLive({ ...ofA, projectId });
    const text =
      "The service could not be asked, so the project's computes were not checked: listing the computes of project p: no answer within 10 s. Run `pulumi preview` again.";
    expect(takeFailures()).toMatchObject([{ error: { message: text }, isRefusal: false }]);
    expect(takeFailures()).toEqual([]);
  });

  it.each([
    { answerMs: 15_000, laterMs: 29_999, lists: ["p"], reason: "computes of one preview must not each wait" },
    { answerMs: 15_000, laterMs: 30_000, lists: ["p", "p"], reason: "the service may have recovered" },
    { answerMs: 15_000, laterMs: 0, then: "q", lists: ["p", "q"], reason: "another project may answer" },
  ])("and an unanswered read $laterMs ms earlier list the projects $lists: $reason", async (row) => {
    const { readLive, clock, listed } = open(row);
    await readLive(ofA);
    clock.advance(row.laterMs);
    await readLive({ ...ofA, projectId: row.then ?? "p" });
    expect(listed).toEqual(row.lists);
  });
});

it.each([
  ["active", "its suspend failed", { current_state: "active", disabled: true }],
  ["active", "it is waking up", { current_state: "idle", pending_state: "active" }],
  ["active", "it still serves", { current_state: "active", pending_state: "idle" }],
  [undefined, "the flag alone does not show what runs", { current_state: "init", disabled: true }],
  [undefined, "an unknown state", { current_state: "thawing" }],
])("a compute is %s: %s", (running, _reason, more) => {
  expect(runningOf(compute("ep-a", more))).toBe(running);
});

const nowMs = Date.UTC(2026, 0, 5, 8);
it.each<[says: string, agoMs?: number | undefined, more?: Partial<ApiEndpoint>]>([
  ["", undefined, { current_state: "init" }],
  [" (compute active now)", undefined, { last_active: "soon" }],
  [" (compute active now)", -1],
  [" (compute active now, last access under a minute ago)", 0],
  [" (compute active now, last access under a minute ago)", 59_999],
  [" (compute active now, last access 1 min ago)", 60_000],
  [" (compute active now, last access 2 h ago)", 120 * 60_000],
])("a row ends with %j, %s ms after the last activity", (...[says, agoMs, more]) => {
  const at = agoMs === undefined ? undefined : new Date(nowMs - agoMs).toISOString();
  const now = nowOf(
    compute("ep-a", { current_state: "active", ...(at && { last_active: at }), ...more }),
    nowMs,
  );
  expect(rowText("drops open connections", { now })).toBe(`drops open connections${says}`);
});
