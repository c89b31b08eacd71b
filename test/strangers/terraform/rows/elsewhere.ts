/** What stands elsewhere than in the attributes of a `neon_endpoint`. */
import {
  app,
  block,
  fixed,
  harmless,
  later,
  plain,
  project,
  range,
  resource,
  restarts,
  suspendAfter,
  unknownShop,
  upstream,
} from "../declarations";
import type { Row } from "./row";

const restore = `action "neon_restore_branch" "back" {\nconfig {\nproject_id = "shop"\nbranch_id = "br-app"\n}\n}\n`;
const triggers = `lifecycle {\naction_trigger {\nevents = [after_update]\nactions = [action.neon_restore_branch.back]\n}\n}\n`;

const primary = (least: number, most: number): string => block("primary_compute", range(least, most));

const lakebase = (settings: string, cu: number): string =>
  resource(
    "databricks_postgres_endpoint",
    "primary",
    `endpoint_id = "primary"\n${settings}\nspec = {\nendpoint_type = "ENDPOINT_TYPE_READ_WRITE"\n${fixed(cu)}}`,
  );
const existing = `parent = "projects/shop/branches/production"`;
const takesOver = "replace_existing = true";
const newBranch = resource(
  "databricks_postgres_branch",
  "fresh",
  'branch_id = "fresh"\nparent = "projects/shop"',
);
const defaults = (cu: number): string =>
  resource(
    "databricks_postgres_project",
    "shop",
    `project_id = "shop"\nspec = {\ndefault_endpoint_settings = {\n${fixed(cu)}}\n}`,
  );
const unknownPrimary = "not known: databricks_postgres_endpoint.primary";

const actions: readonly Row[] = [
  {
    reason: "an action",
    from: plain,
    to: plain + restore,
    options: ["-invoke=action.neon_restore_branch.back"],
    by: /terraform 1\.14/,
    code: 6,
    says: ["not known: action.neon_restore_branch.back"],
  },
  {
    reason: "an action after a harmless change",
    from: plain,
    to: restore + app(fixed(1) + suspendAfter(600) + triggers),
    by: /terraform 1\.14/,
    code: 6,
    says: [harmless, "not known: action.neon_restore_branch.back"],
  },
  {
    reason: "an action that nothing triggers",
    from: plain,
    to: plain + restore,
    by: /terraform 1\.14/,
    code: 0,
    says: [],
  },
];

const projects: readonly Row[] = [
  {
    reason: "a project's retention",
    from: project(""),
    to: project("history_retention_seconds = 60"),
    code: 0,
    says: [],
  },
  {
    reason: "a project's primary compute",
    from: project(primary(0.25, 1)),
    to: project(primary(1, 4)),
    code: 6,
    says: unknownShop("primary_compute.autoscaling_limit_max_cu", "primary_compute.autoscaling_limit_min_cu"),
  },
  {
    reason: "a primary compute that is not declared any more",
    from: project(primary(0.25, 1)),
    to: project(""),
    code: 6,
    says: unknownShop(
      "primary_compute.autoscaling_limit_max_cu",
      "primary_compute.autoscaling_limit_min_cu",
      "primary_compute.suspend_timeout_seconds",
    ),
  },
  {
    reason: "a primary compute's size that is known after apply",
    from: upstream(1) + project(block("primary_compute", fixed(later))),
    to: upstream(2) + project(block("primary_compute", fixed(later))),
    code: 6,
    says: unknownShop("primary_compute.autoscaling_limit_max_cu", "primary_compute.autoscaling_limit_min_cu"),
  },
  {
    reason: "the settings of a project's first compute, up to 0.15",
    from: project(block("default_endpoint_settings", range(0.25, 1))),
    to: project(block("default_endpoint_settings", range(1, 4))),
    code: 6,
    says: unknownShop(
      "default_endpoint_settings.autoscaling_limit_max_cu",
      "default_endpoint_settings.autoscaling_limit_min_cu",
    ),
  },
  {
    reason: "logical replication, which suspends all computes",
    from: project(""),
    to: project('enable_logical_replication = "yes"'),
    code: 6,
    says: unknownShop("enable_logical_replication"),
  },
  {
    reason: "a project that is replaced",
    from: project('region_id = "a"'),
    to: project('region_id = "b"'),
    code: 6,
    says: unknownShop(),
  },
  {
    reason: "a branch that is deleted with its computes",
    from: resource("neon_branch", "old", 'project_id = "shop"\nname = "old"'),
    to: "",
    code: 6,
    says: ["not known: neon_branch.old"],
  },
];

const others: readonly Row[] = [
  { reason: "another resource alone", from: upstream(1), to: upstream(2), code: 0, says: [] },
  {
    reason: "an output alone",
    from: plain,
    to: `${plain}output "host" {\nvalue = neon_endpoint.app.host\n}\n`,
    code: 0,
    says: [],
  },
  {
    reason: "a compute deep in another provider's project",
    provider: "terraform-community-providers/neon",
    from: project("branch = { endpoint = { min_cu = 0.25, max_cu = 1 } }"),
    to: project("branch = { endpoint = { min_cu = 1, max_cu = 4 } }"),
    code: 6,
    says: unknownShop("branch.endpoint.max_cu", "branch.endpoint.min_cu"),
  },
  {
    reason: "the official provider's compute, in what both share",
    provider: "neondatabase/neon",
    from: plain,
    to: app(fixed(2) + suspendAfter(300)),
    code: 24,
    says: [restarts],
  },
  {
    reason: "the official provider's project",
    provider: "neondatabase/neon",
    from: project("primary_compute = { autoscaling_limit_max_cu = 1 }"),
    to: project("primary_compute = { autoscaling_limit_max_cu = 4 }"),
    code: 6,
    says: unknownShop("primary_compute.autoscaling_limit_max_cu"),
  },
  {
    reason: "a size at Databricks, which does not say what restarts",
    from: lakebase(existing, 1),
    to: lakebase(existing, 2),
    code: 6,
    says: [
      "databricks_postgres_endpoint.primary: restart, may",
      `${unknownPrimary}: spec.autoscaling_limit_max_cu, spec.autoscaling_limit_min_cu`,
    ],
  },
  {
    reason: "a primary that Databricks has made already",
    to: lakebase(`${existing}\n${takesOver}`, 4),
    code: 6,
    says: ["databricks_postgres_endpoint.primary: adopt, may", unknownPrimary],
  },
  {
    reason: "a primary of a branch that is as new",
    to: newBranch + lakebase(`parent = databricks_postgres_branch.fresh.id\n${takesOver}`, 4),
    code: 0,
    says: ["databricks_postgres_endpoint.primary: create, no"],
  },
  {
    reason: "what Databricks gives to new computes",
    from: defaults(1),
    to: defaults(2),
    code: 6,
    says: [
      "not known: databricks_postgres_project.shop: spec.default_endpoint_settings.autoscaling_limit_max_cu, spec.default_endpoint_settings.autoscaling_limit_min_cu",
    ],
  },
];

export const elsewhere: readonly Row[] = [...actions, ...projects, ...others];
