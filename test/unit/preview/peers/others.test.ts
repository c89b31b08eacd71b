/** Resources of other providers: a change passes only if everything in it is known not to interrupt a compute. */
import { readPreview } from "../../../../preview/input";
import { reportOf } from "../../../../preview/judge/report";
import { verdictOn } from "../../../../preview/judge/verdict";
import type { Report } from "../../../../preview/shape";
import { bridgedOf, databricksPrimary, deleted, gate, inProject, planOf, type Changed } from "./others";
import { commentOn, fixture } from "../previews";

const reportOn = (document: object): Report => reportOf(readPreview(Buffer.from(JSON.stringify(document))));
const databricks = "databricks_postgres_endpoint";
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
  ["the host of its pooler, its state", "host_pooling: a → (unknown); current_state: a → (unknown)", 0],
  ["its release, and why it was made", "compute_release_version: a → b; creation_source: (unknown)", 0],
  ["a member with the name of an answer", "failover: {host: a} → {host: b}", 6],
  ["the same in a list", "failover: [{id: a}] → [{id: b}]", 6],
  ["a setting with the name of an answer, taken away", "pg_settings: {host: a} → {}", 6],
  ["a setting with the text null, taken away", "pg_settings: {work_mem: 'null'} → {}", 6],
  ["the text null that goes", "novelty: 'null' → none", 6],
  ["a number written as text", "novelty: 1 → '1'", 0],
  ["a branch that a CI has masked", "branch_id: '***'", 6],
  ["a part of it", "branch_id: br-***-1", 6],
  ["a setting that GitLab has masked", "pg_settings: {work_mem: '[MASKED]'}", 6],
  ["a name that a CI has masked", "name: '***'", 0],
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
  ["a limit beside what nobody knows", "novelty: 1 → 2; autoscaling_limit_max_cu: 1 → 2", 24],
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

it("what cannot be judged says so, and stands beside what is refused for certain", () => {
  const report = reportOn(planOf(inProject("quota: {a: 9} → {a: 1}")));
  const says = "what happens to the computes of 1 resource cannot be judged";
  expect(report.verdict).toMatchObject({ word: "reported", code: 0 });
  expect(report.verdict.line).toContain(says);
  expect(commentOn(report)).toContain("Cannot be judged: `");
  const reports = [reportOn(ofPlan({ actions: "delete,create" })), report];
  expect(verdictOn({ reports, failOn: ["replace"] })).toMatchObject({
    ...{ word: "refused", code: 21, line: `1 compute in 1 of 2 plans is replaced; ${says}` },
  });
  expect(verdictOn({ reports, failOn: ["move"] })).toMatchObject({ word: "not known", code: 6 });
});

it("names are those of the plan", () => {
  const sides =
    "suspend_timeout_seconds: 300 → 900; pooler_enabled: false → true; pg_settings: {work_mem: 8MB} → {work_mem: 9MB}";
  const { out } = gate(planOf({ sides }, { ...deleted("neon_endpoint"), actions: "forget" }));
  for (const name of [
    "suspend_timeout_seconds: 300 → 900",
    "pooler_enabled:",
    "pg_settings.work_mem:",
    "is removed from the state",
  ])
    expect(out).toContain(name);
  expect(gate(bridgedOf({ sides: "autoscaling_limit_min_cu: 1 → 0.25" })).out).toContain(
    "suspendTimeoutSeconds: 300 → 600",
  );
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
  const beside = "what happens to the computes of 2 resources cannot be judged";
  expect(report.verdict).toMatchObject({ word: "refused", code: 24, line: `${line}; ${beside}` });
  expect(JSON.stringify(report)).not.toMatch(/"[34]0s"/);
});
