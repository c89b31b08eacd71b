/**
 * Whole plans: their parts other than changes, primaries at Databricks, the words of a report, and what tools print around a plan.
 * `golden/plans.txt` has what `--fail-on` says about each row.
 */
import { readPreview } from "../../../../preview/input";
import { reportOf } from "../../../../preview/judge/report";
import { verdictOn } from "../../../../preview/judge/verdict";
import type { Report } from "../../../../preview/shape";
import { expectKept } from "../../../support/kept";
import { commentOn, eventLines, goldenFile } from "../previews";
import { deleted, gate, gateLines, inProject, max, planOf, type Changed, type GateRow } from "./others";

const reportOn = (document: object): Report => reportOf(readPreview(Buffer.from(JSON.stringify(document))));
const databricks = "databricks_postgres_endpoint";

const [harmless, restart] = [planOf({}), planOf({ sides: "autoscaling_limit_max_cu: 1 → 4" })];
const invoked = (...types: readonly string[]): object => {
  const actions = types.map((type) => ({ address: `action.${type}.a`, type, name: "a" }));
  return { ...harmless, action_invocations: actions };
};
const invokedLater = (type: string): object => {
  const action = { address: `action.${type}.a`, type, name: "a" };
  return { ...harmless, deferred_action_invocations: [{ reason: "x", action_invocation: action }] };
};
const later = (type: string): object => {
  const [change] = planOf({ type, actions: "create" }).resource_changes;
  const deferred = [{ reason: "instance_count_unknown", resource_change: change }];
  return { ...planOf(), deferred_changes: deferred, complete: false };
};
/** A plan of HCP Terraform without its secrets. */
const redacted = (sides: string): object => {
  const { resource_changes } = planOf({ sides });
  return { plan_format_version: "1.2", provider_schemas: {}, resource_changes };
};
const imported = (sides: string, change: object = {}): object => {
  const plan = planOf({ sides }) as { resource_changes: { change: object }[] };
  Object.assign(plan.resource_changes[0]!.change, { importing: { id: "x" }, ...change });
  return plan;
};
const ofProvider = (provider: string | undefined): object =>
  planOf({ provider, sides: "pg_settings: {work_mem: 8MB} → {work_mem: 9MB}; pooler_enabled: false → true" });
const left = { type: databricks, sides: "id: none; endpoint_id: a" };

const documents: readonly GateRow[] = [
  ["a restart by an action", invoked("neon_endpoint_restart")],
  ["one of several actions", invoked("aws_lambda_invoke", "databricks_postgres_branch_restore")],
  ["only actions of other services", invoked("aws_lambda_invoke", "databricks_job_run")],
  ["a deferred action", invokedLater("neon_endpoint_restart")],
  ["computes whose number only the apply knows", later("neon_endpoint")],
  ["a deferred project", later("neon_project")],
  ["a deferred database, which is not a compute", later("neon_database")],
  ["a deferred resource of another service", later("aws_instance")],
  ["-target, with a limit", { ...restart, complete: false }],
  ["only the changes of a plan", { resource_changes: harmless.resource_changes }],
  ["an error", { ...harmless, complete: false, errored: true }],
  ["an import without a change", imported("", { actions: ["no-op"] })],
  ["an import with a change", imported("novelty: 1 → 2")],
  ["a delay, in a plan without its secrets", redacted("")],
  ["a limit, in a plan without its secrets", redacted("autoscaling_limit_max_cu: 1 → 4")],
  ["a secret that may differ, in a plan without its secrets", redacted("novelty: secret a")],
  [
    "neondatabase/neon, for which the table has what all providers share",
    ofProvider("registry.example/neondatabase/neon"),
  ],
  ["a provider whose name only ends with kislerdm/neon", ofProvider("registry.example/not-kislerdm/neon")],
  ["kislerdm/neon", ofProvider("registry.example/kislerdm/neon")],
  ["kislerdm/neon without a registry", ofProvider("kislerdm/neon")],
  ["a provider without a name", ofProvider(undefined)],
  [
    "a deposed compute without an id, beside a step with the same address",
    planOf({ ...left, actions: "create" }, { ...left, actions: "delete", more: { deposed: "a1" } }),
  ],
];

const found: readonly (readonly [reason: string, changed: Changed])[] = [
  ["a limit", { sides: "autoscaling_limit_max_cu: 1 → 4" }],
  ["an attribute that no table has", { sides: "novelty: a → b" }],
  ["an attribute that no table has, as a secret", { sides: "novelty: secret a → secret b" }],
  ["a secret that is the same", { sides: "novelty: secret a" }],
  ["an attribute that only the service decides", { sides: "last_active: 1 → 2" }],
  ["a project's first compute", { type: "neon_project", sides: "primary_compute: [{a: 1}] → [{a: 2}]" }],
  ["a project's retention", { type: "neon_project", sides: "retention: 1 → 2" }],
  [
    "values that a newer provider fills in for a project",
    { type: "neon_project", sides: "primary_compute: [] → [{a: 1}]" },
  ],
  [
    "a setting of another provider with a dot",
    { provider: "a/neon", sides: "pg_settings: {a.b: 1} → {a.b: 2}" },
  ],
  ["a project that is gone", { type: "neon_project", actions: "delete" }],
];

const place = "parent: projects/shop/branches/dev";
const typed = (type: string): string => `${place}; spec: {endpoint_type: ENDPOINT_TYPE_READ_${type}}`;
const endpoint = (sides: string, actions = "create"): Changed => ({
  ...{ type: databricks, actions },
  sides: `endpoint_id: primary; ${sides}`,
});
const primary = (more = "", actions?: string): Changed => endpoint(`${typed("WRITE")}${more}`, actions);
const branch = (id: string, more = "", actions = "create"): Changed => ({
  ...{ type: "databricks_postgres_branch", actions },
  sides: `parent: projects/shop; branch_id: ${id}${more}`,
});
const shop: Changed = {
  ...{ type: "databricks_postgres_project", actions: "create" },
  sides: "project_id: shop",
};
const takes = "; replace_existing: true";
const ofUnknown = endpoint(`parent: (unknown); spec: {endpoint_type: ENDPOINT_TYPE_READ_WRITE}${takes}`);
const primaries: readonly (readonly [reason: string, changes: readonly Changed[]])[] = [
  ["is taken over, as far as the plan knows", [primary("; replace_existing: (unknown)")]],
  ["is taken over with its branch", [branch("dev", takes)]],
  ["comes with its branch", [branch("dev"), primary(takes)]],
  ["comes with its project", [shop, branch("dev", takes), primary(takes)]],
  ["comes with a branch whose name only the apply knows", [branch("dev"), ofUnknown]],
  ["is of another branch than the new one", [branch("other"), primary(takes)]],
  ["is of a branch whose name only begins with the new branch's name", [branch("de"), primary(takes)]],
  ["may be of a branch that exists", [branch("dev"), branch("dev", "; a: 1 → 2", "update"), ofUnknown]],
  ["may be of a branch that is taken over", [branch("dev", takes), ofUnknown]],
  ["is created without replace_existing", [primary()]],
  ["is replaced, which rewrites it", [primary(takes, "delete,create")]],
  ["is not concerned: a replica is deleted", [endpoint(`${typed("ONLY")}; endpoint_id: r1`, "delete")]],
  [
    "is changed, and its status, which only the apply knows, is not named",
    [primary("; spec: {max: 1} → {max: 2}; status: a → (unknown)", "update")],
  ],
];

const outside = (changed: Changed): object => {
  const { resource_changes: drift } = planOf({ ...changed, isAlone: true });
  return { ...planOf(), resource_drift: drift };
};

it("--fail-on judges whole plans as each row promises", () => {
  const told = [
    gateLines("a plan with …", documents),
    gateLines(
      "the primary of a branch at Databricks …",
      primaries.map(([reason, changes]) => [reason, planOf(...changes)]),
    ),
    gateLines(
      "drift that a plan found, with --fail-on drift",
      found.map(([reason, changed]) => [reason, outside(changed)]),
      "drift",
    ),
  ];
  expectKept(goldenFile("plans"), told.join("\n"));
});

it("the report names resources that it cannot judge, even if it refuses others for certain", () => {
  const report = reportOn(planOf(inProject("quota: {a: 9} → {a: 1}")));
  const says = "changes to 1 resource cannot be judged";
  expect(report.verdict).toMatchObject({ word: "reported", code: 0 });
  expect(report.verdict.line).toContain(says);
  expect(commentOn(report)).toContain("Cannot be judged: `");
  const reports = [reportOn(planOf({ actions: "delete,create" })), report];
  expect(verdictOn({ reports, failOn: ["replace"] })).toMatchObject({
    ...{ word: "refused", code: 21, line: `1 compute in 1 of 2 plans is replaced; ${says}` },
  });
  expect(verdictOn({ reports, failOn: ["move"] })).toMatchObject({ word: "not known", code: 6 });
});

it("deleted projects and branches are counted separately from computes", () => {
  const branches = ["a", "b"].map((name) => ({
    ...deleted("neon_branch"),
    more: { address: `neon_branch.${name}` },
  }));
  const ran = gate(planOf(deleted("neon_project"), ...branches, deleted("neon_endpoint")));
  const out = ran.out.replaceAll(/\s+/g, " ");
  expect(out).toContain(
    "Refused: 1 compute is deleted, 2 branches are deleted with their computes, 1 project is deleted with its computes This",
  );
  expect(out).toContain(
    "This change deletes 4 resources, which this check does not allow (--fail-on delete).",
  );
});

it("sizes for computes created later are named, even if no compute changes", () => {
  const ran = gate(planOf(inProject(`default_endpoint_settings: [{${max(1)}}] → [{${max(2)}}]`)));
  expect(ran.out.replaceAll(/\s+/g, " ")).toContain(
    "These changes affect only computes created later: neon_project.app: default_endpoint_settings.autoscaling_limit_max_cu.",
  );
  expect(ran.code).toBe(0);
});

const text = JSON.stringify(restart);
it.each<[reason: string, text: string]>([
  ["an encoded line break and a workflow command", `${text}%0A\n::set-output name=stderr::`],
  ["an object that a program prints", `${text}\n{\n  name: 'x',\n}\n`],
  ["a command in brackets", `[command]/opt/terraform show -json plan\n${text}\n::debug::exitcode: 0`],
])("a plan is read with %s around it", (_reason, input) => {
  expect(gate(input).code).toBe(24);
});

describe("events that a tool passes on without sequence numbers", () => {
  const state = (most: number): object => ({ autoscalingLimitMaxCu: most });
  const event = (type: string, body: object): object => ({ sequence: undefined, type, [type]: body });
  const urn = "urn:pulumi:dev::shop::neon:index/endpoint:Endpoint::db";
  const old = { id: "ep-db", inputs: state(1), outputs: state(1) };
  const change = { op: "update", urn, old, new: { inputs: state(2), outputs: state(2) } };
  const read = (...events: readonly object[]): ReturnType<typeof gate> =>
    gate(eventLines(...events).toString());

  it("are read to their end", () => {
    const events = [event("preludeEvent", {}), event("resourcePreEvent", { metadata: change })];
    expect(read(...events, event("summaryEvent", {})).code).toBe(24);
    expect(read(...events)).toMatchObject({ code: 3 });
  });

  it("show errors without the engine's colours", () => {
    const message = "<{%fg 1%}>error: <{%reset%}>no such <{%bold%}>branch<{%reset%}>";
    const ran = read(event("diagnosticEvent", { message, severity: "error" }), event("summaryEvent", {}));
    expect(ran.code).toBe(4);
    expect(ran.out).toContain("error: no such branch");
  });
});
