import { readPreview } from "../../../preview/read/preview";
import { reportOf } from "../../../preview/judge/report";
import { toMarkdown } from "../../../preview/render/markdown";
import { neonPlan, planOf, previewOf, reportOn } from "./peerPlans";

const neon = {
  projectId: "p",
  branchId: "br-a",
  type: "read_write",
  autoscalingLimitMinCu: 1,
  autoscalingLimitMaxCu: 8,
  suspendTimeoutSeconds: 300,
};
const databricks = {
  parent: "projects/p/branches/main",
  endpointId: "primary",
  spec: {
    endpointType: "ENDPOINT_TYPE_READ_WRITE",
    autoscalingLimitMinCu: 1,
    autoscalingLimitMaxCu: 8,
    suspendTimeoutDuration: "600s",
  },
};
const databricksPlan = {
  parent: "projects/p/branches/main",
  spec: { endpoint_type: "ENDPOINT_TYPE_READ_ONLY", autoscaling_limit_max_cu: 4, no_suspension: true },
};

const neonType = "neon:index/endpoint:Endpoint";
const databricksType = "databricks:index/postgresEndpoint:PostgresEndpoint";

/** The bridged provider's names are those of its page in Pulumi's registry, Databricks' those of @pulumi/databricks 1.110.0. */
describe("computes of other providers", () => {
  it.each([
    {
      reason: "the bridged provider's smaller minimum",
      document: previewOf(neonType, "update", {
        before: neon,
        after: { ...neon, autoscalingLimitMinCu: 0.25 },
      }),
      outcome: "restart",
      drops: "yes",
      connections: [3357, 839],
    },
    {
      reason: "its autosuspend delay alone",
      document: previewOf(neonType, "update", {
        before: neon,
        after: { ...neon, suspendTimeoutSeconds: 600 },
      }),
      outcome: "none",
      drops: "no",
    },
    {
      reason: "its deletion",
      document: previewOf(neonType, "delete", { before: neon, after: null }),
      outcome: "delete",
      drops: "yes",
    },
    {
      reason: "its replacement",
      document: previewOf(neonType, "replace", { before: neon, after: neon }),
      outcome: "replace",
      drops: "yes",
    },
    {
      reason: "a larger maximum in Terraform",
      document: planOf("neon_endpoint", ["update"], {
        before: { ...neonPlan, autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 1 },
        after: { ...neonPlan, autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 2 },
      }),
      outcome: "restart",
      drops: "yes",
      connections: [419, 839],
    },
    {
      reason: "a value that the table does not know",
      document: planOf("neon_endpoint", ["update"], {
        before: neonPlan,
        after: { ...neonPlan, compute_provisioner: "k8s-neonvm" },
      }),
      outcome: "interrupt",
      drops: "may",
    },
    {
      reason: "an action that nobody knows",
      document: planOf("neon_endpoint", ["renew"], { before: neonPlan, after: neonPlan }),
      outcome: "interrupt",
      drops: "may",
    },
    {
      reason: "what Terraform forgets continues to run",
      document: planOf("neon_endpoint", ["forget"], { before: neonPlan, after: null }),
      outcome: "release",
      drops: "no",
    },
    {
      reason: "Databricks does not say what a size restarts",
      document: previewOf(databricksType, "update", {
        before: databricks,
        after: { ...databricks, spec: { ...databricks.spec, autoscalingLimitMaxCu: 9 } },
      }),
      outcome: "restart",
      drops: "may",
    },
    {
      reason: "nor what the delay of its suspension does",
      document: previewOf(databricksType, "update", {
        before: databricks,
        after: { ...databricks, spec: { ...databricks.spec, suspendTimeoutDuration: "900s" } },
      }),
      outcome: "interrupt",
      drops: "may",
    },
    {
      reason: "Databricks' group of computes in Terraform",
      document: planOf("databricks_postgres_endpoint", ["update"], {
        before: databricksPlan,
        after: { ...databricksPlan, spec: { ...databricksPlan.spec, group: { min: 2, max: 2 } } },
      }),
      outcome: "interrupt",
      drops: "may",
    },
  ])("judges $reason", ({ document, outcome, drops, connections }) => {
    const [compute] = reportOn(document).computes;
    expect(compute).toMatchObject({ outcome, drops });
    const shown = compute?.figures.find(({ name }) => name === "max_connections");
    expect(shown && [shown.from, shown.to]).toEqual(connections);
  });

  it.each([
    {
      reason: "a service that does not say what it restarts",
      document: previewOf(databricksType, "update", {
        before: databricks,
        after: { ...databricks, spec: { ...databricks.spec, autoscalingLimitMaxCu: 9 } },
      }),
    },
    {
      reason: "an action that is unknown",
      document: planOf("neon_endpoint", ["renew"], { before: neonPlan, after: neonPlan }),
    },
    {
      reason: "another bridge of the service",
      document: previewOf("neon:resource:Endpoint", "update", { before: {}, after: {} }),
    },
    {
      reason: "a project that goes with its computes",
      document: planOf("neon_project", ["delete"], { before: {}, after: null }),
    },
    {
      reason: "a branch that is replaced",
      document: planOf("neon_branch", ["delete", "create"], { before: {}, after: {} }),
    },
    {
      reason: "a project's settings of its first compute",
      document: planOf("neon_project", ["update"], {
        before: { default_endpoint_settings: [{ autoscaling_limit_max_cu: 1 }] },
        after: { default_endpoint_settings: [{ autoscaling_limit_max_cu: 2 }] },
      }),
    },
    {
      reason: "an older kind of instance",
      document: planOf("databricks_database_instance", ["update"], {
        before: {},
        after: { capacity: "CU_2" },
      }),
    },
  ])("does not pass $reason, which it cannot judge", ({ document }) => {
    const report = reportOn(document);
    expect(report.verdict).toMatchObject({ word: "not known", code: 6 });
    expect(report.verdict.line).toContain("what happens to the computes of 1 resource cannot be judged");
    expect(toMarkdown(report, { maxLength: 65_536 })).toContain("Cannot be judged: `");
    expect(reportOf(readPreview(Buffer.from(JSON.stringify(document)))).verdict).toMatchObject({
      word: "passed",
      code: 0,
      line: report.verdict.line,
    });
  });

  it.each([
    { reason: "a new project", document: planOf("neon_project", ["create"], { before: null, after: {} }) },
    {
      reason: "a project's name",
      document: planOf("neon_project", ["update"], { before: { name: "a" }, after: { name: "b" } }),
    },
    {
      reason: "an address for private traffic",
      document: planOf("neon_vpc_endpoint_assignment", ["delete"], { before: {}, after: null }),
    },
    {
      reason: "a compute without a change",
      document: planOf("neon_endpoint", ["no-op"], { before: neonPlan, after: neonPlan }),
    },
    { reason: "data that is read", document: planOf("neon_branches", ["read"], { before: null, after: {} }) },
  ])("passes $reason", ({ document }) => {
    expect(reportOn(document).verdict).toMatchObject({ word: "passed", code: 0 });
  });
});
