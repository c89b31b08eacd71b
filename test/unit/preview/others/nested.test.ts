import { gate, planOf, type Changed } from "./plans";

describe("a compute within another resource of a plan", () => {
  const project = (before: object, after: object, rest: Changed = {}): Changed => ({
    type: "neon_project",
    provider: "registry.example/acme/neon",
    before: { name: "a", ...before },
    after: { name: "b", ...after },
    ...rest,
  });
  const nested = (cu: number): object => ({ branch: { name: "main", endpoint: { min_cu: cu } } });
  const branches = (cu: number): object => ({
    branches: { main: { endpoints: [{ autoscaling_limit_max_cu: cu }] } },
  });
  it.each<[reason: string, changed: Changed, code: number]>([
    ["the project's name", project({}, {}), 0],
    ["its first compute", project({ primary_compute: [{ max: 1 }] }, { primary_compute: [{ max: 2 }] }), 6],
    ["the compute of its branch", project(nested(1), nested(2)), 6],
    ["another name of its branch", project(nested(1), { branch: { name: "b", endpoint: { min_cu: 1 } } }), 0],
    ["the computes in a map", project(branches(1), branches(2)), 6],
    ["a branch block with a compute, where there was none", project({ branch: null }, nested(2)), 6],
    ["its compute is known only after the apply", project(nested(1), {}, { unknown: { branch: true } }), 6],
    [
      "what the service says of its compute",
      project({ primary_compute: { host: "a" } }, {}, { unknown: { primary_compute: { host: true } } }),
      0,
    ],
    [
      "a secret of its compute",
      project(
        { primary_compute: { a: "1" } },
        { primary_compute: { a: "2" } },
        { masks: { primary_compute: true } },
      ),
      6,
    ],
    [
      "defaults of computes at Databricks",
      {
        ...project(
          { spec: { default_endpoint_settings: { a: 1 } } },
          { spec: { default_endpoint_settings: { a: 2 } } },
        ),
        type: "databricks_postgres_project",
      },
      6,
    ],
    [
      "logical replication, which restarts all computes",
      project({ enable_logical_replication: false }, { enable_logical_replication: true }),
      6,
    ],
    [
      "a rule for private addresses",
      {
        ...project({ vpc_endpoint_id: "a" }, { vpc_endpoint_id: "b" }),
        type: "neon_vpc_endpoint_restriction",
      },
      0,
    ],
    ["no difference that shows", { ...project({}, { name: "a" }) }, 6],
    ["the project is forgotten", project({}, {}, { actions: "forget", after: null }), 0],
    ["the project is deleted", project({}, {}, { actions: "delete", after: null }), 6],
    ["a role", { ...project({}, {}), type: "neon_role", actions: "delete,create" }, 0],
    [
      "another service's endpoint",
      { ...project({ compute: 1 }, { compute: 2 }), type: "aws_vpc_endpoint" },
      0,
    ],
    [
      "a name that only contains the service's",
      { ...project({ compute: 1 }, { compute: 2 }), type: "pantheon_endpoint" },
      0,
    ],
  ])("%s", (_reason, changed, code) => {
    expect(gate(planOf(changed)).code).toBe(code);
  });
});
