/** Resources of other providers: a change passes only if everything in it is known not to interrupt a compute. */
import { readPreview } from "../../../../preview/read/preview";
import { reportOf } from "../../../../preview/judge/report";
import { verdictOn } from "../../../../preview/judge/verdict";
import type { Report } from "../../../../preview/judge/shape";
import { bridgedOf, gate, planOf, type Bridged, type Changed } from "./others";
import { commentOn, fixture } from "../previews";

const reportOn = (document: object): Report => reportOf(readPreview(Buffer.from(JSON.stringify(document))));
const ofPlan = (changed: string | Changed): object =>
  planOf(typeof changed === "string" ? { sides: changed } : changed);

it.each<[reason: string, changed: string | Changed, code: number]>([
  ["nothing but autosuspend", "", 0],
  ["autosuspend goes to the service's default", "suspend_timeout_seconds: 300 → none", 0],
  ["autosuspend that only the apply knows", "suspend_timeout_seconds: 300 → (unknown)", 0],
  ["another provisioner", "compute_provisioner: k8s-pod → k8s-neonvm", 6],
  ["an attribute that no table has", "novelty: 1 → 2", 6],
  ["the same, in a list", "novelty: [{a: 1}] → [{a: 2}]", 6],
  ["one more item of a list", "novelty: [a] → [a, b]", 6],
  ["a block that is new", "novelty: none → [{a: 1}]", 6],
  ["a block that goes", "novelty: [{a: 1}] → []", 6],
  ["an empty block where there was none", "novelty: none → []", 0],
  ["a library deep within", "settings: {preload: {libraries: [a]}} → {preload: {libraries: [a, b]}}", 6],
  ["what only the apply knows", "novelty: 1 → (unknown)", 6],
  ["the same, deep within a list", "novelty: [{a: 1}] → [{a: (unknown)}]", 6],
  ["what the service alone decides", "host: a → (unknown); id: a → (unknown); updated_at: (unknown)", 0],
  ["only that", { sides: "host: a → (unknown); updated_at: (unknown)", isAlone: true }, 0],
  ["no difference that shows", { isAlone: true }, 6],
  ["its limit is taken away", "autoscaling_limit_max_cu: 1 → none", 6],
  ["its settings are taken away", "pg_settings: {work_mem: 8MB} → none", 6],
  ["one of two settings is taken away", "pg_settings: {work_mem: 8MB, jit: 'on'} → {work_mem: 8MB}", 6],
  ["its branch is taken away", "branch_id: br-a → none", 6],
  ["disabled is taken away", "disabled: true → none", 6],
  ["its type, which an update does not send", "type: read_write → read_only", 6],
  ["a secret that differs", "novelty: secret a → secret b", 6],
  ["a secret that is the same", "novelty: secret a", 0],
  ["a secret in a list", "novelty: [{a: secret a}] → [{a: secret b}]", 6],
  ["a limit beside what nobody knows", "novelty: 1 → 2; autoscaling_limit_max_cu: 1 → 2", 6],
  ["a limit", "autoscaling_limit_max_cu: 1 → 2", 24],
  ["the same limit as a secret", "autoscaling_limit_max_cu: secret 1", 0],
  ["a limit as a secret that differs", "autoscaling_limit_max_cu: secret 1 → secret 2", 6],
  ["a limit that only the apply knows", "autoscaling_limit_max_cu: 1 → (unknown)", 6],
  ["a branch that only the apply knows", "branch_id: br-a → (unknown)", 6],
  ["settings that only the apply knows", "pg_settings: {work_mem: 8MB} → (unknown)", 6],
  ["a setting that only the apply knows", "pg_settings: {work_mem: 8MB} → {work_mem: (unknown)}", 6],
  ["a setting as a secret that differs", "pg_settings: {a: secret a} → {a: secret b}", 6],
  ["a setting as a secret that is the same", "pg_settings: {a: secret a}", 0],
  ["time limits of the tool", "timeouts: none → {update: 9m}", 0],
  ["it has another address", { actions: "no-op", more: { previous_address: "neon_endpoint.old" } }, 0],
  ["it is forgotten", { actions: "forget" }, 0],
  ["what an earlier apply left is deleted", { actions: "delete", more: { deposed: "a1" } }, 20],
  ["a replacement", { actions: "create,delete" }, 21],
  ["an action that nobody knows", { actions: "renew" }, 6],
])("a compute in a plan of Terraform: %s", (_reason, changed, code) => {
  const ran = gate(ofPlan(changed));
  expect(ran.code).toBe(code);
  expect(ran.out).not.toMatch(/"[ab]"/);
});

it.each<[says: string, importing: object, sides: string, code: number]>([
  ["as it is", { actions: ["no-op"], importing: { id: "x" } }, "", 0],
  ["with a change", { importing: { id: "x" } }, "novelty: 1 → 2", 6],
])("an import is judged by what it changes: %s", (...[, importing, sides, code]) => {
  const plan = planOf({ sides }) as { resource_changes: { change: object }[] };
  Object.assign(plan.resource_changes[0]!.change, importing);
  expect(gate(plan).code).toBe(code);
});

const databricks = "databricks_postgres_endpoint";
const inProject = (sides: string): Changed => ({ type: "neon_project", sides });
const deleted = (type: string): Changed => ({ type, actions: "delete" });

it.each<[reason: string, changed: Changed, code: number]>([
  ["the project's name", inProject("name: a → b"), 0],
  ["no difference that shows", inProject("name: a"), 6],
  ["its first compute", inProject("primary_compute: [{max: 1}] → [{max: 2}]"), 6],
  ["a secret of it", inProject("primary_compute: {a: secret a} → {a: secret b}"), 6],
  ["what the service says of it", inProject("primary_compute: {host: a} → {host: (unknown)}"), 0],
  ["the compute of its branch", inProject("branch: {endpoint: {min: 1}} → {endpoint: {min: 2}}"), 6],
  ["a branch's name", inProject("branch: {name: a, endpoint: {min: 1}} → {name: b, endpoint: {min: 1}}"), 0],
  ["the computes in a map", inProject("branches: {m: {endpoints: [{max: 1}]}} → {m: {endpoints: []}}"), 6],
  ["a branch with a compute where was none", inProject("branch: none → {endpoint: {min: 2}}"), 6],
  ["its compute is known only after the apply", inProject("branch: {endpoint: {min: 1}} → (unknown)"), 6],
  ["its settings of computes", inProject("default_endpoint_settings: [{max: 1}] → [{max: 2}]"), 6],
  [
    "those at Databricks",
    {
      type: "databricks_postgres_project",
      sides: "spec: {default_endpoint_settings: {a: 1}} → {default_endpoint_settings: {a: 2}}",
    },
    6,
  ],
  ["replication, which restarts all computes", inProject("enable_logical_replication: false → true"), 6],
  ["its quota, which suspends all computes when it is used up", inProject("quota: {a: 9} → {a: 1}"), 6],
  ["its maintenance window, which restarts them", inProject("maintenance_window: {a: 1} → {a: 2}"), 6],
  ["the project is new", { type: "neon_project", actions: "create" }, 0],
  ["the project is forgotten", { type: "neon_project", actions: "forget" }, 0],
  ["the project is deleted", deleted("neon_project"), 6],
  ["a branch is replaced", { type: "neon_branch", actions: "delete,create" }, 6],
  ["a role is replaced", { type: "neon_role", actions: "delete,create" }, 0],
  ["data that is read", { type: "neon_branches", actions: "read" }, 0],
  ["an address for private traffic", deleted("neon_vpc_endpoint_assignment"), 0],
  [
    "a rule for such addresses",
    { type: "neon_vpc_endpoint_restriction", sides: "vpc_endpoint_id: a → b" },
    0,
  ],
  ["another service's endpoint", { type: "aws_vpc_endpoint", sides: "compute: 1 → 2" }, 0],
  ["a name that only contains the service's", { type: "pantheon_endpoint", sides: "compute: 1 → 2" }, 0],
  ["an older instance", { type: "databricks_database_instance", sides: "capacity: CU_1 → CU_2" }, 6],
  ["a status that an update makes unknown", { type: databricks, sides: "status: {a: b} → (unknown)" }, 6],
])("what a plan has beside computes: %s", (_reason, changed, code) => {
  expect(gate(planOf(changed)).code).toBe(code);
});

it("a change at Databricks is named by what is declared, not by the status that each update makes unknown", () => {
  const sides = "spec: {autoscaling_limit_max_cu: 1} → {autoscaling_limit_max_cu: 2}; status: a → (unknown)";
  const ran = gate(planOf({ type: databricks, sides }));
  expect(ran.code).toBe(6);
  expect(ran.out).toContain(`Cannot be judged: ${databricks}.app: spec.autoscaling_limit_max_cu.`);
});

it.each<[provider: string | undefined, codes: readonly number[]]>([
  ["registry.example/neondatabase/neon", [6, 6]],
  ["registry.example/not-kislerdm/neon", [6, 6]],
  ["registry.example/kislerdm/neon", [0, 0]],
  ["kislerdm/neon", [0, 0]],
  [undefined, [6, 6]],
])(
  "a compute of %s is judged by what all providers of its type share, if no table has it",
  (provider, codes) => {
    const changes = ["pg_settings: {work_mem: 8MB} → {work_mem: 9MB}", "pooler_enabled: false → true"];
    expect(changes.map((sides) => gate(planOf({ provider, sides })).code)).toEqual(codes);
  },
);

const project = "neon:index/project:Project";
const databricksPrimary = "databricks:index/postgresEndpoint:PostgresEndpoint";
it.each<[reason: string, bridged: string | Bridged, code: number]>([
  ["autosuspend alone", "", 0],
  ["a smaller minimum", "autoscaling_limit_min_cu: 1 → 0.25", 24],
  ["its provisioner", "compute_provisioner: k8s-pod → k8s-neonvm", 6],
  ["its provisioner is left out", "compute_provisioner: k8s-pod → none", 6],
  ["its limit is left out", "autoscaling_limit_min_cu: 1 → none", 6],
  ["an input that only the update knows", "novelty: 1 → (unknown)", 6],
  ["an output that only the update knows", { outputs: "novelty: 1 → (unknown)" }, 6],
  ["its host, which the service says", { outputs: "host: a → (unknown); id: a → (unknown)" }, 0],
  [
    "the service has another value than the program",
    { sides: "novelty: {a: 1}", outputs: "novelty: {a: 2, b: 3} → none" },
    6,
  ],
  [
    "the service adds values of its own",
    { sides: "novelty: {a: 1}", outputs: "novelty: {a: 1, b: 3} → none" },
    0,
  ],
  ["a secret that may differ", "pg_settings: {a: secret a}", 6],
  [
    "a secret that the provider says does not",
    { sides: "pg_settings: {a: secret a}", reasons: ["suspendTimeoutSeconds"] },
    0,
  ],
  ["a name of which only the provider knows that it differs", { reasons: ["novelty"] }, 6],
  ["Postgres settings, which another provider may send otherwise", "pg_settings: {a: '1'} → {a: '2'}", 6],
  ["a deletion", { op: "delete" }, 20],
  ["a replacement", { op: "replace" }, 21],
  ["a project's first compute", { type: project, sides: "primary_compute: {max: 1} → {max: 2}" }, 6],
  ["a secret of that compute", { type: project, sides: "primary_compute: secret a" }, 6],
  ["a project's name", { type: project, sides: "name: a → b; suspend_timeout_seconds: 300" }, 0],
  ["a project that is kept", { type: project, op: "delete", state: { retainOnDelete: true } }, 0],
  ["a component of that name", { type: "acme:neon:Project", op: "delete", state: { custom: false } }, 0],
  ["another bridge of the service", { type: "neon:resource:Endpoint" }, 6],
  [
    "a primary at Databricks, taken over",
    { type: databricksPrimary, op: "create", sides: "replace_existing: true" },
    6,
  ],
  [
    "a primary at Databricks that leaves",
    { type: databricksPrimary, op: "delete", sides: "endpoint_id: primary" },
    0,
  ],
])("a compute of a bridged provider in a preview of Pulumi: %s", (_reason, bridged, code) => {
  expect(gate(bridgedOf(typeof bridged === "string" ? { sides: bridged } : bridged)).code).toBe(code);
});

const atDatabricks = (from: string, to: string): object =>
  bridgedOf({ type: databricksPrimary, sides: `endpoint_id: primary; spec: {${from}} → {${to}}` });
it.each<[reason: string, document: object, is: string, connections?: number[]]>([
  ["a smaller minimum", bridgedOf({ sides: "autoscaling_limit_min_cu: 1 → 0.25" }), "restart yes"],
  [
    "a larger maximum",
    ofPlan("autoscaling_limit_min_cu: 0.25; autoscaling_limit_max_cu: 1 → 2"),
    "restart yes",
    [419, 839],
  ],
  ["a value outside the table", ofPlan("compute_provisioner: a → b"), "interrupt may"],
  ["what Terraform forgets, which continues to run", ofPlan({ actions: "forget" }), "release no"],
  [
    "a size at Databricks, which does not say what it restarts",
    atDatabricks("autoscalingLimitMaxCu: 8", "autoscalingLimitMaxCu: 9"),
    "restart may",
  ],
  [
    "its suspension's delay",
    atDatabricks("suspendTimeoutDuration: 600s", "suspendTimeoutDuration: 900s"),
    "interrupt may",
  ],
  [
    "its group of computes",
    planOf({ type: databricks, sides: "spec: {a: 1} → {a: 1, group: {min: 2}}" }),
    "interrupt may",
  ],
])("what happens to clients of other providers' computes: %s", (...[, document, is, connections]) => {
  const [compute] = reportOn(document).computes;
  expect(`${compute!.outcome} ${compute!.drops}`).toBe(is);
  const shown = compute!.figures.find(({ name }) => name === "max_connections");
  if (connections !== undefined) expect(shown).toMatchObject({ from: connections[0], to: connections[1] });
});

it("what cannot be judged says so, and is not known beside what is refused: it may be worse", () => {
  const report = reportOn(planOf(deleted("neon_project")));
  expect(report.verdict).toMatchObject({ word: "reported", code: 0 });
  expect(report.verdict.line).toContain("what happens to the computes of 1 resource cannot be judged");
  expect(commentOn(report)).toContain("Cannot be judged: `");
  const reports = [reportOn(ofPlan({ actions: "delete,create" })), report];
  expect(verdictOn({ reports, failOn: ["replace"] })).toMatchObject({ word: "not known", code: 6 });
});

it("a plan of Terraform is read as the real provider makes it: modules, for_each, secrets and unknown values", () => {
  const report = reportOf(readPreview(fixture("terraform/neon.json")), ["restart"]);
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
