import { notesOf } from "../../../preview/render/words";
import { reportOn, size, step, unknownId, urnOf, type StepParts } from "./previews";

describe("a branch", () => {
  const resized = size(2);
  const replica = { ...size(1), type: "read_only", branchId: "br-a" };
  const notes = (...steps: readonly object[]): string =>
    notesOf(reportOn(steps), (value) => value).join("\n");
  const primary = step({ old: size(1), new: resized });
  const another = (name: string, change: object = resized, more: StepParts = {}): object =>
    step({ name, old: replica, new: { ...replica, ...change }, ...more });
  const second = another("second");
  /** With what the provider says. */
  const verdict = { effect: "restart", certain: true } as const;
  const told = step({ old: size(1), new: resized, verdict });
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
    const leftOver = step({ op: "delete-replaced", oldState: { id: "ep-old", delete: true } });
    const both = [told, leftOver];
    expect(reportOn(both).branches).toMatchObject([{ ordered: false, computes: [urnOf("app")] }]);
    expect(notes(...both)).toContain("app (read_write), app (read_write) are interrupted by the same update");
    expect(notes(...both)).not.toContain("(read_write), app (read_write), app (read_write)");
  });

  it("is told in the order of its restarts, where the provider keeps one: replicas first, the primary last", () => {
    const ordered = [told, another("second", resized, { verdict }), another("third", resized, { verdict })];
    expect(reportOn(ordered).branches).toMatchObject([
      { ordered: true, computes: [urnOf("second"), urnOf("third"), urnOf("app")] },
    ]);
    expect(notes(...ordered)).toBe(
      "Branch br-a: second (read_only), then third (read_only), then app (read_write) are interrupted one after the other, each when the one before is active again.",
    );
    // What replaces a compute waits for no other.
    expect(notes(step({ op: "replace", verdict }), ...ordered.slice(1))).toContain("by the same update");
  });

  it.each([
    { reason: "one of them belongs to another provider", provider: "urn:other::id" },
    { reason: "it is not known whose one of them is", provider: undefined },
  ])("has no order where no one process keeps it: $reason", ({ provider }) => {
    const apart = another("second", resized, { verdict, provider });
    expect(notes(told, apart)).toContain("by the same update.");
  });

  it("may have them interrupted", () => {
    expect(notes(primary, another("second", { poolerEnabled: true }))).toContain(
      "may be interrupted by the same update.",
    );
  });

  it("keeps what is not interrupted", () => {
    const spared = another("third", { suspendTimeoutSeconds: 60 });
    expect(notes(primary, second, spared)).toMatch(/are interrupted by the same update\.$/);
    expect(notes(second, another("third"))).toMatch(/are interrupted by the same update\.$/);
  });

  it("is nothing to tell of where one compute is interrupted, or the branch is not the same", () => {
    expect(notes(primary)).toBe("");
    const elsewhere = { projectId: "q" };
    expect(
      notes(primary, another("b", { ...elsewhere, ...resized }, { old: { ...replica, ...elsewhere } })),
    ).toBe("");
  });

  it("is in the report of each compute, and nothing else of a secret or unknown one", () => {
    const branch = { projectId: "p", branchId: "br-a", type: "read_write" };
    expect(reportOn([step({})]).computes).toMatchObject([{ ...branch, endpointId: "ep-app" }]);
    const masked = { projectId: "[secret]", branchId: unknownId };
    const [fresh] = reportOn([step({ op: "create", new: masked })]).computes;
    expect(fresh).toMatchObject({ projectId: null, branchId: null, endpointId: null });
  });
});
