/** Documents of Terraform as a whole: what is beside its changes, primaries at Databricks, and damage. */
import { gate, planOf, type Changed } from "./others";
import { eventLines, fixture } from "../previews";

it.each<[file: string, code: number, says: string]>([
  ["lakebasePrimaryTakenOver.json", 6, "1 compute is taken over"],
  ["lakebasePrimaryLeaves.json", 0, "1 compute is removed from the state"],
  ["primaryOfProjectResized.json", 24, "neon_project.shop.primary_compute restarts"],
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
  ["eventsOfJava.ndjson", 24, "orders restarts"],
  ["eventsOfPython.ndjson", 24, "orders restarts"],
  ["behindTurbosPrefix.txt", 24, "orders restarts"],
  ["cutDownOwn.json", 6, "compute:index:Endpoint orders"],
  ["dynamicOfProgram.json", 6, "pulumi-nodejs:dynamic:Resource orders: minCu, maxCu"],
  ["deletionCountedAlone.txt", 3, ""],
  ["settingNamedLikeAnswer.json", 6, "neon_endpoint.orders: pg_settings.session.host"],
  ["poolerHostUnknown.json", 0, "suspend_timeout_seconds: 300 → 600"],
  ["projectRenamed.json", 0, "Passed: no compute drops"],
  ["redactedInNewerForm.txt", 3, ""],
  ["plansInList.txt", 3, ""],
  ["gitLabReport.txt", 3, ""],
  ["validation.txt", 3, ""],
])("a report of users, %s, ends with %d and says: %s", (file, code, says) => {
  const ran = gate(fixture(`others/${file}`).toString());
  expect(ran).toMatchObject({ code });
  expect(ran.out).toContain(says);
  if (code !== 24) expect(ran.out).not.toMatch(/\d computes? drops? /);
});

it("a report of users: the first plan after an upgrade of the provider finds no change made outside", () => {
  expect(gate(fixture("others/filledInByUpgrade.json").toString(), "drift").code).toBe(0);
});

it.each<[reason: string, sides: string, code: number]>([
  ["a delay", "", 0],
  ["a limit", "autoscaling_limit_max_cu: 1 → 4", 24],
  ["a secret, which may differ", "novelty: secret a", 6],
])("a plan of HCP Terraform without its secrets is a whole one: %s", (_reason, sides, code) => {
  const { resource_changes } = planOf({ sides });
  const ran = gate({ plan_format_version: "1.2", provider_schemas: {}, resource_changes });
  expect(ran.code).toBe(code);
  expect(ran.out).not.toContain("not complete");
});

it("what an earlier apply left behind is deleted beside a step of the same address, also without an id", () => {
  const type = "databricks_postgres_endpoint";
  const sides = "id: none; endpoint_id: a";
  const ran = gate(
    planOf({ type, actions: "create", sides }, { type, actions: "delete", sides, more: { deposed: "a1" } }),
  );
  expect(ran.code).toBe(20);
  expect(ran.out).toContain("is deleted");
});

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
it.each<[reason: string, plan: object, code: number, says?: string]>([
  ["a restart by an action", invoked("neon_endpoint_restart"), 6],
  ["one of several actions", invoked("aws_lambda_invoke", "databricks_postgres_branch_restore"), 6],
  ["actions of other services alone", invoked("aws_lambda_invoke", "databricks_job_run"), 0],
  ["an action that waits", invokedLater("neon_endpoint_restart"), 6],
  ["computes whose number only the apply knows", later("neon_endpoint"), 6, "judged: neon_endpoint.app."],
  ["a project that waits", later("neon_project"), 6, "Cannot be judged: neon_project.app."],
  ["a database that waits, which is no compute", later("neon_database"), 0],
  ["what waits of another service", later("aws_instance"), 0],
  ["-target", { ...harmless, complete: false, errored: false }, 0, "part may be missing here"],
  ["-target, of a limit", { ...restart, complete: false }, 24, "part may be missing here"],
  ["its changes alone", { resource_changes: harmless.resource_changes }, 0, "part may be missing here"],
  ["an error", { ...harmless, complete: false, errored: true }, 4],
])("a plan with %s ends with its code", (...[, plan, code, says = ""]) => {
  const ran = gate(plan);
  expect(ran.code).toBe(code);
  expect(ran.out.replaceAll(/\s+/g, " ")).toContain(says);
});

it.each<[reason: string, changed: Changed, code: number, says?: string]>([
  ["a limit", { sides: "autoscaling_limit_max_cu: 1 → 4" }, 27, "changed outside: size: 1 → 1–4 CU"],
  ["an attribute that no table has", { sides: "novelty: a → b" }, 27, "changed outside: novelty: a → b"],
  ["the same as a secret", { sides: "novelty: secret a → secret b" }, 27],
  ["a secret that is the same", { sides: "novelty: secret a" }, 0],
  ["what the service alone decides", { sides: "last_active: 1 → 2" }, 0],
  ["a project's first compute", { type: "neon_project", sides: "primary_compute: [{a: 1}] → [{a: 2}]" }, 27],
  ["a project's retention", { type: "neon_project", sides: "retention: 1 → 2" }, 0],
  [
    "what a newer provider fills in",
    { sides: "host_pooling: none → a; name: none → ''; novelty: none → {a: 1}" },
    0,
  ],
  ["the same in a project", { type: "neon_project", sides: "primary_compute: [] → [{a: 1}]" }, 0],
  [
    "a setting of another provider with a dot",
    { provider: "a/neon", sides: "pg_settings: {a.b: 1} → {a.b: 2}" },
    27,
  ],
  [
    "a project that is gone",
    { type: "neon_project", actions: "delete" },
    27,
    "is gone, deleted outside with its computes",
  ],
])("what a plan found changed outside, with --fail-on drift: %s", (...[, changed, code, says = ""]) => {
  const { resource_changes: found } = planOf({ ...changed, isAlone: true });
  const ran = gate({ ...planOf(), resource_drift: found }, "drift");
  expect(ran.code).toBe(code);
  expect(ran.out).toContain(says);
});

describe("the primary of a branch at Databricks", () => {
  const place = "parent: projects/shop/branches/dev";
  const typed = (type: string): string => `${place}; spec: {endpoint_type: ENDPOINT_TYPE_READ_${type}}`;
  const endpoint = (sides: string, actions = "create"): Changed => ({
    ...{ type: "databricks_postgres_endpoint", actions },
    sides: `endpoint_id: primary; ${sides}`,
  });
  const primary = (more = "", actions?: string): Changed => endpoint(`${typed("WRITE")}${more}`, actions);
  const branch = (id: string, more = "", actions = "create"): Changed => ({
    ...{ type: "databricks_postgres_branch", actions },
    sides: `parent: projects/shop; branch_id: ${id}${more}`,
  });
  const project: Changed = {
    ...{ type: "databricks_postgres_project", actions: "create" },
    sides: "project_id: shop",
  };
  const takes = "; replace_existing: true";
  const ofUnknown = endpoint(`parent: (unknown); spec: {endpoint_type: ENDPOINT_TYPE_READ_WRITE}${takes}`);
  it.each<[reason: string, changes: readonly Changed[], code: number]>([
    ["is taken over", [primary(takes)], 6],
    ["is taken over, as far as the plan knows", [primary("; replace_existing: (unknown)")], 6],
    ["is taken over with its branch", [branch("dev", takes)], 6],
    ["comes with its branch", [branch("dev"), primary(takes)], 0],
    ["comes with its project", [project, branch("dev", takes), primary(takes)], 0],
    ["comes with a branch whose name only the apply knows", [branch("dev"), ofUnknown], 0],
    ["is of another branch than the new one", [branch("other"), primary(takes)], 6],
    ["is of a branch whose name only begins alike", [branch("de"), primary(takes)], 6],
    [
      "may be of a branch that is there",
      [branch("dev"), branch("dev", "; a: 1 → 2", "update"), ofUnknown],
      6,
    ],
    ["may be of a branch that is taken over", [branch("dev", takes), ofUnknown], 6],
    ["is made without a word of one that exists", [primary()], 0],
    ["leaves the state", [primary("", "delete")], 0],
    ["is replaced, which rewrites it", [primary(takes, "delete,create")], 6],
    ["is none: a replica is deleted", [endpoint(`${typed("ONLY")}; endpoint_id: r1`, "delete")], 20],
    ["is changed", [primary("; disabled: false → true", "update")], 6],
  ])("%s", (_reason, changes, code) => {
    const ran = gate(planOf(...changes));
    expect(ran.code).toBe(code);
    if (code !== 20) expect(ran.out).not.toMatch(/\d computes? drops? /);
  });
});

const texts = { harmless: JSON.stringify(harmless), restart: JSON.stringify(restart) };
const pretty = JSON.stringify(restart, undefined, 2);
const half = texts.restart.slice(0, texts.restart.length / 2);
it.each<[reason: string, text: string, says: string]>([
  ["begins a second time", `${texts.harmless}\n${half}`, "cut off"],
  ["begins twice, and ends once", `${half}\n${texts.harmless}`, "cut off"],
  [
    "has a brace too many",
    pretty.replace('"planned_values": {}', '"planned_values": {}}'),
    "broken on line 3 ",
  ],
  ["closes early", `${texts.harmless},"resource_changes":[{"address":"a.b"}]}`, "broken on line 1 "],
  ["has a quote too few", pretty.replace('"update"', '"update'), "broken between line 1 and line "],
  ["has a newer format", JSON.stringify({ ...harmless, format_version: "2.0" }), "has version 2.0"],
  [
    "has another form",
    JSON.stringify({ ...harmless, resource_changes: [{}] }),
    "it does not have the expected form",
  ],
])("a plan that %s is not read, however harmless the rest looks", (_reason, text, says) => {
  const ran = gate(text);
  expect(ran).toMatchObject({ code: 3, out: "" });
  expect(ran.err).toContain(says);
  expect(ran.err).toContain("`terraform plan -out plan`");
});

it.each<[reason: string, text: string]>([
  ["the encoded end of a line", `${texts.restart}%0A\n::set-output name=stderr::`],
  ["an object that a program prints", `${texts.restart}\n{\n  name: 'x',\n}\n`],
  [
    "a command in brackets",
    `[command]/opt/terraform show -json plan\n${texts.restart}\n::debug::exitcode: 0`,
  ],
])("a plan is read with %s around it", (_reason, text) => {
  expect(gate(text).code).toBe(24);
});

describe("events that a tool passes on without their numbers", () => {
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

  it("have errors without the engine's colours", () => {
    const message = "<{%fg 1%}>error: <{%reset%}>no such <{%bold%}>branch<{%reset%}>";
    const ran = read(event("diagnosticEvent", { message, severity: "error" }), event("summaryEvent", {}));
    expect(ran.code).toBe(4);
    expect(ran.out).toContain("error: no such branch");
  });
});
