import { notesOf } from "../../../preview/render/words";
import { reportOn, restarts, size, step, unknownId, urnOf, type StepParts } from "./previews";

describe("a branch", () => {
  const replica = { ...size(1), type: "read_only", branchId: "br-a" };
  const notes = (...steps: readonly object[]): string =>
    notesOf(reportOn(steps), (value) => value).join("\n");
  const another = (name: string, change: object = size(2), more: StepParts = {}): object =>
    step({ name, old: replica, new: { ...replica, ...change }, ...more });
  const [primary, second] = [step(restarts), another("second")];
  /** With what the provider says. */
  const verdict = { effect: "restart", certain: true } as const;
  const told = step({ ...restarts, verdict });

  it("is named where several of its computes are interrupted together", () => {
    const computes = [expect.any(String), expect.any(String)] as string[];
    expect(reportOn([primary, second]).branches).toEqual([
      { projectId: "p", branchId: "br-a", ordered: false, computes },
    ]);
    expect(notes(primary, second)).toBe(
      "Branch br-a: app (read_write), second (read_only) are interrupted by the same update.",
    );
  });

  it("names a compute that an earlier replacement left over once, and keeps no order with it", () => {
    const both = [told, step({ op: "delete-replaced", oldState: { id: "ep-old", delete: true } })];
    expect(reportOn(both).branches).toMatchObject([{ ordered: false, computes: [urnOf("app")] }]);
    expect(notes(...both)).toMatch(
      /: app \(read_write\), app \(read_write\) are interrupted by the same update/,
    );
  });

  it("is told in the order of its restarts, where the provider keeps one: replicas first, the primary last", () => {
    const [two, three] = ["second", "third"].map((name) => another(name, size(2), { verdict }));
    expect(reportOn([told, two!, three!]).branches).toMatchObject([
      { ordered: true, computes: ["second", "third", "app"].map(urnOf) },
    ]);
    expect(notes(told, two!, three!)).toBe(
      "Branch br-a: second (read_only), then third (read_only), then app (read_write) are interrupted one after the other, each when the one before is active again.",
    );
    // What replaces a compute waits for no other.
    expect(notes(step({ op: "replace", verdict }), two!, three!)).toContain("by the same update");
  });

  const sameUpdate = /are interrupted by the same update\.$/;
  const spared = another("third", { suspendTimeoutSeconds: 60 });
  const old = { ...replica, projectId: "q" };
  it.each<[reason: string, steps: readonly object[], says: RegExp]>([
    [
      "one belongs to another provider",
      [told, another("second", size(2), { verdict, provider: "urn:other::id" })],
      sameUpdate,
    ],
    ["nobody knows whose", [told, another("second", size(2), { verdict, provider: undefined })], sameUpdate],
    ["one may be", [primary, another("second", { poolerEnabled: true })], /may be interrupted by the same/],
    ["another is not", [primary, second, spared], sameUpdate],
    ["they are replicas", [second, another("third")], sameUpdate],
    ["one compute is: nothing", [primary], /^$/],
    ["another project's: nothing", [primary, another("b", { projectId: "q", ...size(2) }, { old })], /^$/],
  ])("says what is interrupted together where %s", (_reason, steps, says) => {
    expect(notes(...steps)).toMatch(says);
  });

  it("is in the report of each compute, and nothing else of a secret or unknown one", () => {
    const branch = { projectId: "p", branchId: "br-a", type: "read_write" };
    expect(reportOn([step({})]).computes).toMatchObject([{ ...branch, endpointId: "ep-app" }]);
    const masked = { projectId: "[secret]", branchId: unknownId };
    const [fresh] = reportOn([step({ op: "create", new: masked })]).computes;
    expect(fresh).toMatchObject({ projectId: null, branchId: null, endpointId: null });
  });
});
