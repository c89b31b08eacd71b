/** Projects and branches of other providers: what they hold, what they say of later computes, and what goes with them. */
import { deleted, gate, inProject, limits, max, planOf, type Changed } from "./others";

const databricks = "databricks_postgres_endpoint";
const delay = (seconds: number): string => `{suspend_timeout_seconds: ${seconds}}`;

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
  ["the project is deleted", deleted("neon_project"), 20],
  ["a branch is deleted", deleted("neon_branch"), 20],
  ["a branch is replaced", { type: "neon_branch", actions: "delete,create" }, 21],
  ["a project is replaced, the new one first", { type: "neon_project", actions: "create,delete" }, 21],
  ["a branch at Databricks is deleted", deleted("databricks_postgres_branch"), 20],
  [
    "one that Databricks had made leaves the state",
    { ...deleted("databricks_postgres_branch"), sides: "replace_existing: true" },
    6,
  ],
  ["a compute of a type that no table has is deleted", deleted("neon_read_endpoint"), 6],
  ["the size of its first compute", inProject(`primary_compute: [${limits(1, 1)}] → [${limits(1, 2)}]`), 24],
  ["the same as one value", inProject(`primary_compute: ${limits(1, 1)} → ${limits(2, 2)}`), 24],
  ["the delay of its first compute", inProject(`primary_compute: [${delay(300)}] → [${delay(600)}]`), 0],
  ["its limit is taken away", inProject(`primary_compute: [${limits(1, 2)}] → [${limits(1, "null")}]`), 6],
  [
    "its limit that only the apply knows",
    inProject(`primary_compute: [{${max(1)}}] → [{${max("(unknown)")}}]`),
    6,
  ],
  ["its block goes", inProject(`primary_compute: [${limits(1, 2)}] → []`), 6],
  [
    "its size beside the project's name",
    inProject(`name: a → b; primary_compute: [{${max(1)}}] → [{${max(2)}}]`),
    24,
  ],
  [
    "its size beside the project's quota",
    inProject(`quota: {a: 1} → {a: 2}; primary_compute: [{${max(1)}}] → [{${max(2)}}]`),
    24,
  ],
  ["limits of later computes", inProject(`${max(1)} → 2; autoscaling_limit_min_cu: 1 → (unknown)`), 0],
  ["the delay of later computes", inProject(`${delay(300).slice(1, -1)} → 600`), 0],
  [
    "the block of later computes",
    inProject(`default_endpoint_settings: [${limits(1, 1)}] → [${limits(1, 2)}]`),
    0,
  ],
  [
    "the whole block of later computes goes",
    inProject(`default_endpoint_settings: [${limits(1, 1)}] → []`),
    0,
  ],
  [
    "a setting of later computes that no table has",
    inProject("default_endpoint_settings: [{a: 1}] → [{a: 2}]"),
    6,
  ],
  [
    "what a new name makes unknown",
    inProject("name: a → b; default_endpoint_id: a → (unknown); database_host: a → (unknown)"),
    0,
  ],
  [
    "the host of a compute that it declares",
    inProject("branch: {endpoint: {host: a}} → {endpoint: {host: (unknown)}}"),
    0,
  ],
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

it("a project and a branch are counted as what they are, with their computes", () => {
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

it("sizes of later computes are named, also where no compute changes", () => {
  const ran = gate(planOf(inProject(`default_endpoint_settings: [{${max(1)}}] → [{${max(2)}}]`)));
  expect(ran.out.replaceAll(/\s+/g, " ")).toContain(
    "existing ones do not change: neon_project.app: default_endpoint_settings.autoscaling_limit_max_cu.",
  );
  expect(ran.code).toBe(0);
});
