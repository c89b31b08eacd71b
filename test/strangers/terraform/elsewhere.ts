/** Computes that projects and branches hold, and those of other services. */
import {
  resource,
  block,
  range,
  fixed,
  suspendAfter,
  app,
  plain,
  project,
  primary,
  harmless,
} from "./declarations";
import type { Row } from "./rows";

const lakebase = (settings: string, cu: number): string =>
  resource(
    "databricks_postgres_endpoint",
    "primary",
    `endpoint_id = "primary"\n${settings}\nspec = {\nendpoint_type = "ENDPOINT_TYPE_READ_WRITE"\n${fixed(cu)}}`,
  );
const existing = `parent = "projects/shop/branches/production"`;
const ofShop = (...attributes: readonly string[]): readonly string[] => [
  `not known: neon_project.shop: ${attributes.join(", ")}`,
];

const nested = (least: number, most: number): string => `primary_compute = {\n${range(least, most)}}\n`;
const resizedPrimary = "neon_project.shop.primary_compute: restart, yes";

export const elsewhere: readonly Row[] = [
  {
    reason: "a project's primary compute",
    from: project(primary(0.25, 1)),
    to: project(primary(1, 4)),
    code: 24,
    says: [resizedPrimary],
  },
  {
    reason: "the same with the provider that continues it, whose blocks are attributes",
    provider: "neondatabase/neon",
    from: project(nested(0.25, 1)),
    to: project(nested(1, 4)),
    code: 24,
    says: [resizedPrimary],
  },
  {
    reason: "the limits of a project, which are those of later computes",
    from: project(range(0.25, 1)),
    to: project(range(1, 4)),
    code: 0,
    says: [],
  },
  {
    reason: "the same as a block, up to version 0.15 of the provider",
    from: project(block("default_endpoint_settings", range(0.25, 1))),
    to: project(block("default_endpoint_settings", range(1, 4))),
    code: 0,
    says: [],
  },
  {
    reason: "a branch that is deleted with its computes",
    from: resource("neon_branch", "old", 'project_id = "shop"\nname = "old"'),
    to: "",
    code: 20,
    says: ["neon_branch.old: delete, yes"],
  },
  {
    reason: "the host of its pooler beside the autosuspend, which each update makes unknown",
    provider: "neondatabase/neon",
    from: plain,
    to: app(fixed(1) + suspendAfter(600)),
    code: 0,
    says: [harmless],
  },
  {
    reason: "a compute deep in another provider's project",
    provider: "terraform-community-providers/neon",
    from: project("branch = { endpoint = { min_cu = 0.25, max_cu = 1 } }"),
    to: project("branch = { endpoint = { min_cu = 1, max_cu = 4 } }"),
    code: 6,
    says: ofShop("branch.endpoint.max_cu", "branch.endpoint.min_cu"),
  },
  {
    reason: "a size at Databricks, which does not say what restarts",
    from: lakebase(existing, 1),
    to: lakebase(existing, 2),
    code: 6,
    says: [
      "databricks_postgres_endpoint.primary: restart, may",
      "not known: databricks_postgres_endpoint.primary: spec.autoscaling_limit_max_cu, spec.autoscaling_limit_min_cu",
    ],
  },
  {
    reason: "a primary that Databricks has made already",
    to: lakebase(`${existing}\nreplace_existing = true`, 4),
    code: 6,
    says: [
      "databricks_postgres_endpoint.primary: adopt, may",
      "not known: databricks_postgres_endpoint.primary",
    ],
  },
];
