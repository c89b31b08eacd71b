import { fixture, runPreview, type Ran } from "../previews";
import { beside, gate, kinds, planOf, type Changed } from "./plans";

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
    const plan = planOf(beside({}, {}));
    expect(gate({ ...plan, action_invocations: invoked.map(action) }).code).toBe(code);
    const deferred = invoked.map((type) => ({ reason: "absent_prereq", action_invocation: action(type) }));
    expect(gate({ ...plan, deferred_action_invocations: deferred }).code).toBe(code);
  });
});

describe("changes that a plan leaves for a later one", () => {
  it.each<[reason: string, type: string, code: number]>([
    ["computes whose number only the apply knows", "neon_endpoint", 6],
    ["a project", "neon_project", 6],
    ["a database, which is no compute", "neon_database", 0],
    ["of another service", "aws_instance", 0],
  ])("%s", (_reason, type, code) => {
    const { resource_changes: later } = planOf({ type, actions: "create", before: null }) as {
      resource_changes: object[];
    };
    const deferred = later.map((change) => ({ reason: "instance_count_unknown", resource_change: change }));
    const ran = gate({ ...planOf(), deferred_changes: deferred, complete: false });
    expect(ran.code).toBe(code);
    if (code === 6) expect(ran.out).toContain(`Cannot be judged: ${type}.app.`);
  });
});

describe("what a plan found changed outside, with --fail-on drift", () => {
  const drifted = (changed: Changed): Ran => {
    const { resource_changes: found } = planOf(changed) as { resource_changes: object[] };
    const plan = { ...planOf(), resource_drift: found };
    return runPreview(["--fail-on=drift", "--format=text"], Buffer.from(JSON.stringify(plan)));
  };
  it.each<[reason: string, changed: Changed, code: number]>([
    ["a limit", beside({}, { autoscaling_limit_max_cu: 2 }), 27],
    [
      "an attribute that no table has",
      beside({ novelty: 1 }, { novelty: 2, suspend_timeout_seconds: 300 }),
      27,
    ],
    [
      "the same of which the value is secret",
      beside({ novelty: 1 }, { novelty: 2, suspend_timeout_seconds: 300 }, { masks: { novelty: true } }),
      27,
    ],
    [
      "a secret that is the same",
      beside({ novelty: 1 }, { novelty: 1, suspend_timeout_seconds: 300 }, { masks: { novelty: true } }),
      0,
    ],
    [
      "what the service alone decides",
      { before: { id: "ep-1", last_active: 1 }, after: { id: "ep-1", last_active: 2 } },
      0,
    ],
    [
      "a project's first compute",
      {
        type: "neon_project",
        before: { primary_compute: [{ novelty: 1 }] },
        after: { primary_compute: [{ novelty: 2 }] },
      },
      27,
    ],
    ["a project's retention", { type: "neon_project", before: { retention: 1 }, after: { retention: 2 } }, 0],
  ])("%s", (_reason, changed, code) => {
    expect(drifted(changed).code).toBe(code);
  });

  it("is shown with its values", () => {
    const ran = drifted(beside({ novelty: "one" }, { novelty: "two", suspend_timeout_seconds: 300 }));
    expect(ran.out).toContain("changed outside: novelty: one → two");
  });
});

describe("a change of a compute at Databricks", () => {
  it("is named by what is declared, not by the status that each update makes unknown", () => {
    const spec = (cu: number): object => ({
      spec: { autoscaling_limit_max_cu: cu },
      status: { current_state: "ACTIVE" },
    });
    const type = "databricks_postgres_endpoint";
    const ran = gate(planOf({ type, before: spec(1), after: spec(2), unknown: { status: true } }));
    expect(ran.code).toBe(6);
    expect(ran.out).toContain(`Cannot be judged: ${type}.app: spec.autoscaling_limit_max_cu.`);
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
