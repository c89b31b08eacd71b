/**
 * What other resources do to the computes around them. Each row is a promise; `golden/neighbours.txt` has its exit code with
 * `--fail-on=may` and what happens to computes.
 * `GOLDENS=write npx jest unit/preview/peers/neighbours` writes it anew. Read the differences.
 */
import { neighbours } from "../../../../preview/peers/neighbours";
import { textOf } from "../../docs/checkout";
import { expectKept } from "../../../support/kept";
import { readPreview } from "../../../../preview/input";
import { reportOf } from "../../../../preview/judge/report";
import { toText } from "../../../../preview/render/text";
import { digest, eventLines, goldenFile, size, step, type StepParts } from "../previews";
import { bridgedOf, gate, gateLines, kinds, planOf, type Changed } from "./others";

const kept = (sides = ""): Changed => ({ actions: "no-op", sides, isAlone: true });
const role = (sides = "project_id: p; branch_id: br-a", actions = "create"): Changed => ({
  ...{ type: "neon_role", actions },
  sides: `name: reporting; ${sides}`,
});
const project = (sides: string, actions = "update"): Changed => ({
  ...{ type: "neon_project", actions },
  sides: `id: p; ${sides}`,
});
const resized = { sides: "autoscaling_limit_max_cu: 1 → 2" };
const official = (changed: Changed): Changed => ({
  ...changed,
  provider: "registry.example/neondatabase/neon",
});
const restriction = (actions: string, label = "a"): Changed => ({
  ...{ type: "neon_vpc_endpoint_restriction", actions },
  sides: `project_id: p; vpc_endpoint_id: vpce-1; label: a → ${label}`,
});

const plans: readonly (readonly [reason: string, ...changes: readonly Changed[]])[] = [
  ["a new role", role(), kept()],
  ["a new role of the official provider", official(role()), official(kept())],
  ["a role that is replaced", role("project_id: p; branch_id: br-a", "delete,create"), kept()],
  ["a role that is replaced, created first", role("project_id: p; branch_id: br-a", "create,delete"), kept()],
  ["a role without changes", role(undefined, "no-op"), kept()],
  ["a role that is deleted", role(undefined, "delete"), kept()],
  ["a role that is read", role(undefined, "read"), kept()],
  ["a new database", { ...role(), type: "neon_database" }, kept()],
  ["a new role on another branch", role("project_id: p; branch_id: br-b"), kept()],
  [
    "a new role on a branch of the same name in another project",
    role("project_id: q; branch_id: br-a"),
    kept(),
  ],
  ["a new role without a compute in the plan", role()],
  ["two new roles without a compute in the plan", role(), role()],
  ["a new role on a branch that is a secret", role("project_id: p; branch_id: secret a"), kept()],
  ["a new role on a branch that only the apply knows", role("project_id: p; branch_id: (unknown)"), kept()],
  [
    "a new role on a new branch",
    role("project_id: p; branch_id: (unknown)"),
    { type: "neon_branch", actions: "create", sides: "project_id: p; name: dev" },
    kept(),
  ],
  [
    "a new role in a new project",
    role("project_id: (unknown); branch_id: (unknown)"),
    project("name: shop", "create"),
  ],
  ["a new role beside a compute that restarts", role(), resized],
  ["a new role beside a compute that moves", role(), { sides: "branch_id: br-a → br-b" }],
  ["a new role beside a compute that is new", role(), { actions: "create" }],
  ["a new role beside a compute that is deleted", role(), { actions: "delete" }],
  ["a new role beside a compute that is replaced", role(), { actions: "delete,create" }],
  ["a new role beside a compute that is disabled", role(), kept("disabled: true")],
  ["a new role beside a compute that changes its autosuspend", role(), {}],
  ["logical replication is enabled", project("enable_logical_replication: 'no' → 'yes'"), kept()],
  [
    "logical replication is enabled, in the official provider's settings",
    official(project("settings: {enable_logical_replication: false} → {enable_logical_replication: true}")),
    official(kept()),
  ],
  ["logical replication is a secret", project("enable_logical_replication: 'no' → secret a"), kept()],
  [
    "logical replication only the apply knows",
    project("enable_logical_replication: 'no' → (unknown)"),
    kept(),
  ],
  ["HIPAA is enabled", project("settings: {hipaa: false} → {hipaa: true}"), kept()],
  ["HIPAA in a new project", project("settings: {hipaa: true}", "create")],
  ["logical replication and a role", project("enable_logical_replication: 'no' → 'yes'"), role(), kept()],
  ["logical replication and a size", project("enable_logical_replication: 'no' → 'yes'"), resized],
  ["logical replication, without a compute", project("enable_logical_replication: 'no' → 'yes'")],
  ["the internet is shut out", project("block_public_connections: false → true"), kept()],
  ["the internet is let in", project("block_public_connections: true → false"), kept()],
  ["private networks are shut out", project("block_vpc_connections: 'no' → 'yes'"), kept()],
  ["one more address is allowed", project("allowed_ips: [a] → [a, b]"), kept()],
  [
    "addresses in a block",
    official(project("settings: {allowed_ips: {ips: [a]}} → {allowed_ips: {ips: [b]}}")),
    official(kept()),
  ],
  ["only a private network is let in", restriction("create"), kept()],
  ["another label of a private network", restriction("update", "b"), kept()],
  ["a private network is no longer required", restriction("delete"), kept()],
  [
    "a project with its primary compute",
    project("enable_logical_replication: 'no' → 'yes'; primary_compute: {autoscaling_limit_max_cu: 1}"),
  ],
  ["the name of a project", project("name: a → b"), kept()],
];

it("names whose connections another resource drops", () => {
  const rows = plans.map(([reason, ...changes]) => [reason, planOf(...changes)] as const);
  expectKept(goldenFile("neighbours"), gateLines("resources around computes", rows, `${kinds},may`));
});

it("does not count what only may drop connections as certain", () => {
  expect(gate(planOf(role(), kept()), "drop,replace,delete").code).toBe(0);
  expect(gate(planOf(project("enable_logical_replication: 'no' → 'yes'"), kept()), "drop").code).toBe(26);
});

it("knows a role of Pulumi's bridged package", () => {
  const type = "neon:index/role:Role";
  const line = /branch br-a may be interrupted\n {2}clients {2}open connections may drop; a role is created/;
  for (const op of ["create", "create-replacement", "replace", "import"])
    expect(gate(bridgedOf({ type, op }), "may").out).toMatch(op === "import" ? /no compute drops/ : line);
});

describe("beside an Endpoint", () => {
  const newRole = (branchId: string): object => ({
    ...{ op: "create", urn: "urn:pulumi:dev::shop::neon:index/role:Role::reporting" },
    newState: { inputs: { projectId: "p", branchId, name: "reporting" } },
  });
  const around = (branchId: string, ...parts: readonly StepParts[]): string =>
    toText(reportOf(readPreview(digest([newRole(branchId), ...parts.map(step)]))));
  const may = "clients  open connections may drop; a role is created on its branch (reporting)";

  it("says what a role of another package does", () => {
    expect(around("br-a", { op: "same" })).toContain(`app may be interrupted\n  ${may}`);
    expect(
      around("br-a", { old: { suspendTimeoutSeconds: 300 }, new: { suspendTimeoutSeconds: 60 } }),
    ).toContain(may);
    expect(around("br-a", { old: size(1), new: size(2) })).toMatch(
      /app restarts\n[^]*open connections drop; a role is created on its branch \(reporting\)/,
    );
    expect(around("br-b", { op: "same" })).toContain("the computes of branch br-b may be interrupted");
  });

  it.each<[reason: string, branchId: string, ...parts: readonly StepParts[]]>([
    [
      "a compute that is idle",
      "br-a",
      { old: size(1), new: size(2), verdict: { effect: "restart", now: "idle" } },
    ],
    ["a compute that is disabled", "br-a", { op: "same", old: { disabled: true } }],
  ])("says nothing of %s", (...[, branchId, ...parts]) => {
    expect(around(branchId, ...parts)).not.toContain("role");
  });

  it("knows unchanged computes in events, too", () => {
    const event = ({ op, urn, newState, oldState }: Record<string, unknown>): object => ({
      resourcePreEvent: { planning: true, metadata: { op, urn, new: newState, old: oldState } },
    });
    const events = [newRole("br-a"), step({ op: "same" })].map((one) =>
      event(one as Record<string, unknown>),
    );
    const end = { summaryEvent: { isPreview: true, resourceChanges: { create: 1, same: 1 } } };
    expect(toText(reportOf(readPreview(eventLines(...events, end))))).toContain(may);
  });
});

it("says of a renamed branch why computes on it look as if they moved", () => {
  const branch: Changed = {
    ...{ type: "neon_branch", provider: "registry.example/neondatabase/neon" },
    sides: "id: br-a → (unknown); name: a → b",
  };
  const renamed = planOf(branch, { sides: "branch_id: br-a → (unknown)" });
  expect(gate(renamed, "move").out.replaceAll(/\s+/g, " ")).toContain(
    "a branch gets another name, and its provider leaves the id open until the apply (neon_branch.app)",
  );
});

it("has the table that the page shows", () => {
  const rows = neighbours.map(({ types, action, whose, certain, source }) =>
    [
      types.map((type) => `\`${type}\``).join(", "),
      action,
      `all of the ${whose}`,
      certain ? "certain" : "may",
      source,
    ].join(" | "),
  );
  const page = textOf("docs/terraform.md").replaceAll(/ +/g, " ");
  for (const row of rows) expect(page).toContain(`| ${row} |`);
});
