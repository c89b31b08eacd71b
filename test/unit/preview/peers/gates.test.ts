/**
 * What `--fail-on` says about other providers' resources in plans of Terraform. A change passes only if everything in it is known
 * not to interrupt a compute. Each row is a promise. `golden/gates.txt` has its exit code, what happens to computes, and what
 * cannot be judged.
 * `GOLDENS=write npx jest unit/preview/peers/gates` writes it anew. Read the differences.
 */
import { expectKept } from "../../../support/kept";
import { goldenFile } from "../previews";
import { deleted, gateLines, inProject, limits, max, planOf, type Changed } from "./others";

type Row = readonly [reason: string, changes: string | Changed];

const computes: readonly Row[] = [
  ["only autosuspend", ""],
  ...["update", "delete", "delete,create", "create", "forget"].map((actions): Row => [
    `Azure's generic resource, of a type of Neon: ${actions}`,
    {
      type: "azapi_resource",
      actions,
      sides: "type: Microsoft.Neon/organizations@2025-03-01; body: {a: 1} → {a: 2}",
    },
  ]),
  [
    "Azure's generic resource, of another type",
    { type: "azapi_resource", sides: "type: Microsoft.Web/sites@1; a: 1 → 2" },
  ],
  ["Azure's generic resource, of a masked type", { type: "azapi_resource", sides: "type: '***'; a: 1 → 2" }],
  ["autosuspend goes to the service's default", "suspend_timeout_seconds: 300 → none"],
  ["autosuspend that only the apply knows", "suspend_timeout_seconds: 300 → (unknown)"],
  ["another provisioner", "compute_provisioner: k8s-pod → k8s-neonvm"],
  ["an attribute that no table has", "novelty: 1 → 2"],
  ["a key with a capital letter that no table has", "novelty: {Env: 1} → {Env: 2}"],
  ["an attribute in a list that no table has", "novelty: [{a: 1}] → [{a: 2}]"],
  ["one more item of a list", "novelty: [a] → [a, b]"],
  ["a new block", "novelty: none → [{a: 1}]"],
  ["a block that is removed", "novelty: [{a: 1}] → []"],
  ["a new empty block", "novelty: none → []"],
  [
    "a library deep within the settings",
    "settings: {preload: {libraries: [a]}} → {preload: {libraries: [a, b]}}",
  ],
  ["an attribute that only the apply knows", "novelty: 1 → (unknown)"],
  ["an attribute deep in a list that only the apply knows", "novelty: [{a: 1}] → [{a: (unknown)}]"],
  [
    "attributes that only the service decides, beside autosuspend",
    "host: a → (unknown); id: a → (unknown); updated_at: (unknown)",
  ],
  [
    "nothing but attributes that only the service decides",
    { sides: "host: a → (unknown); updated_at: (unknown)", isAlone: true },
  ],
  ["its pooler's host, and its state", "host_pooling: a → (unknown); current_state: a → (unknown)"],
  ["its release version, and who created it", "compute_release_version: a → b; creation_source: (unknown)"],
  ["a member named like an attribute of the service", "failover: {host: a} → {host: b}"],
  ["a member in a list, named like an attribute of the service", "failover: [{id: a}] → [{id: b}]"],
  ["a setting named like an attribute of the service, removed", "pg_settings: {host: a} → {}"],
  ["a setting with the text null is removed", "pg_settings: {work_mem: 'null'} → {}"],
  ["an attribute with the text null is removed", "novelty: 'null' → none"],
  ["a number written as text", "novelty: 1 → '1'"],
  ["a branch that a CI has masked", "branch_id: '***'"],
  ["a branch that a CI has masked in part", "branch_id: br-***-1"],
  ["a setting that GitLab has masked", "pg_settings: {work_mem: '[MASKED]'}"],
  ["a name that a CI has masked", "name: '***'"],
  ["an update without a visible difference", { isAlone: true }],
  ["its limit is removed", "autoscaling_limit_max_cu: 1 → none"],
  ["a limit that the state does not have", "autoscaling_limit_max_cu: none → 2"],
  ["its settings are removed", "pg_settings: {work_mem: 8MB} → none"],
  ["one of two settings is removed", "pg_settings: {work_mem: 8MB, jit: 'on'} → {work_mem: 8MB}"],
  ["its branch is removed", "branch_id: br-a → none"],
  ["disabled is removed", "disabled: true → none"],
  ["its type, which an update does not send", "type: read_write → read_only"],
  ["a secret that differs", "novelty: secret a → secret b"],
  ["a secret that is the same", "novelty: secret a"],
  ["a secret in a list", "novelty: [{a: secret a}] → [{a: secret b}]"],
  ["a limit beside an unknown attribute", "novelty: 1 → 2; autoscaling_limit_max_cu: 1 → 2"],
  ["a limit", "autoscaling_limit_max_cu: 1 → 2"],
  ["the same limit as a secret", "autoscaling_limit_max_cu: secret 1"],
  ["a limit as a secret that differs", "autoscaling_limit_max_cu: secret 1 → secret 2"],
  ["a limit that only the apply knows", "autoscaling_limit_max_cu: 1 → (unknown)"],
  ["a branch that only the apply knows", "branch_id: br-a → (unknown)"],
  ["settings that only the apply knows", "pg_settings: {work_mem: 8MB} → (unknown)"],
  ["settings that only the apply knows, where there were none", "pg_settings: {} → (unknown)"],
  ["a setting that only the apply knows", "pg_settings: {work_mem: 8MB} → {work_mem: (unknown)}"],
  ["a setting as a secret that differs", "pg_settings: {a: secret a} → {a: secret b}"],
  ["a setting as a secret that is the same", "pg_settings: {a: secret a}"],
  ["settings that are secret as a whole, and the same", "pg_settings: secret a"],
  ["timeouts, which only the tool uses", "timeouts: none → {update: 9m}"],
  ["the compute has another address", { actions: "no-op", more: { previous_address: "neon_endpoint.old" } }],
  ["the compute is forgotten", { actions: "forget" }],
  ["a deposed compute is deleted", { actions: "delete", more: { deposed: "a1" } }],
  ["a replacement", { actions: "create,delete" }],
  ["an unknown action", { actions: "renew" }],
  ["a data source that is read during the apply", { actions: "delete", more: { mode: "data" } }],
];

const databricks = "databricks_postgres_endpoint";
const delay = (seconds: number): string => `{suspend_timeout_seconds: ${seconds}}`;

const beside: readonly Row[] = [
  ["the project's name", inProject("name: a → b")],
  ["a project without a visible difference", inProject("name: a")],
  ["the project's first compute", inProject("primary_compute: [{max: 1}] → [{max: 2}]")],
  [
    "the second of two blocks for the first compute",
    inProject(`primary_compute: [${limits(1, 1)}, ${limits(1, 1)}] → [${limits(1, 1)}, ${limits(1, 2)}]`),
  ],
  ["a secret of the first compute", inProject("primary_compute: {a: secret a} → {a: secret b}")],
  [
    "the first compute's host, which the service sets",
    inProject("primary_compute: {host: a} → {host: (unknown)}"),
  ],
  ["the compute of a project's branch", inProject("branch: {endpoint: {min: 1}} → {endpoint: {min: 2}}")],
  ["a branch's name", inProject("branch: {name: a, endpoint: {min: 1}} → {name: b, endpoint: {min: 1}}")],
  [
    "the computes of branches in a map",
    inProject("branches: {m: {endpoints: [{max: 1}]}} → {m: {endpoints: []}}"),
  ],
  ["a new branch with a compute", inProject("branch: none → {endpoint: {min: 2}}")],
  ["a branch's compute that only the apply knows", inProject("branch: {endpoint: {min: 1}} → (unknown)")],
  ["the project's settings for computes", inProject("default_endpoint_settings: [{max: 1}] → [{max: 2}]")],
  [
    "a project's settings for computes at Databricks",
    {
      type: "databricks_postgres_project",
      sides: "spec: {default_endpoint_settings: {a: 1}} → {default_endpoint_settings: {a: 2}}",
    },
  ],
  ["replication, which restarts all computes", inProject("enable_logical_replication: false → true")],
  ["its quota, which suspends all computes when it is used up", inProject("quota: {a: 9} → {a: 1}")],
  [
    "a quota that only the apply knows, where there was none",
    inProject("name: a → b; quota: [] → (unknown)"),
  ],
  ["its maintenance window, which restarts computes", inProject("maintenance_window: {a: 1} → {a: 2}")],
  ["the project is new", { type: "neon_project", actions: "create" }],
  ["the project is forgotten", { type: "neon_project", actions: "forget" }],
  ["the project is deleted", deleted("neon_project")],
  ["a branch is deleted", deleted("neon_branch")],
  [
    "the time after which a branch is deleted",
    { type: "databricks_postgres_branch", sides: "spec: {no_expiry: true} → {ttl: 3600s}" },
  ],
  [
    "the time at which a branch is deleted",
    { type: "neon_branch", sides: "expires_at: none → '2030-01-01'" },
  ],
  ["a branch is replaced", { type: "neon_branch", actions: "delete,create" }],
  ["a project is replaced, the new one first", { type: "neon_project", actions: "create,delete" }],
  ["a branch at Databricks is deleted", deleted("databricks_postgres_branch")],
  [
    "a branch that Databricks made leaves the state",
    { ...deleted("databricks_postgres_branch"), sides: "replace_existing: true" },
  ],
  ["a compute of a type that no table has is deleted", deleted("neon_read_endpoint")],
  ["the size of its first compute", inProject(`primary_compute: [${limits(1, 1)}] → [${limits(1, 2)}]`)],
  ["the size of its first compute in a map", inProject(`primary_compute: ${limits(1, 1)} → ${limits(2, 2)}`)],
  ["the delay of its first compute", inProject(`primary_compute: [${delay(300)}] → [${delay(600)}]`)],
  [
    "the limit of its first compute is removed",
    inProject(`primary_compute: [${limits(1, 2)}] → [${limits(1, "null")}]`),
  ],
  [
    "a limit of its first compute that only the apply knows",
    inProject(`primary_compute: [{${max(1)}}] → [{${max("(unknown)")}}]`),
  ],
  ["the block of its first compute is removed", inProject(`primary_compute: [${limits(1, 2)}] → []`)],
  [
    "the size of its first compute beside the project's name",
    inProject(`name: a → b; primary_compute: [{${max(1)}}] → [{${max(2)}}]`),
  ],
  [
    "the size of its first compute beside the project's quota",
    inProject(`quota: {a: 1} → {a: 2}; primary_compute: [{${max(1)}}] → [{${max(2)}}]`),
  ],
  ["limits for computes created later", inProject(`${max(1)} → 2; autoscaling_limit_min_cu: 1 → (unknown)`)],
  ["the delay for computes created later", inProject(`${delay(300).slice(1, -1)} → 600`)],
  [
    "the block for computes created later",
    inProject(`default_endpoint_settings: [${limits(1, 1)}] → [${limits(1, 2)}]`),
  ],
  [
    "the whole block for computes created later is removed",
    inProject(`default_endpoint_settings: [${limits(1, 1)}] → []`),
  ],
  [
    "a setting for computes created later that no table has",
    inProject("default_endpoint_settings: [{a: 1}] → [{a: 2}]"),
  ],
  [
    "attributes that a new name makes unknown",
    inProject("name: a → b; default_endpoint_id: a → (unknown); database_host: a → (unknown)"),
  ],
  [
    "the host of a compute that the project declares",
    inProject("branch: {endpoint: {host: a}} → {endpoint: {host: (unknown)}}"),
  ],
  ["a role is replaced", { type: "neon_role", actions: "delete,create" }],
  ["a data source", { type: "neon_branches", actions: "read" }],
  ["an address for private traffic", deleted("neon_vpc_endpoint_assignment")],
  [
    "a rule for addresses for private traffic",
    { type: "neon_vpc_endpoint_restriction", sides: "vpc_endpoint_id: a → b" },
  ],
  ["another service's endpoint", { type: "aws_vpc_endpoint", sides: "compute: 1 → 2" }],
  ["a type that only contains the service's name", { type: "pantheon_endpoint", sides: "compute: 1 → 2" }],
  [
    "a database instance of Databricks, an older kind",
    { type: "databricks_database_instance", sides: "capacity: CU_1 → CU_2" },
  ],
  ["a status that an update makes unknown", { type: databricks, sides: "status: {a: b} → (unknown)" }],
];

const linesOf = (title: string, rows: readonly Row[]): string =>
  gateLines(
    title,
    rows.map(([reason, changes]) => [
      reason,
      planOf(typeof changes === "string" ? { sides: changes } : changes),
    ]),
  );

it("--fail-on passes only changes that are known not to interrupt a compute", () => {
  const told = [
    linesOf("a compute in a plan of Terraform", computes),
    linesOf("a resource other than a compute in a plan of Terraform", beside),
  ];
  expectKept(goldenFile("gates"), told.join("\n"));
});
