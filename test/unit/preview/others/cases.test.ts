import { fixture, runPreview } from "../previews";
import { beside, gate, kinds, planOf } from "./plans";

describe("plans and previews made after reports of users", () => {
  it.each<[file: string, code: number, says: string]>([
    ["lakebasePrimaryTakenOver.json", 6, "1 compute is taken over"],
    ["lakebasePrimaryLeaves.json", 0, "1 compute leaves the stack"],
    ["primaryOfProjectResized.json", 6, "neon_project.shop: primary_compute.autoscaling_limit_min_cu"],
    [
      "preloadedBesideAutosuspend.json",
      6,
      "neon_endpoint.orders: settings.preload_libraries.enabled_libraries",
    ],
    ["provisionerBesideAutosuspend.json", 6, "neon:index/endpoint:Endpoint db: computeProvisioner"],
    ["targetedPlan.json", 0, "The plan is not complete"],
    ["planThatOnlyRestores.json", 6, "action.neon_restore_branch.back"],
    ["renamedCompute.json", 0, "name: a → b"],
    ["policyLinesFirst.txt", 24, "app restarts"],
    ["planLines.txt", 3, ""],
  ])("%s ends with %d and says: %s", (file, code, says) => {
    const ran = runPreview([`--fail-on=${kinds}`, "--format=text"], fixture(`others/${file}`));
    expect(ran).toMatchObject({ code });
    expect(ran.out).toContain(says);
    if (code !== 24) expect(ran.out).not.toMatch(/\d computes? drops? /);
  });
});

describe("actions beside the changes of a plan", () => {
  const action = (type: string): object => ({ address: `action.${type}.a`, type, name: "a" });
  it.each<[reason: string, invoked: readonly string[], code: number]>([
    ["a restart of a compute", ["neon_endpoint_restart"], 6],
    ["one of several", ["aws_lambda_invoke", "databricks_postgres_branch_restore"], 6],
    ["of other services alone", ["aws_lambda_invoke", "databricks_job_run"], 0],
  ])("%s", (_reason, invoked, code) => {
    expect(gate({ ...planOf(beside({}, {})), action_invocations: invoked.map(action) }).code).toBe(code);
  });
});

describe("a plan that is not the whole", () => {
  const settles = planOf(beside({}, {})) as { resource_changes: readonly object[] };
  it.each<[reason: string, plan: object, code: number]>([
    ["made with -target", { ...settles, complete: false, errored: false }, 0],
    [
      "made with -target, of a limit",
      { ...planOf(beside({}, { autoscaling_limit_max_cu: 4 })), complete: false },
      24,
    ],
    ["made with -target, of nothing", { ...planOf(), complete: false }, 0],
    ["filtered to its changes", { resource_changes: settles.resource_changes }, 0],
    ["stopped by an error", { ...settles, complete: false, errored: true }, 4],
  ])("%s", (_reason, plan, code) => {
    const ran = gate(plan);
    expect(ran.code).toBe(code);
    if (code !== 4) expect(ran.out).toMatch(/a part may be\s+missing here/);
  });
});
