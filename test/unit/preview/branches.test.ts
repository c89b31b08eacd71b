/** Computes that one change concerns together: on a branch, and those that may have been renamed. */
import { notesOf } from "../../../preview/render/words";
import { gate, planOf } from "./peers/others";
import { commentOn, reportOn, restarts, size, step, unknownId, urnOf, type StepParts } from "./previews";

describe("a branch", () => {
  const replica = { ...size(1), type: "read_only", branchId: "br-a" };
  const notes = (...steps: readonly object[]): string =>
    notesOf(reportOn(steps), (value) => value).join("\n");
  const another = (name: string, change: object = size(2), more: StepParts = {}): object =>
    step({ name, old: replica, new: { ...replica, ...change }, ...more });
  const [primary, second] = [step(restarts), another("second")];
  /** What goes first: for a document, its states have it. */
  const after = (...names: readonly string[]): StepParts => ({ dependencies: names.map(urnOf) });
  const [two, three] = ["second", "third"].map((name) => another(name, size(2), after("first")));
  const last = step({ ...restarts, ...after("second", "third") });
  const leftOver = step({ op: "delete-replaced", oldState: { id: "ep-old", delete: true } });
  /** A resource between the two that is no compute. */
  const between = "urn:pulumi:dev::shop::random:index:Id::between";

  it.each<[reason: string, steps: readonly object[], waves: readonly (readonly string[])[]]>([
    ["with nothing that orders them", [primary, second], [["app", "second"]]],
    [
      "in the order of their dependencies",
      [last, two!, another("first"), three!],
      [["first"], ["second", "third"], ["app"]],
    ],
    ["with what an earlier replacement left over, once", [last, leftOver], [["app"]]],
    [
      "through what depends on one of them",
      [
        step({ ...restarts, dependencies: [between] }),
        step({ urn: between, op: "same", ...after("second") }),
        second,
      ],
      [["second"], ["app"]],
    ],
  ])("has in the report which of its computes are interrupted, %s", (...[, steps, waves]) => {
    const { branches } = reportOn(steps);
    expect(branches).toMatchObject([{ projectId: "p", branchId: "br-a", computes: waves.flat().map(urnOf) }]);
    expect(branches[0]!.waves).toEqual(waves.map((wave) => wave.map(urnOf)));
  });

  const sameMoment =
    /are interrupted by the same update, and may be down at the same moment unless dependsOn orders them\.$/;
  const old = { ...replica, projectId: "q" };
  it.each<[reason: string, steps: readonly object[], says: RegExp | string]>([
    ["nothing orders them", [primary, second], sameMoment],
    [
      "their dependencies order them",
      [last, two!, three!],
      "Branch br-a: second (read_only), third (read_only), then app (read_write) are interrupted, in the order of their dependencies.",
    ],
    [
      "one is left over",
      [last, leftOver],
      /: app \(read_write\), app \(read_write\) are interrupted by the same/,
    ],
    [
      "one is replaced, which begins with another compute",
      [step({ op: "replace", ...after("second") }), two!],
      sameMoment,
    ],
    ["one may be", [primary, another("second", { poolerEnabled: true })], /may be interrupted by the same/],
    ["they are replicas", [second, another("third")], sameMoment],
    ["one compute is: nothing", [primary], /^$/],
    ["another project's: nothing", [primary, another("b", { projectId: "q", ...size(2) }, { old })], /^$/],
  ])("says what is interrupted together where %s", (_reason, steps, says) => {
    const said = notes(...steps);
    if (typeof says === "string") expect(said).toBe(says);
    else expect(said).toMatch(says);
  });

  it("is in the report of each compute, and nothing else of a secret or unknown one", () => {
    const branch = { projectId: "p", branchId: "br-a", type: "read_write" };
    expect(reportOn([step({})]).computes).toMatchObject([{ ...branch, endpointId: "ep-app" }]);
    const masked = { projectId: "[secret]", branchId: unknownId };
    const [fresh] = reportOn([step({ op: "create", new: masked })]).computes;
    expect(fresh).toMatchObject({ projectId: null, branchId: null, endpointId: null });
  });
});

describe("a compute that is deleted while an equal one is new", () => {
  const inputs = { projectId: "p", branchId: "br-a", type: "read_only", ...size(1) };
  const old: StepParts = { name: "reader", op: "delete", old: inputs };
  const renamed: StepParts = { name: "reporting", op: "create", new: inputs };
  const asks = (next: StepParts): string => commentOn(reportOn([step(old), step(next)]));

  it("may have been renamed: the report names the option that keeps it", () => {
    expect(asks(renamed)).toContain(
      '`reader` is deleted, and `reporting` is new and equal. Was it renamed? Then the option `aliases: [{ name: "reader" }]` on the new one keeps the compute.',
    );
    const parent = "urn:pulumi:dev::shop::acme:index:Team$pulumi-nodejs:dynamic/compute:Endpoint::reader";
    expect(asks({ ...renamed, urn: parent })).toContain(`aliases: ["${urnOf("reader")}"]`);
  });

  it.each<[reason: string, change: object]>([
    ["of another size", size(2)],
    ["on another branch", { branchId: "br-b" }],
    ["on a branch that only the update knows", { branchId: unknownId }],
    ["of another project", { projectId: "q" }],
  ])("is not asked about where the new one is %s", (_reason, change) => {
    expect(asks({ ...renamed, new: { ...inputs, ...change } })).not.toContain("renamed");
  });

  it("is a moved block with Terraform", () => {
    const plan = planOf({ actions: "delete" }, { actions: "create", isAlone: true });
    Object.assign(plan.resource_changes[1]!, { address: "module.db.neon_endpoint.app" });
    const { code, out } = gate(plan);
    expect(code).toBe(20);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "neon_endpoint.app is deleted, and module.db.neon_endpoint.app is new and equal. Was it renamed? Then a moved block from the first to the second keeps the compute.",
    );
  });
});
