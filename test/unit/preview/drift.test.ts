/** What was changed outside the program, as a refresh or a preview that reads first finds it. */
import type { Report } from "../../../preview/shape";
import { isQuiet } from "../../../preview/judge/stacks";
import { verdictOn } from "../../../preview/judge/verdict";
import { notesOf } from "../../../preview/render/words";
import {
  commentOn,
  fixture,
  fixtureReport,
  reportOn,
  restarts,
  runPreview,
  size,
  step,
  type Ran,
  type StepParts,
} from "./previews";

const outlines = ({ computes }: Report): readonly string[] =>
  computes.map(({ name, outcome, drift }) => {
    const size = `${String(drift?.size?.from)} → ${String(drift?.size?.to)}`;
    return `${name} ${outcome} ${drift?.gone === true ? "gone" : size}`;
  });

const ofDrift = (name: string): Ran => runPreview(["--fail-on", "drift"], fixture(name));
const root = { op: "refresh", urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev" };
const refreshed = (name = "app", more: StepParts = {}): object => step({ op: "refresh", name, ...more });

describe("a refresh that is previewed", () => {
  it.each(["drift/dynamicRefresh.ndjson", "drift/nativeRefresh.json"])(
    "tells what was changed and what is gone: %s",
    (name) => {
      const report = fixtureReport(name);
      expect(outlines(report)).toEqual(["removed gone gone", "both drift 1 → 2", "resized drift 1 → 2"]);
      expect(report).toMatchObject({ refresh: true, unseenRefreshes: 0, unseenChanges: null, failed: false });
      const line = "3 computes changed outside the program, and no open connections drop";
      expect(report.verdict.line).toBe(line);
      const err = `compute-preview: Refused: ${line}\n3 computes changed outside, which this check does not allow (--fail-on drift). To undo that, run pulumi up --refresh; to keep it, change the program.\n`;
      expect(ofDrift(name)).toMatchObject({ code: 27, err });
    },
  );

  it("tells of a dynamic provider's document what is gone, and how many changed besides", () => {
    const report = fixtureReport("drift/dynamicRefresh.json");
    expect(outlines(report)).toEqual(["removed gone gone"]);
    expect(report).toMatchObject({ refresh: true, unseenRefreshes: 3, unseenChanges: 2 });
    expect(notesOf(report, (text) => text)).toEqual([
      "3 computes were refreshed, 2 resources changed outside, and this form of the preview does not show which: the events do (PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true).",
    ]);
    expect(ofDrift("drift/dynamicRefresh.json").code).toBe(27);
    const clean = { ...report, computes: [] };
    const { line } = verdictOn({ reports: [clean], failOn: [] });
    expect(line).toBe("what changed outside the program is not shown");
    expect([isQuiet(clean), isQuiet(fixtureReport("refresh.json"))]).toEqual([false, true]);
  });

  it.each(["drift/dynamicRefreshClean.json", "drift/nativeRefreshClean.json"])(
    "is an all-clear where the engine counts no change, in the document too: %s",
    (name) => {
      const report = fixtureReport(name);
      expect(report).toMatchObject({ refresh: true, computes: [], unseenRefreshes: 0, unseenChanges: null });
      expect(report.verdict.line).toBe("no compute changed outside the program");
      expect(ofDrift(name)).toMatchObject({ code: 0, err: "" });
    },
  );

  const managed = Object.keys(size(1));
  const seen = (before: object, after: object, more: object = {}): object => ({
    ...step({}),
    oldState: { id: "ep-app", outputs: { __managed: managed, ...before }, ...more },
    newState: { id: "ep-app", outputs: { __managed: managed, ...before, ...after } },
  });
  const secret = { autoscalingLimitMinCu: "[secret]" };
  it.each<[reason: string, steps: readonly object[], is: readonly string[]]>([
    ["what the program declares", [seen(size(1), size(2))], ["app drift 1 → 2"]],
    ["nothing of what it does not, which is the service's own", [seen({}, { poolerEnabled: true })], []],
    [
      "nothing of what an earlier replacement left under the same name",
      [seen(size(1), size(2)), seen(size(1), size(4), { delete: true })],
      ["app drift 1 → 2"],
    ],
    ["nothing of secrets that look alike", [seen(secret, secret)], []],
  ])("tells %s", (_reason, steps, is) => {
    expect(outlines(reportOn([root, ...steps]))).toEqual(is);
  });
});

it.each<[reason: string, beside: readonly object[], is: readonly string[]]>([
  ["a preview", [{ ...root, op: "same" }], ["app restart undefined → undefined"]],
  [
    "a preview that reads first",
    [root, { ...root, op: "same" }, refreshed()],
    ["app restart undefined → undefined"],
  ],
  ["a refresh that also runs the program", [root, { ...root, op: "same" }], ["app drift 1 → 2"]],
  ["a part of a document, which may be either", [], ["app restart 1 → 2"]],
])("an update whose new state has an id is what %s has", (_reason, beside, is) => {
  const planned = { ...step(restarts), newState: { id: "ep-app", inputs: size(2), outputs: size(2) } };
  expect(outlines(reportOn([...beside, planned]))).toEqual(is);
});

it("a destroy that reads first and leaves the stack deletes what it plans to delete", () => {
  const report = reportOn([root, refreshed(), step({ op: "delete" })]);
  expect(report).toMatchObject({ refresh: false, computes: [{ outcome: "delete", drops: "yes" }] });
});

describe("a preview that reads first", () => {
  const names = ["dynamic", "native"].flatMap((variant) =>
    ["json", "ndjson"].map((form) => `drift/${variant}PreviewRefresh.${form}`),
  );

  it.each(names)("tells what the program changes apart from what was changed by hand: %s", (name) => {
    const report = fixtureReport(name);
    expect(report.refresh).toBe(false);
    const is = ["both restart 1 → 2", "resized restart 1 → 2", "removed create gone"];
    expect(outlines(report)).toEqual(is);
    const undone = report.computes[0]!.changes.filter(({ undoes }) => undoes);
    expect(undone.map(({ argument }) => argument)).toEqual(Object.keys(size(1)));
    expect(notesOf(report, (text) => text)[0]).toBe("Only to undo what was changed outside: resized.");
    expect(commentOn(report)).toContain(
      "| size: 2 → 1 CU (undoes a change made outside)<br>`suspendTimeoutSeconds`: 0 → 600<br>changed outside: size: 1 → 2 CU |",
    );
    expect(ofDrift(name).code).toBe(27);
  });

  it.each<[reason: string, drift: string, ...steps: readonly object[]]>([
    ["nobody looked", "undefined", step({ old: size(2), new: size(1) })],
    [
      "the program asks for a third value",
      "1",
      refreshed("app", { old: size(1) }),
      step({ old: size(2), new: size(4) }),
    ],
  ])("undoes nothing where %s", (_reason, from, ...steps) => {
    const [compute] = reportOn(steps).computes;
    expect(String(compute!.drift?.size?.from)).toBe(from);
    expect(compute!.changes.some(({ undoes }) => undoes)).toBe(false);
  });

  it("is no all-clear for drift where the document does not show what was found", () => {
    const report = reportOn([refreshed(), { ...root, op: "same" }]);
    expect(report).toMatchObject({ unseenRefreshes: 1, unseenChanges: null });
    expect(ofDrift("refresh.json").err).toContain("PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true");
  });

  it.each(["withoutChanges.json", "changes.json", "changes.ndjson"])(
    "is no all-clear for drift where nothing was read: %s",
    (name) => {
      const { code, err } = ofDrift(name);
      expect(code).toBe(27);
      expect(err).toMatch(
        /^compute-preview: Refused: whether a compute changed outside, which --fail-on drift refuses, was not looked for[^\n]*\nPreview with --refresh\.\n/,
      );
    },
  );

  const [first, second] = [step({ name: "first" }), step({ name: "second" })];
  const leftOver = step({ op: "delete", oldState: { id: "ep-old", delete: true } });
  it.each<[unread: boolean, reason: string, ...steps: readonly object[]]>([
    [true, "only some were", refreshed("first"), first, second],
    [false, "every compute was", refreshed("first"), refreshed("second"), first, second],
    [false, "there was none", step({ op: "create" })],
    [false, "the other is left over", refreshed("first"), first, leftOver],
    [false, "it is not the program's own", step({ op: "read", oldState: { external: true } })],
  ])("has computes that were not read (%s) where %s", (unread, _reason, ...steps) => {
    expect(reportOn(steps).unread).toBe(unread);
  });
});
