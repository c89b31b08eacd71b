/** Computes of other providers, in previews of Pulumi and in plans of Terraform. */
import { readPreview } from "../../../preview/read/preview";
import { reportOf } from "../../../preview/judge/report";
import { verdictOn } from "../../../preview/judge/verdict";
import type { Report } from "../../../preview/judge/shape";
import { commentOn, fixture } from "./previews";

const failOn = ["restart"] as const;
const reportOn = (document: unknown): Report =>
  reportOf(readPreview(Buffer.from(JSON.stringify(document))), failOn);

/** A preview of Pulumi with one step. */
function previewOf(type: string, op: string, [before, after]: readonly [object, object | null]): object {
  const urn = `urn:pulumi:dev::shop::${type}::app`;
  // What is planned has no id yet.
  const newState = after && { inputs: after, outputs: after };
  const oldState = { id: "ep-app", inputs: before, outputs: before };
  return { steps: [{ op, urn, oldState, ...(newState && { newState }) }], changeSummary: { [op]: 1 } };
}

type Sides = readonly [before: object | null, after: object | null];

/** A plan of Terraform with one change; its actions are separated by commas. */
function planOf(type: string, actions: string, [before, after]: Sides): object {
  const masks = { after_unknown: {}, before_sensitive: {}, after_sensitive: {} };
  const change = { actions: actions.split(","), before, after, ...masks };
  const resource = { address: `${type}.app`, mode: "managed", type, change };
  return { format_version: "1.2", planned_values: {}, resource_changes: [resource] };
}

const range = { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 8 };
const bridged = {
  projectId: "p",
  branchId: "br-a",
  type: "read_write",
  ...range,
  suspendTimeoutSeconds: 300,
};
const planned = {
  ...{ id: "ep-app", project_id: "p", branch_id: "br-a", type: "read_write" },
  ...{ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 8, compute_provisioner: "k8s-pod" },
};
const spec = { endpointType: "ENDPOINT_TYPE_READ_WRITE", ...range, suspendTimeoutDuration: "600s" };
const group = { endpoint_type: "ENDPOINT_TYPE_READ_ONLY", autoscaling_limit_max_cu: 4, no_suspension: true };

/** The bridged provider's names are those of its page in Pulumi's registry, Databricks' those of @pulumi/databricks 1.110.0. */
const ofBridge = (op: string, change: object | null): object =>
  previewOf("neon:index/endpoint:Endpoint", op, [bridged, change && { ...bridged, ...change }]);
const ofPlan = (actions: string, change: object | null, before: object = planned): object =>
  planOf("neon_endpoint", actions, [before, change && { ...before, ...change }]);
const ofDatabricks = (change: object): object => {
  const parent = { parent: "projects/p/branches/main", endpointId: "primary" };
  const sides = [
    { ...parent, spec },
    { ...parent, spec: { ...spec, ...change } },
  ] as const;
  return previewOf("databricks:index/postgresEndpoint:PostgresEndpoint", "update", sides);
};
const small = { ...planned, autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 1 };
const grouped = [{ spec: group }, { spec: { ...group, group: { min: 2, max: 2 } } }] as const;

describe("computes of other providers", () => {
  it.each<[reason: string, document: object, is: string, connections?: number[]]>([
    ["a smaller minimum", ofBridge("update", { autoscalingLimitMinCu: 0.25 }), "restart yes", [3357, 839]],
    ["the autosuspend delay alone", ofBridge("update", { suspendTimeoutSeconds: 600 }), "none no"],
    ["a deletion", ofBridge("delete", null), "delete yes"],
    ["a replacement", ofBridge("replace", {}), "replace yes"],
    ["a larger maximum", ofPlan("update", { autoscaling_limit_max_cu: 2 }, small), "restart yes", [419, 839]],
    ["a value outside the table", ofPlan("update", { compute_provisioner: "k8s-neonvm" }), "interrupt may"],
    ["an action that nobody knows", ofPlan("renew", {}), "interrupt may"],
    ["what Terraform forgets, which continues to run", ofPlan("forget", null), "release no"],
    ["a size at Databricks, which does not say", ofDatabricks({ autoscalingLimitMaxCu: 9 }), "restart may"],
    ["its suspension's delay", ofDatabricks({ suspendTimeoutDuration: "900s" }), "interrupt may"],
    ["its group of computes", planOf("databricks_postgres_endpoint", "update", grouped), "interrupt may"],
  ])("are judged: %s", (...[, document, is, connections]) => {
    const [compute] = reportOn(document).computes;
    expect(`${compute!.outcome} ${compute!.drops}`).toBe(is);
    const shown = compute!.figures.find(({ name }) => name === "max_connections");
    expect(shown && [shown.from, shown.to]).toEqual(connections);
  });

  const settingsOf = (cu: number): object => ({
    default_endpoint_settings: [{ autoscaling_limit_max_cu: cu }],
  });
  it.each<[reason: string, document: object]>([
    ["a service that does not say what it restarts", ofDatabricks({ autoscalingLimitMaxCu: 9 })],
    ["an action that is unknown", ofPlan("renew", {})],
    ["another bridge of the service", previewOf("neon:resource:Endpoint", "update", [{}, {}])],
    ["a project that goes with its computes", planOf("neon_project", "delete", [{}, null])],
    ["a branch that is replaced", planOf("neon_branch", "delete,create", [{}, {}])],
    ["a project's settings of computes", planOf("neon_project", "update", [settingsOf(1), settingsOf(2)])],
    ["an older instance", planOf("databricks_database_instance", "update", [{}, { capacity: "CU_2" }])],
  ])("do not pass where they cannot be judged: %s", (_reason, document) => {
    const report = reportOn(document);
    expect(report.verdict).toMatchObject({ word: "not known", code: 6 });
    expect(report.verdict.line).toContain("what happens to the computes of 1 resource cannot be judged");
    expect(commentOn(report)).toContain("Cannot be judged: `");
    // It may be worse than what is refused.
    const refused = reportOn(ofPlan("delete,create", {}));
    const reports = [refused, report];
    expect(verdictOn({ reports, failOn: ["replace"] }).word).toBe("not known");
    const { verdict } = reportOf(readPreview(Buffer.from(JSON.stringify(document))));
    expect(verdict).toMatchObject({ word: "reported", code: 0, line: report.verdict.line });
  });

  it.each<[reason: string, document: object]>([
    ["a new project", planOf("neon_project", "create", [null, {}])],
    ["a project's name", planOf("neon_project", "update", [{ name: "a" }, { name: "b" }])],
    ["an address for private traffic", planOf("neon_vpc_endpoint_assignment", "delete", [{}, null])],
    ["a compute without a change", ofPlan("no-op", {})],
    ["data that is read", planOf("neon_branches", "read", [null, {}])],
  ])("pass with %s", (_reason, document) => {
    expect(reportOn(document).verdict).toMatchObject({ word: "passed", code: 0 });
  });
});

describe("a plan of Terraform", () => {
  it("is read as the real provider makes it, modules, for_each, secrets and unknown values included", () => {
    const report = reportOf(readPreview(fixture("terraform/neon.json")), failOn);
    expect(report.computes.map(({ label, outcome, drops }) => `${label}: ${outcome}, ${drops}`)).toEqual([
      "neon_endpoint.old: delete, yes",
      'module.db.neon_endpoint.replica["b"]: replace, yes',
      'module.db.neon_endpoint.replica["a"]: restart, yes',
      "neon_endpoint.app: restart, yes",
      "neon_endpoint.moved: move, may",
      "neon_endpoint.tuned: interrupt, may",
      "neon_endpoint.quiet: none, no",
      "neon_endpoint.fresh: create, no",
    ]);
    // A branch that the apply alone will know, and a setting that is a secret.
    expect(report.unjudged).toEqual([
      "neon_endpoint.moved: branch_id",
      "neon_endpoint.tuned: pg_settings.statement_timeout",
    ]);
    const line = "1 compute is deleted, 1 is replaced, 2 drop their open connections, 2 may";
    expect(report.verdict).toMatchObject({ word: "not known", code: 6 });
    expect(report.verdict.line).toContain(line);
    expect(JSON.stringify(report)).not.toMatch(/"[34]0s"/);
  });

  it("shows what was changed outside", () => {
    const { resource_changes: drift } = ofPlan("update", { autoscaling_limit_max_cu: 4 }) as {
      resource_changes: unknown;
    };
    const [compute] = reportOn({ ...ofPlan("no-op", {}), resource_drift: drift }).computes;
    expect(compute).toMatchObject({ outcome: "drift", drift: { size: { from: "1–8", to: "1–4" } } });
  });

  it.each([
    ["a newer format", { format_version: "2.0" }, "its format has version 2.0"],
    ["another form", { resource_changes: [{}] }, "it has another form than expected"],
  ])("is refused in %s", (_reason, more, says) => {
    expect(() => reportOn({ ...ofPlan("update", {}), ...more })).toThrow(says);
  });

  it("does not pass if it has failed", () => {
    const failed = { ...ofPlan("no-op", {}), errored: true };
    expect(reportOn(failed).verdict).toMatchObject({ word: "failed", code: 4 });
  });
});
