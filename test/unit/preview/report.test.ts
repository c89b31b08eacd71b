import { fixtureReport, reportOn, step } from "./previews";

describe("the preview as a whole", () => {
  it("puts the most serious first", () => {
    const report = reportOn([
      step({ name: "e", op: "create" }),
      step({ name: "d", new: { suspendTimeoutSeconds: 60 } }),
      step({ name: "c", new: { interruption: "may restart: size" } }),
      step({ name: "b", new: { interruption: "restart: size" } }),
      step({ name: "a2", op: "replace" }),
      step({ name: "a1", op: "delete" }),
    ]);
    expect(report.computes.map(({ name }) => name)).toEqual(["a1", "a2", "b", "c", "d", "e"]);
    expect(report.summary).toBe(
      "1 compute is deleted, 1 is replaced, 1 restarts, 1 may restart, 1 changes without interruption, 1 is new",
    );
  });

  it("counts other resources, and tells nothing of them", () => {
    const other = { op: "update", urn: "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::private-name" };
    const report = reportOn([other], { changeSummary: { update: 1, same: 4 } });
    expect(report).toMatchObject({ computes: [], otherChanges: 1, unchangedResources: 4 });
    expect(JSON.stringify(report)).not.toContain("private-name");
  });

  it("finds a compute inside a component, whatever its name", () => {
    const urn = "urn:pulumi:dev::shop::shop:index:Team$pulumi-nodejs:dynamic/compute:Endpoint::a::b|c";
    expect(reportOn([{ op: "delete", urn }]).computes[0]?.name).toBe("a::b|c");
  });

  it("leaves out what only is read", () => {
    expect(reportOn([step({ op: "read" }), step({ op: "refresh" }), step({ op: "same" })]).computes).toEqual(
      [],
    );
  });

  it("tells a deletion left over from a replacement apart from the compute in its place", () => {
    const report = reportOn([
      step({ new: { branchId: "br-b" } }),
      step({ op: "delete", oldState: { id: "ep-old", delete: true } }),
    ]);
    expect(report.computes.map(({ outcome, id }) => `${outcome} ${String(id)}`)).toEqual([
      "delete ep-old",
      "move ep-app",
    ]);
  });

  it("shows a refused change with its reason, without the engine's envelope", () => {
    const { failed, computes, errors } = fixtureReport("refusedArgument.json");
    expect({ failed, errors }).toEqual({ failed: true, errors: [] });
    expect(computes.map(({ name, outcome, errors: own }) => ({ name, outcome, own }))).toEqual([
      {
        name: "search",
        outcome: "refused",
        own: ['branchId is "nope", but must be the id of a branch: it begins with "br-"'],
      },
    ]);
  });

  it("shows what else failed", () => {
    const { failed, computes, errors } = fixtureReport("crashedProgram.json");
    expect({ failed, computes, count: errors.length }).toEqual({ failed: true, computes: [], count: 1 });
    expect(errors[0]).toContain("ENOENT");
  });
});
