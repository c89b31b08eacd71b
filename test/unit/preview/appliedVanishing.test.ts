import { appliedEndingOf } from "../../../preview/applied/command";
import { appliedReportOf } from "../../../preview/applied/compare";
import { readApplied } from "../../../preview/applied/read";
import { readPreview } from "../../../preview/read/preview";
import { urnOf } from "../../support/variants";
import { eventLines } from "./previews";

/** What the report after an update tells of computes whose resources are deleted or replaced. */

const args = { projectId: "p", branchId: "br-a", type: "read_write" };
const state = (id: string, more: object = {}): object => ({
  id,
  inputs: args,
  outputs: { ...args, endpointId: id, __managed: Object.keys(args) },
  ...more,
});

type Step = readonly [op: string, name: string, old: object | undefined, next?: object];

function eventsOf(steps: readonly Step[], isPreview: boolean): Buffer {
  const events = steps.map(([op, name, old, next]) => ({
    [isPreview ? "resourcePreEvent" : "resOutputsEvent"]: {
      metadata: { op, urn: urnOf("native", name, "dev"), old, new: next },
    },
  }));
  return eventLines(...events, { summaryEvent: { isPreview, result: "succeeded" } });
}

/** @returns the exit code, and one line for each compute. */
function compare(planned: readonly Step[], applied: readonly Step[]): readonly (number | string)[] {
  const preview = readPreview(eventsOf(planned, true));
  const report = appliedReportOf(readApplied(eventsOf(applied, false)), preview);
  const lines = report.computes.map(
    ({ label, happened, comparison }) => `${label}: ${happened}: ${comparison}`,
  );
  return [appliedEndingOf(report).code, ...lines];
}

it.each(["read", "read-replacement", "read-discard", "discard", "discard-replaced"])(
  "is none that the update changed where it was only read: %s",
  (op) => {
    expect(compare([], [[op, "a", state("ep-a"), state("ep-b")]])).toEqual([0]);
  },
);

const leftOver: Step = ["delete-replaced", "a", state("ep-old", { delete: true })];

it("goes on running where another resource took it over in the same update", () => {
  const adopting = { inputs: { ...args, adopt: "ep-x" } };
  const given: Step = ["delete", "giver", state("ep-x")];
  const planned: readonly Step[] = [["create", "heir", undefined, adopting], given];
  const taken: Step = ["create", "heir", undefined, { ...state("ep-x"), ...adopting }];
  expect(compare(planned, [taken, given])).toEqual([
    0,
    "heir: created: spared",
    "giver: handed over: it goes on running, as the compute of another resource: quiet",
  ]);
});

it("is deleted where an earlier replacement left it over, beside what happens to its successor", () => {
  const __receipt = { happened: "restarted", operations: "start_compute 0.4 s", mostMs: 700 };
  const restarted: Step = ["update", "a", state("ep-new"), { id: "ep-new", outputs: { __receipt } }];
  expect(compare([leftOver], [restarted, leftOver])).toEqual([
    30,
    "a: restarted (start_compute 0.4 s): not active for at most 0.7 s: unannounced",
    "a: deleted: announced",
  ]);
});

it("is replaced where this update does it, in whatever order", () => {
  const begun: Step = ["create-replacement", "a", state("ep-old"), state("ep-new")];
  const ended: Step = ["delete-replaced", "a", state("ep-old")];
  const is = [0, "a: replaced: it has a new host: announced"];
  expect(compare([begun, ended], [begun, ended])).toEqual(is);
  expect(compare([ended, begun], [ended, begun])).toEqual(is);
});

it("is replaced and interrupted by nothing where the old one is retained, as the preview says", () => {
  const old = state("ep-old", { retainOnDelete: true });
  const begun: Step = ["create-replacement", "a", old, state("ep-new")];
  const ended: Step = ["delete-replaced", "a", old];
  const text = "a: replaced: the new one has a new host, and the old one goes on running";
  expect(compare([begun, ended], [begun, ended])).toEqual([0, `${text}: quiet`]);
  expect(compare([ended, begun], [ended, begun])).toEqual([0, `${text}: quiet`]);
  const dropping: Step = ["create-replacement", "a", state("ep-old"), state("ep-new")];
  expect(compare([dropping], [begun, ended])).toEqual([0, `${text}: spared`]);
});

it("is not replaced where its own `adopt` took it over again", () => {
  const begun: Step = ["create-replacement", "a", state("ep-old"), state("ep-old")];
  expect(compare([begun, leftOver], [begun, leftOver])).toEqual([0, "a: nothing was sent: spared"]);
});
