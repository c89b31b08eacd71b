/**
 * Changes outside the program, found by a refresh or by a preview that reads first. Each row is a promise, and
 * `golden/drift.txt` has the output; golden.test.ts has the real previews of `fixtures/drift/`.
 */
import { expectKept } from "../../support/kept";
import { planOf } from "./peers/others";
import {
  digest,
  fixture,
  goldenFile,
  printed,
  restarts,
  size,
  step,
  type PreviewRow,
  type StepParts,
} from "./previews";

const root = { op: "refresh", urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev" };
const planned = { ...root, op: "same" };
const refreshed = (name = "app", more: StepParts = {}): object => step({ op: "refresh", name, ...more });

const managed = Object.keys(size(1));
const seen = (before: object, after: object, more: object = {}): object => ({
  ...step({}),
  oldState: { id: "ep-app", outputs: { __managed: managed, ...before }, ...more },
  newState: { id: "ep-app", outputs: { __managed: managed, ...before, ...after } },
});
const secret = { autoscalingLimitMinCu: "[secret]" };

/** A planned update can have an id: the engine fills in its new state while the preview runs. */
const withId = { ...step(restarts), newState: { id: "ep-app", inputs: size(2), outputs: size(2) } };
const [first, second] = [step({ name: "first" }), step({ name: "second" })];
const leftOver = step({ op: "delete", oldState: { id: "ep-old", delete: true } });
const drift = "--fail-on=drift";
const { resource_changes } = planOf({ sides: "autoscaling_limit_max_cu: 1 → 4", isAlone: true });
const ofPlan = { ...planOf(), resource_drift: resource_changes };

const rows: readonly PreviewRow[] = [
  ["a changed argument is drift if the program declares it", digest([root, seen(size(1), size(2))]), drift],
  ["a changed attribute is drift in a plan of Terraform too", Buffer.from(JSON.stringify(ofPlan)), drift],
  [
    "a changed argument is not drift if the program does not declare it: the service sets it",
    digest([root, seen({}, { poolerEnabled: true })]),
  ],
  [
    "a compute left by an earlier replacement under the same name is not drift",
    digest([root, seen(size(1), size(2)), seen(size(1), size(4), { delete: true })]),
  ],
  ["secrets that look alike are not drift", digest([root, seen(secret, secret)])],
  [
    "a document without a summary of changes does not show what the refresh found",
    digest([root, refreshed()]),
    drift,
  ],
  ["an update is still planned if its new state has an id", digest([planned, withId])],
  [
    "the same update is still planned after a refresh in the same preview",
    digest([root, planned, refreshed(), withId]),
  ],
  ["in a refresh that also runs the program, the same update is drift", digest([root, planned, withId])],
  [
    "if the document contains only that update, it may be planned or be drift, so both are shown",
    digest([withId]),
  ],
  [
    "a deletion that a destroy plans after its refresh is not drift",
    digest([root, refreshed(), step({ op: "delete" })]),
  ],
  ["without a refresh, no change is shown as undoing drift", digest([step({ old: size(2), new: size(1) })])],
  [
    "a change to a third value does not undo drift",
    digest([refreshed("app", { old: size(1) }), step({ old: size(2), new: size(4) })]),
  ],
  [
    "--fail-on drift refuses a document that does not show what the refresh found",
    digest([refreshed(), planned]),
    drift,
  ],
  ["--fail-on drift refuses a preview that refreshed nothing", fixture("withoutChanges.json"), drift],
  [
    "--fail-on drift refuses a preview that refreshed only some computes",
    digest([refreshed("first"), first, second]),
    drift,
  ],
  [
    "--fail-on drift passes a preview that refreshed every compute, even if the document does not show everything",
    digest([refreshed("first"), refreshed("second"), first, second]),
    drift,
  ],
  [
    "--fail-on drift refuses several stacks if one of them was not refreshed",
    { "read.json": digest([refreshed("first"), first]), "unread.json": fixture("withoutChanges.json") },
    ...["read.json", "unread.json", drift],
  ],
  ["--fail-on drift passes a preview without a compute to refresh", digest([step({ op: "create" })]), drift],
  [
    "a compute left by an earlier replacement need not be refreshed",
    digest([refreshed("first"), first, leftOver]),
    drift,
  ],
  [
    "a compute that the program only reads need not be refreshed",
    digest([step({ op: "read", oldState: { external: true } })]),
    drift,
  ],
];

it("compute-preview reports drift as each row promises", () => {
  expectKept(goldenFile("drift"), printed(rows));
});
