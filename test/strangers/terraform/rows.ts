/** Changes as users make them, each with a form of plans of its own. That forms are judged alike whatever changes is in unit/preview. */
import type { Scene } from "./plans";

export interface Row extends Scene {
  readonly reason: string;
  /** With `--fail-on restart,replace,delete,move,suspend`. */
  readonly code: number;
  /** A line for each compute, and for each resource that cannot be judged. */
  readonly says: readonly string[];
  /** The program that can do this; both if absent. */
  readonly by?: RegExp;
}

const resource = (type: string, name: string, settings: string): string =>
  `resource "${type}" "${name}" {\n${settings}\n}\n`;
const block = (name: string, settings: string): string => `${name} {\n${settings}}\n`;
const range = (least: number | string, most: number | string): string =>
  `autoscaling_limit_min_cu = ${least}\nautoscaling_limit_max_cu = ${most}\n`;
const fixed = (cu: number | string): string => range(cu, cu);
const suspendAfter = (seconds: number): string => `suspend_timeout_seconds = ${seconds}\n`;

/** A compute of the branch with its name. */
const compute = (name: string, settings: string): string =>
  resource("neon_endpoint", name, `project_id = "shop"\nbranch_id = "br-${name}"\n${settings}`);
const app = (settings: string): string => compute("app", settings);

/** What most rows begin with: one compute, or two. */
const plain = app(fixed(1) + suspendAfter(300));
const both = plain + compute("blog", fixed(1));

/** Another resource, whose output is known only after it has been applied. */
const upstream = (value: number): string => resource("terraform_data", "later", `input = ${value}`);
const later = "terraform_data.later.output";

const project = (settings: string): string => resource("neon_project", "shop", `name = "shop"\n${settings}`);
const primary = (least: number, most: number): string => block("primary_compute", range(least, most));

const restarts = "neon_endpoint.app: restart, yes";
const harmless = "neon_endpoint.app: none, no";

const secretMemory = (value: string, more = ""): string =>
  `variable "memory" {\ntype = string\nsensitive = true\ndefault = "${value}"\n}\n` +
  app(`${fixed(1)}${more}pg_settings = { work_mem = var.memory }`);
const unknownMemory = [
  "neon_endpoint.app: interrupt, may",
  "not known: neon_endpoint.app: pg_settings.work_mem",
];

const changes: readonly Row[] = [
  { reason: "nothing", from: plain, to: plain, code: 0, says: [] },
  { reason: "a size", from: plain, to: app(fixed(2) + suspendAfter(300)), code: 24, says: [restarts] },
  {
    reason: "the autosuspend",
    from: plain,
    to: app(fixed(1) + suspendAfter(600)),
    code: 0,
    says: [harmless],
  },
  {
    reason: "a Postgres setting that is a secret before and after, and differs",
    from: secretMemory("8MB"),
    to: secretMemory("9MB"),
    code: 6,
    says: unknownMemory,
  },
  {
    reason: "a secret that stays the same, beside a harmless change",
    from: secretMemory("8MB"),
    to: secretMemory("8MB", suspendAfter(600)),
    code: 0,
    says: [harmless],
  },
  {
    reason: "a size that is known after apply",
    from: upstream(1) + app(fixed(later)),
    to: upstream(2) + app(fixed(later)),
    code: 6,
    says: [
      "neon_endpoint.app: restart, may",
      "not known: neon_endpoint.app: autoscaling_limit_max_cu, autoscaling_limit_min_cu",
    ],
  },
  {
    reason: "limits that the provider refuses: the plan ends in its middle",
    from: both,
    to: app(range(4, 1)) + compute("blog", fixed(2)),
    code: 4,
    says: ["neon_endpoint.blog: restart, yes"],
  },
];

const inRegion = (region: string, lifecycle = ""): string =>
  app(`region_id = "${region}"\n${fixed(1)}${lifecycle === "" ? "" : block("lifecycle", `${lifecycle}\n`)}`);
const replicas = (names: readonly string[], cu: number): string =>
  resource(
    "neon_endpoint",
    "replica",
    `for_each = toset(${JSON.stringify(names)})\nproject_id = "shop"\nbranch_id = "br-\${each.key}"\n${fixed(cu)}`,
  );
const callOf = (cu: number): string => `module "db" {\nsource = "./db"\ncu = ${cu}\n}\n`;
/** The compute `app` under another name. */
const renamed = (cu: number): string =>
  compute("app", fixed(cu) + suspendAfter(300)).replace('"app"', '"main"') +
  "moved {\nfrom = neon_endpoint.app\nto = neon_endpoint.main\n}\n";

const lives: readonly Row[] = [
  { reason: "a new compute", to: plain, code: 0, says: ["neon_endpoint.app: create, no"] },
  { reason: "a deletion", from: both, to: plain, code: 20, says: ["neon_endpoint.blog: delete, yes"] },
  ...["", "create_before_destroy = true"].map((lifecycle) => ({
    reason: `a replacement by an attribute, with the lifecycle '${lifecycle}'`,
    from: inRegion("a", lifecycle),
    to: inRegion("b", lifecycle),
    code: 21,
    says: ["neon_endpoint.app: replace, yes"],
  })),
  {
    reason: "a replacement, and the old one running on by its lifecycle",
    from: inRegion("a", "destroy = false"),
    to: inRegion("b", "destroy = false"),
    by: /tofu/,
    code: 21,
    says: ["neon_endpoint.app: replace, no"],
  },
  {
    reason: "of for_each: one gone, one resized, one new",
    from: replicas(["a", "b"], 1),
    to: replicas(["a", "c"], 2),
    code: 20,
    says: [
      'neon_endpoint.replica["b"]: delete, yes',
      'neon_endpoint.replica["a"]: restart, yes',
      'neon_endpoint.replica["c"]: create, no',
    ],
  },
  {
    reason: "a module's compute resized",
    from: callOf(1),
    to: callOf(2),
    module: `variable "cu" {}\n${app(fixed("var.cu"))}`,
    code: 24,
    says: ["module.db.neon_endpoint.app: restart, yes"],
  },
  { reason: "renamed with moved", from: plain, to: renamed(1), code: 0, says: [] },
  {
    reason: "renamed with moved, and resized",
    from: plain,
    to: renamed(2),
    code: 24,
    says: ["neon_endpoint.main: restart, yes"],
  },
  {
    reason: "removed from the state, and running on",
    from: both,
    to: `${plain}removed {\nfrom = neon_endpoint.blog\nlifecycle {\ndestroy = false\n}\n}\n`,
    code: 0,
    says: ["neon_endpoint.blog: release, no"],
  },
  {
    reason: "imported, and resized",
    to: `${app(fixed(2))}import {\nto = neon_endpoint.app\nid = "ep-app"\n}\n`,
    service: {
      "ep-app": {
        ...{ project_id: "shop", branch_id: "br-app", type: "read_write", region_id: "a", disabled: false },
        ...{ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 300 },
        ...{ compute_provisioner: "k8s-neonvm", pooler_enabled: false, pooler_mode: "transaction" },
        ...{ host: "ep-app.example", proxy_host: "example" },
      },
    },
    code: 24,
    says: [restarts],
  },
];

const resized = { "ep-app": { autoscaling_limit_max_cu: 4 } };

const parts: readonly Row[] = [
  {
    reason: "a harmless target",
    from: both,
    to: app(fixed(1) + suspendAfter(600)) + compute("blog", fixed(2)),
    options: ["-target=neon_endpoint.app"],
    code: 0,
    says: [harmless],
  },
  ...[
    { reason: "a refresh that finds another size", service: resized, is: "drift" },
    { reason: "a refresh that finds a compute gone", service: { "ep-app": null }, is: "gone" },
  ].map(({ is, ...row }) => ({
    ...{ ...row, from: plain, to: plain, options: ["-refresh-only"] },
    ...{ code: 0, says: [`neon_endpoint.app: ${is}, no`] },
  })),
  {
    reason: "a size that was changed outside, undone",
    from: plain,
    to: plain,
    service: resized,
    code: 24,
    says: [restarts],
  },
  {
    reason: "computes that are left for a later plan",
    from: upstream(1) + both,
    to: upstream(2) + both.replace('"blog" {\n', `"blog" {\ncount = ${later}\n`),
    options: ["-allow-deferral"],
    by: /terraform/,
    code: 6,
    says: ["neon_endpoint.blog[*]: interrupt, may", "not known: neon_endpoint.blog[*]"],
  },
  { reason: "another resource alone", from: upstream(1), to: upstream(2), code: 0, says: [] },
  {
    reason: "an action after a harmless change",
    from: plain,
    to:
      `action "neon_restore_branch" "back" {\nconfig {\nproject_id = "shop"\nbranch_id = "br-app"\n}\n}\n` +
      app(
        `${fixed(1)}${suspendAfter(600)}lifecycle {\naction_trigger {\nevents = [after_update]\nactions = [action.neon_restore_branch.back]\n}\n}\n`,
      ),
    by: /terraform/,
    code: 6,
    says: [harmless, "not known: action.neon_restore_branch.back"],
  },
];

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

const elsewhere: readonly Row[] = [
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
    reason: "a project that is deleted with its computes",
    from: project(""),
    to: "",
    code: 20,
    says: ["neon_project.shop: delete, yes"],
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

export const rows: readonly Row[] = [...changes, ...lives, ...parts, ...elsewhere];
