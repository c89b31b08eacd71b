/** The first lines of a report: what happens to computes, what `--fail-on` made of it, and what to do. */
import { renderReport } from "../../../preview/command";
import {
  commentOn,
  fixture,
  leaves,
  previewOf,
  reportOn,
  restarts,
  runPreview,
  settles,
  size,
  step,
  unknownId,
  urnOf,
  type StepParts,
} from "./previews";
import { gate, planOf } from "./others/plans";

const firstLine = (failOn: string, ...parts: readonly StepParts[]): string => {
  const options = failOn === "" ? [] : [`--fail-on=${failOn}`];
  const { out, code } = runPreview(options, previewOf(...parts));
  return `${code} ${/^### (.*)$/m.exec(out)![1]}`;
};
const replica: StepParts = { name: "replica", op: "replace", old: size(1), new: { type: "read_only" } };

it.each<[reason: string, failOn: string, parts: readonly StepParts[], says: string]>([
  ["nothing happens", "restart", [settles], "0 ✅ Passed: no compute drops its open connections"],
  ["nothing was asked", "", [settles], "0 🟢 No compute drops its open connections"],
  ["nothing was asked, and one restarts", "", [restarts], "0 🟠 1 compute drops its open connections"],
  [
    "what happens is allowed",
    "delete,move",
    [restarts],
    "0 🟠 1 compute drops its open connections (allowed by --fail-on delete,move)",
  ],
  ["one is deleted", "", [leaves, restarts], "0 🔴 1 compute is deleted, 1 drops its open connections"],
  ["a deletion is allowed", "move", [leaves], "0 🔴 1 compute is deleted (allowed by --fail-on move)"],
  ["a disabled one is deleted", "", [{ ...leaves, old: { disabled: true } }], "0 🔴 1 compute is deleted"],
  ["one is replaced", "delete", [replica, leaves], "20 ⛔ Refused: 1 compute is deleted, 1 is replaced"],
  [
    "one may be interrupted",
    "",
    [{ new: { poolerEnabled: true } }],
    "0 🟠 1 compute may drop its open connections",
  ],
])("the first line says what happens: %s", (...[, failOn, parts, says]) => {
  expect(firstLine(failOn, ...parts)).toBe(says);
});

it("counts a compute once, however many rows speak of it, and refuses what each of them does", () => {
  const restart = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/compute:Endpoint::again";
  const same = { ...step({ ...restarts, name: "app", urn: restart }) };
  const moved = step({ name: "app", new: { branchId: "br-b" } });
  const input = Buffer.from(JSON.stringify({ steps: [moved, same], changeSummary: { update: 2 } }));
  const { out, code } = runPreview(["--fail-on=restart", "--format=text"], input);
  expect(code).toBe(24);
  expect(out).toMatch(
    /^Refused: 1 compute drops its open connections\n--fail-on restart refuses 1 restart\./,
  );
});

describe("a compute that is deleted while an equal one is new", () => {
  const inputs = { projectId: "p", branchId: "br-a", type: "read_only", ...size(1) };
  const old: StepParts = { name: "reader", op: "delete", old: inputs };
  const renamed: StepParts = { name: "reporting", op: "create", new: inputs };
  const asks = (...parts: readonly StepParts[]): string => commentOn(reportOn(parts.map(step)));

  it("may have been renamed: the report names the option that keeps it", () => {
    expect(asks(old, renamed)).toContain(
      '`reader` is deleted, and `reporting` is new and equal. Was it renamed? Then the option `aliases: [{ name: "reader" }]` on the new one keeps the compute.',
    );
    const parent = "urn:pulumi:dev::shop::acme:index:Team$pulumi-nodejs:dynamic/compute:Endpoint::reader";
    expect(asks(old, { ...renamed, urn: parent })).toContain(`aliases: ["${urnOf("reader")}"]`);
  });

  it("is a moved block with Terraform", () => {
    const values = { project_id: "p", branch_id: "br-a", type: "read_only", autoscaling_limit_max_cu: 1 };
    const plan = planOf(
      { type: "neon_endpoint", actions: "delete", before: { id: "ep-a", ...values }, after: null },
      { type: "neon_endpoint", actions: "create", before: null, after: values },
    ) as { resource_changes: { address: string }[] };
    plan.resource_changes[1]!.address = "module.db.neon_endpoint.app";
    const { out, code } = gate(plan);
    expect(code).toBe(20);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "neon_endpoint.app is deleted, and module.db.neon_endpoint.app is new and equal. Was it renamed? Then a moved block from the first to the second keeps the compute.",
    );
  });

  it.each<[reason: string, next: StepParts]>([
    ["of another size", { ...renamed, new: { ...inputs, ...size(2) } }],
    ["on another branch", { ...renamed, new: { ...inputs, branchId: "br-b" } }],
    ["on a branch that only the update knows", { ...renamed, new: { ...inputs, branchId: unknownId } }],
    ["of another project", { ...renamed, new: { ...inputs, projectId: "q" } }],
  ])("is not asked about where the new one is %s", (_reason, next) => {
    expect(asks(old, next)).not.toContain("renamed");
  });
});

describe("the report as text", () => {
  const verdict = {
    now: "active",
    lastAccess: "5 min ago",
    effect: "restart",
    service: "interface",
  } as const;
  const interruption = "restart: size 1 → 2 CU drops open connections; max_connections 450 to 901";
  const steps = [step({ ...restarts, new: { ...size(2), interruption }, verdict })];

  it("says each fact once, with what the comment says", () => {
    const report = reportOn(steps);
    expect(renderReport(report, { format: "text", maxLength: 0 })).toContain(
      "app restarts (active now, 5 min ago)\n" +
        "  change   size: 1 → 2 CU\n" +
        "  clients  open connections drop; max_connections 450 → 901; RAM 4 → 8 GB; file cache 3.2 → 6.4 GB\n",
    );
  });

  it.each(["verdicts.json", "changes.json", "edges.json", "afterFailedUpdate.json"])(
    "has at most 100 columns: %s",
    (name) => {
      const { out } = runPreview(["--format=text", "--fail-on=delete,restart,may"], fixture(name));
      const long = out.split("\n").filter((line) => line.length > 100);
      expect(long).toEqual([]);
    },
  );
});
