/** Changes that users make, each with its own form of plan. unit/preview tests that all forms are judged alike. */
import type { Scene } from "./plans";

export interface Row extends Scene {
  readonly reason: string;
  /** The exit code with `--fail-on restart,replace,delete,move,suspend`. */
  readonly code: number;
  /** One line for each compute, and for each resource that cannot be judged. */
  readonly says: readonly string[];
  /** The only program that can do this; absent: both can. */
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

/** Most rows begin with one of these: one compute, or two. */
const plain = app(fixed(1) + suspendAfter(300));
const both = plain + compute("blog", fixed(1));

/** Another resource, whose output is known only after it has been applied. */
const upstream = (value: number): string => resource("terraform_data", "later", `input = ${value}`);
const later = "terraform_data.later.output";

const project = (settings: string): string => resource("neon_project", "shop", `name = "shop"\n${settings}`);

const harmless = "neon_endpoint.app: none, no";

const secretMemory = (value: string): string =>
  `variable "memory" {\ntype = string\nsensitive = true\ndefault = "${value}"\n}\n` +
  app(`${fixed(1)}pg_settings = { work_mem = var.memory }`);

const changes: readonly Row[] = [
  { reason: "none", from: plain, to: plain, code: 0, says: [] },
  {
    reason: "a Postgres setting that is a secret before and after, and differs",
    from: secretMemory("8MB"),
    to: secretMemory("9MB"),
    code: 6,
    says: ["neon_endpoint.app: interrupt, may", "not known: neon_endpoint.app: pg_settings.work_mem"],
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
    reason: "limits that the provider refuses: the plan fails half-way",
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
    reason: "a replacement whose lifecycle keeps the old compute running",
    from: inRegion("a", "destroy = false"),
    to: inRegion("b", "destroy = false"),
    by: /tofu/,
    code: 21,
    says: ["neon_endpoint.app: replace, no"],
  },
  {
    reason: "computes of for_each: one gone, one resized, one new",
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
    reason: "a module's compute that is resized",
    from: callOf(1),
    to: callOf(2),
    module: `variable "cu" {}\n${app(fixed("var.cu"))}`,
    code: 24,
    says: ["module.db.neon_endpoint.app: restart, yes"],
  },
  {
    reason: "a compute that is renamed with `moved`, and resized",
    from: plain,
    to: renamed(2),
    code: 24,
    says: ["neon_endpoint.main: restart, yes"],
  },
  {
    reason: "a compute that is removed from the state, but keeps running",
    from: both,
    to: `${plain}removed {\nfrom = neon_endpoint.blog\nlifecycle {\ndestroy = false\n}\n}\n`,
    code: 0,
    says: ["neon_endpoint.blog: release, no"],
  },
  {
    reason: "a compute that is imported and resized",
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
    says: ["neon_endpoint.app: restart, yes"],
  },
];

const resized = { "ep-app": { autoscaling_limit_max_cu: 4 } };

const parts: readonly Row[] = [
  {
    reason: "a target whose change is harmless",
    from: both,
    to: app(fixed(1) + suspendAfter(600)) + compute("blog", fixed(2)),
    options: ["-target=neon_endpoint.app"],
    code: 0,
    says: [harmless],
  },
  ...[
    { reason: "a refresh that finds another size", service: resized, is: "drift" },
    { reason: "a refresh that finds a compute deleted", service: { "ep-app": null }, is: "gone" },
  ].map(({ is, ...row }) => ({
    ...{ ...row, from: plain, to: plain, options: ["-refresh-only"] },
    ...{ code: 0, says: [`neon_endpoint.app: ${is}, no`] },
  })),
  {
    reason: "computes that are left for a later plan",
    from: upstream(1) + both,
    to: upstream(2) + both.replace('"blog" {\n', `"blog" {\ncount = ${later}\n`),
    options: ["-allow-deferral"],
    by: /terraform/,
    code: 6,
    says: ["neon_endpoint.blog[*]: interrupt, may", "not known: neon_endpoint.blog[*]"],
  },
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

const primaryAsBlock = (least: number, most: number): string =>
  project(block("primary_compute", range(least, most)));
const primaryAsAttribute = (least: number, most: number): string =>
  project(`primary_compute = {\n${range(least, most)}}\n`);
const atDatabricks = (cu: number): string =>
  resource(
    "databricks_postgres_endpoint",
    "primary",
    `endpoint_id = "primary"\nparent = "projects/shop/branches/production"\nspec = {\n${fixed(cu)}}`,
  );

/** Limits nested in a resource, in each form that providers use. */
const nested: readonly Row[] = [
  {
    reason: "a project's primary compute, as a block",
    from: primaryAsBlock(0.25, 1),
    to: primaryAsBlock(1, 4),
    code: 24,
    says: ["neon_project.shop.primary_compute: restart, yes"],
  },
  {
    reason: "a project's primary compute, as an attribute",
    provider: "neondatabase/neon",
    from: primaryAsAttribute(0.25, 1),
    to: primaryAsAttribute(1, 4),
    code: 24,
    says: ["neon_project.shop.primary_compute: restart, yes"],
  },
  {
    reason: "a size of a Databricks compute, whose status is unknown in the plan of each update",
    from: atDatabricks(1),
    to: atDatabricks(2),
    code: 6,
    says: [
      "databricks_postgres_endpoint.primary: restart, may",
      "not known: databricks_postgres_endpoint.primary: spec.autoscaling_limit_max_cu, spec.autoscaling_limit_min_cu",
    ],
  },
];

export const rows: readonly Row[] = [...changes, ...lives, ...parts, ...nested];
