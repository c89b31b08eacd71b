import { hasEnded, verdictOf } from "../../../../provider/pure/operationStatus";

describe("verdictOf", () => {
  it.each([
    { status: "scheduling", verdict: "pending", reason: "interface 3.2: may be first" },
    { status: "running", verdict: "pending", reason: "interface 3.2" },
    { status: "cancelling", verdict: "pending", reason: "published: still under way" },
    { status: "finished", verdict: "succeeded", reason: "interface 3.2" },
    { status: "skipped", verdict: "succeeded", reason: "published: there was nothing to do" },
    { status: "failed", verdict: "failed", reason: "interface 3.2" },
    { status: "error", verdict: "failed", reason: "published" },
    { status: "cancelled", verdict: "failed", reason: "published: what was asked for did not happen" },
    { status: "archived", verdict: "unknown", reason: "nobody told us of it: never a success" },
    { status: "Finished", verdict: "unknown", reason: "spelt otherwise is another status" },
    { status: "", verdict: "unknown", reason: "says nothing" },
    { status: "constructor", verdict: "unknown", reason: "a name that every object has" },
    { status: "__proto__", verdict: "unknown", reason: "a name that every object has" },
  ])("takes $status for $verdict: $reason", ({ status, verdict }) => {
    expect(verdictOf(status)).toBe(verdict);
  });
});

describe("hasEnded", () => {
  it.each(["finished", "skipped", "failed", "error", "cancelled"])("says that %s is an end", (status) => {
    expect(hasEnded(status)).toBe(true);
  });

  it.each(["scheduling", "running", "cancelling", "archived"])("says that %s is none", (status) => {
    expect(hasEnded(status)).toBe(false);
  });
});
