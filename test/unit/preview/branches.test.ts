import { notesOf } from "../../../preview/render/words";
import { reportOn, step, urnOf } from "./previews";

describe("a branch", () => {
  const replica = { type: "read_only", branchId: "br-a" };
  const pulled = { restartTriggers: { a: 1 } };
  const notes = (...steps: readonly object[]): string =>
    notesOf(reportOn(steps), (value) => value).join("\n");
  const primary = step({ new: pulled });
  const second = step({ name: "second", old: replica, new: { ...replica, ...pulled } });

  it("is named where several of its computes are interrupted together", () => {
    expect(reportOn([primary, second]).branches).toEqual([
      {
        projectId: "p",
        branchId: "br-a",
        ordered: false,
        computes: expect.any(Array) as string[],
      },
    ]);
    expect(notes(primary, second)).toBe(
      "Branch br-a: app (read_write), second (read_only) are interrupted by the same update.",
    );
  });

  it("names a compute that an earlier replacement left over once, and keeps no order with it", () => {
    const verdict = { effect: "restart", certain: true, endpointId: "ep-app" } as const;
    const leftOver = step({ op: "delete-replaced", oldState: { id: "ep-old", delete: true } });
    const both = [step({ new: pulled, verdict }), leftOver];
    expect(reportOn(both).branches).toMatchObject([{ ordered: false, computes: [urnOf("app")] }]);
    expect(notes(...both)).toContain("app (read_write), app (read_write) are interrupted by the same update");
    expect(notes(...both)).not.toContain("(read_write), app (read_write), app (read_write)");
  });

  it("is told in the order of its restarts, where the provider keeps one: replicas first, the primary last", () => {
    const verdict = { effect: "restart", certain: true } as const;
    const ordered = [
      step({ new: pulled, verdict }),
      step({ name: "second", old: replica, new: { ...replica, ...pulled }, verdict }),
      step({ name: "third", old: replica, new: { ...replica, ...pulled }, verdict }),
    ];
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
    const verdict = { effect: "restart", certain: true } as const;
    const apart = [
      step({ new: pulled, verdict }),
      step({ name: "second", old: replica, new: { ...replica, ...pulled }, verdict, provider }),
    ];
    expect(notes(...apart)).toContain("by the same update.");
  });

  it("may have them interrupted", () => {
    const unsure = step({ name: "second", old: replica, new: { ...replica, poolerEnabled: true } });
    expect(notes(primary, unsure)).toContain("may be interrupted by the same update.");
  });

  it("keeps what is not interrupted", () => {
    const spared = step({ name: "third", old: replica, new: { ...replica, suspendTimeoutSeconds: 60 } });
    expect(notes(primary, second, spared)).toMatch(/are interrupted by the same update\.$/);
    const third = step({ name: "third", old: replica, new: { ...replica, ...pulled } });
    expect(notes(second, third)).toMatch(/are interrupted by the same update\.$/);
  });

  it("is nothing to tell of where one compute is interrupted, or the branch is not the same", () => {
    expect(notes(primary)).toBe("");
    const elsewhere = { ...replica, projectId: "q" };
    expect(notes(primary, step({ name: "b", old: elsewhere, new: { ...elsewhere, ...pulled } }))).toBe("");
  });

  it("is in the report of each compute, and nothing else of a secret or unknown one", () => {
    const [known] = reportOn([step({})]).computes;
    expect(known).toMatchObject({
      projectId: "p",
      branchId: "br-a",
      type: "read_write",
      endpointId: "ep-app",
    });
    const masked = { projectId: "[secret]", branchId: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" };
    const [fresh] = reportOn([step({ op: "create", new: masked })]).computes;
    expect(fresh).toMatchObject({ projectId: null, branchId: null, endpointId: null });
  });
});
