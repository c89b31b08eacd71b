import { gate, planOf, type Changed } from "./plans";

describe("the primary of a branch at Databricks", () => {
  const parent = "projects/shop/branches/dev";
  const primary = (more: object, rest: Changed = {}): Changed => ({
    type: "databricks_postgres_endpoint",
    actions: "create",
    before: null,
    after: { endpoint_id: "primary", parent, spec: { endpoint_type: "ENDPOINT_TYPE_READ_WRITE" }, ...more },
    ...rest,
  });
  const branch = (more: object, rest: Changed = {}): Changed => ({
    type: "databricks_postgres_branch",
    actions: "create",
    before: null,
    after: { parent: "projects/shop", branch_id: "dev", ...more },
    ...rest,
  });
  const project: Changed = {
    type: "databricks_postgres_project",
    actions: "create",
    before: null,
    after: { project_id: "shop" },
  };
  const takes = { replace_existing: true };
  const later = { unknown: { parent: true } };
  const before = { endpoint_id: "primary", parent, spec: { endpoint_type: "ENDPOINT_TYPE_READ_WRITE" } };
  const replica = { endpoint_id: "r1", parent, spec: { endpoint_type: "ENDPOINT_TYPE_READ_ONLY" } };
  it.each<[reason: string, changes: readonly Changed[], code: number]>([
    ["is taken over", [primary(takes)], 6],
    ["is taken over, as far as the plan knows", [primary({}, { unknown: { replace_existing: true } })], 6],
    ["is taken over with its branch", [branch(takes)], 6],
    ["comes with its branch", [branch({}), primary(takes)], 0],
    ["comes with its project", [project, branch(takes), primary(takes)], 0],
    [
      "comes with a branch whose name only the apply knows",
      [branch({}), primary({ ...takes, parent: undefined }, later)],
      0,
    ],
    ["is of another branch than the new one", [branch({ branch_id: "other" }), primary(takes)], 6],
    ["is of a branch whose name only begins alike", [branch({ branch_id: "de" }), primary(takes)], 6],
    [
      "may be of a branch that is there",
      [
        branch({}),
        branch({ a: 2 }, { actions: "update", before: { a: 1 } }),
        primary({ ...takes, parent: undefined }, later),
      ],
      6,
    ],
    [
      "may be of a branch that is taken over",
      [branch(takes), primary({ ...takes, parent: undefined }, later)],
      6,
    ],
    ["is made without a word of one that exists", [primary({})], 0],
    ["leaves the state", [primary({}, { actions: "delete", before, after: null })], 0],
    ["is replaced, which rewrites it", [primary(takes, { actions: "delete,create", before })], 6],
    ["is none: a replica is deleted", [primary({}, { actions: "delete", before: replica, after: null })], 20],
    ["is changed", [primary({ spec: { disabled: true } }, { actions: "update", before })], 6],
  ])("%s", (_reason, changes, code) => {
    const ran = gate(planOf(...changes));
    expect(ran.code).toBe(code);
    if (code !== 20) expect(ran.out).not.toMatch(/\d computes? drops? /);
  });
});
