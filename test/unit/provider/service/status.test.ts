import { hasEnded, outcomeOf } from "../../../../provider/model/observation";

it.each([
  { status: "scheduling", verdict: "pending", reason: "interface 3.2: may be first" },
  { status: "running", verdict: "pending", reason: "interface 3.2" },
  { status: "cancelling", verdict: "pending", reason: "published: still under way" },
  { status: "finished", verdict: "succeeded", reason: "interface 3.2" },
  { status: "skipped", verdict: "succeeded", reason: "published: there was nothing to do" },
  { status: "failed", verdict: "failed", reason: "interface 3.2" },
  { status: "error", verdict: "failed", reason: "published" },
  { status: "cancelled", verdict: "failed", reason: "published: what was asked for did not happen" },
  { status: "archived", verdict: "unknown", reason: "nobody told us of it: never a success, nor an end" },
  { status: "Finished", verdict: "unknown", reason: "spelt otherwise is another status" },
  { status: "", verdict: "unknown", reason: "says nothing" },
  { status: "constructor", verdict: "unknown", reason: "a name that every object has" },
  { status: "__proto__", verdict: "unknown", reason: "a name that every object has" },
])("the status $status means $verdict: $reason", ({ status, verdict }) => {
  expect(outcomeOf(status)).toBe(verdict);
  expect(hasEnded(status)).toBe(verdict === "succeeded" || verdict === "failed");
});
