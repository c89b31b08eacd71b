/** What makes, moves, removes and replaces computes. */
import { app, both, compute, fixed, plain, resource, restarts, suspendAfter } from "../declarations";
import type { Row } from "./row";

const replaced = ["neon_endpoint.app: replace, yes"];
const blogDeleted = ["neon_endpoint.blog: delete, yes"];

const inRegion = (region: string, more = ""): string => app(`region_id = "${region}"\n${fixed(1)}${more}`);
const runsOn = "lifecycle {\ndestroy = false\n}\n";
const newFirst = "lifecycle {\ncreate_before_destroy = true\n}\n";

const replicas = (names: readonly string[], cu: number): string =>
  resource(
    "neon_endpoint",
    "replica",
    `for_each = toset(${JSON.stringify(names)})\nproject_id = "shop"\nbranch_id = "br-\${each.key}"\n${fixed(cu)}`,
  );
const counted = (count: number): string =>
  resource(
    "neon_endpoint",
    "replica",
    `count = ${count}\nproject_id = "shop"\nbranch_id = "br-\${count.index}"\n${fixed(1)}`,
  );

const callOf = (cu: number): string => `module "db" {\nsource = "./db"\ncu = ${cu}\n}\n`;

/** The compute `app` under another name. */
const renamed = (cu: number): string =>
  compute("app", fixed(cu) + suspendAfter(300)).replace('"app"', '"main"');
const moved = "moved {\nfrom = neon_endpoint.app\nto = neon_endpoint.main\n}\n";

const removed = (destroy: boolean): string =>
  `removed {\nfrom = neon_endpoint.blog\nlifecycle {\ndestroy = ${String(destroy)}\n}\n}\n`;

const imported = (cu: number): string =>
  `${app(fixed(cu))}import {\nto = neon_endpoint.app\nid = "ep-app"\n}\n`;
/** All that the service says of the compute `app`. */
const running = {
  "ep-app": {
    ...{ project_id: "shop", branch_id: "br-app", type: "read_write", region_id: "a", disabled: false },
    ...{ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 300 },
    ...{ compute_provisioner: "k8s-neonvm", pooler_enabled: false, pooler_mode: "transaction" },
    ...{ host: "ep-app.example", proxy_host: "example" },
  },
};

export const lives: readonly Row[] = [
  { reason: "a new compute", to: plain, code: 0, says: ["neon_endpoint.app: create, no"] },
  { reason: "a deletion", from: both, to: plain, code: 20, says: blogDeleted },
  {
    reason: "all deleted by plan -destroy",
    from: plain,
    to: plain,
    options: ["-destroy"],
    code: 20,
    says: ["neon_endpoint.app: delete, yes"],
  },
  { reason: "replaced by an attribute", from: inRegion("a"), to: inRegion("b"), code: 21, says: replaced },
  {
    reason: "replaced, the new one first",
    from: inRegion("a", newFirst),
    to: inRegion("b", newFirst),
    code: 21,
    says: replaced,
  },
  {
    reason: "replaced by plan -replace",
    from: plain,
    to: plain,
    options: ["-replace=neon_endpoint.app"],
    code: 21,
    says: replaced,
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
    reason: "of count: the last one gone",
    from: counted(2),
    to: counted(1),
    code: 20,
    says: ["neon_endpoint.replica[1]: delete, yes"],
  },
  {
    reason: "a module's compute resized",
    from: callOf(1),
    to: callOf(2),
    module: `variable "cu" {}\n${app(fixed("var.cu"))}`,
    code: 24,
    says: ["module.db.neon_endpoint.app: restart, yes"],
  },
  { reason: "renamed with moved", from: plain, to: renamed(1) + moved, code: 0, says: [] },
  {
    reason: "renamed with moved, and resized",
    from: plain,
    to: renamed(2) + moved,
    code: 24,
    says: ["neon_endpoint.main: restart, yes"],
  },
  {
    reason: "renamed without moved",
    from: plain,
    to: renamed(1),
    code: 20,
    says: ["neon_endpoint.app: delete, yes", "neon_endpoint.main: create, no"],
  },
  {
    reason: "removed from the state, and running on",
    from: both,
    to: plain + removed(false),
    code: 0,
    says: ["neon_endpoint.blog: release, no"],
  },
  {
    reason: "left out of the program, and running on by its lifecycle",
    from: plain + compute("blog", fixed(1) + runsOn),
    to: plain,
    by: /tofu/,
    code: 0,
    says: ["neon_endpoint.blog: release, no"],
  },
  {
    reason: "replaced, and the old one running on by its lifecycle",
    from: inRegion("a", runsOn),
    to: inRegion("b", runsOn),
    by: /tofu/,
    code: 21,
    says: ["neon_endpoint.app: replace, no"],
  },
  {
    reason: "switched off by its lifecycle",
    from: plain,
    to: app(`${fixed(1)}lifecycle {\nenabled = false\n}\n`),
    by: /tofu/,
    code: 20,
    says: ["neon_endpoint.app: delete, yes"],
  },
  { reason: "removed, and deleted", from: both, to: plain + removed(true), code: 20, says: blogDeleted },
  {
    reason: "imported as it is",
    to: imported(1),
    service: running,
    code: 0,
    says: ["neon_endpoint.app: none, no"],
  },
  { reason: "imported, and resized", to: imported(2), service: running, code: 24, says: [restarts] },
];
