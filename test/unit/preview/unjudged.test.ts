/** Computes of ours of which a preview does not say enough. */
import { reportOn, restarts, step, urnOf } from "./previews";

it.each<[reason: string, parts: object, isUnjudged: boolean]>([
  ["an operation that no engine has yet", step({ op: "transmogrify" }), true],
  ["a filter left nothing but the operation", { op: "update", urn: urnOf("app") }, true],
  ["a filter left the inputs out", { ...step(restarts), newState: {} }, true],
  ["a filter left the outputs out", { ...step(restarts), oldState: { id: "ep-app", inputs: {} } }, true],
  ["a deletion is one, whatever is left of it", { op: "delete", urn: urnOf("app") }, false],
  ["a known operation in the spelling of Java", step({ ...restarts, op: "UPDATE" }), false],
  ["and of .NET", step({ op: "CreateReplacement" }), false],
])("nobody knows what happens to a compute of ours: %s", (_reason, one, isUnjudged) => {
  const report = reportOn([one]);
  expect(report.unjudged).toHaveLength(isUnjudged ? 1 : 0);
  expect(report.computes[0]!.drops).toBe(isUnjudged ? "may" : "yes");
});
