/**
 * What was changed outside the program, as a refresh or a preview that reads first finds it. Each row is a promise, and
 * `golden/drift.txt` has what is printed; golden.test.ts has the real previews of `fixtures/drift/`.
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

/** An engine goes on filling in the state that an update will have. */
const withId = { ...step(restarts), newState: { id: "ep-app", inputs: size(2), outputs: size(2) } };
const [first, second] = [step({ name: "first" }), step({ name: "second" })];
const leftOver = step({ op: "delete", oldState: { id: "ep-old", delete: true } });
const drift = "--fail-on=drift";
const { resource_changes } = planOf({ sides: "autoscaling_limit_max_cu: 1 → 4", isAlone: true });
const ofPlan = { ...planOf(), resource_drift: resource_changes };

const rows: readonly PreviewRow[] = [
  ["what the program declares", digest([root, seen(size(1), size(2))]), drift],
  ["the same in a plan of Terraform", Buffer.from(JSON.stringify(ofPlan)), drift],
  [
    "nothing of what it does not, which is the service's own",
    digest([root, seen({}, { poolerEnabled: true })]),
  ],
  [
    "nothing of what an earlier replacement left under the same name",
    digest([root, seen(size(1), size(2)), seen(size(1), size(4), { delete: true })]),
  ],
  ["nothing of secrets that look alike", digest([root, seen(secret, secret)])],
  ["a document that counts nothing does not show what was found", digest([root, refreshed()]), drift],
  ["an update whose new state has an id is what a preview has", digest([planned, withId])],
  ["the same of a preview that reads first", digest([root, planned, refreshed(), withId])],
  ["it is drift in a refresh that also runs the program", digest([root, planned, withId])],
  ["a part of a document may be either", digest([withId])],
  [
    "a destroy that reads first deletes what it plans to delete",
    digest([root, refreshed(), step({ op: "delete" })]),
  ],
  ["nothing is undone where nobody looked", digest([step({ old: size(2), new: size(1) })])],
  [
    "nothing is undone where the program asks for a third value",
    digest([refreshed("app", { old: size(1) }), step({ old: size(2), new: size(4) })]),
  ],
  ["no all-clear where the document does not show what was found", digest([refreshed(), planned]), drift],
  ["no all-clear where nothing was read", fixture("withoutChanges.json"), drift],
  ["no all-clear where only some were read", digest([refreshed("first"), first, second]), drift],
  [
    "every compute was read, though not everything is shown",
    digest([refreshed("first"), refreshed("second"), first, second]),
    drift,
  ],
  ["there was none to read", digest([step({ op: "create" })]), drift],
  ["the other one is left over", digest([refreshed("first"), first, leftOver]), drift],
  ["one is not the program's own", digest([step({ op: "read", oldState: { external: true } })]), drift],
];

it("says of what was changed outside what its row promises", () => {
  expectKept(goldenFile("drift"), printed(rows));
});
