/**
 * Computes of other providers in previews of Pulumi, and computes that a program implements itself. Each row is a promise, and
 * `golden/bridged.txt` has what `--fail-on` says.
 * `GOLDENS=write npx jest unit/preview/peers/bridged` writes it anew. Read the differences.
 */
import { expectKept } from "../../../support/kept";
import { goldenFile } from "../previews";
import { bridgedOf, gateLines, limits, max, type Bridged } from "./others";

type Row = readonly [reason: string, changes: string | Bridged];

const project = "neon:index/project:Project";
const databricksPrimary = "databricks:index/postgresEndpoint:PostgresEndpoint";
const bridged: readonly Row[] = [
  ["only autosuspend", ""],
  ["a smaller minimum", "autoscaling_limit_min_cu: 1 → 0.25"],
  ["its provisioner", "compute_provisioner: k8s-pod → k8s-neonvm"],
  ["its provisioner is left out", "compute_provisioner: k8s-pod → none"],
  ["its limit is left out", "autoscaling_limit_min_cu: 1 → none"],
  ["an input that only the update knows", "novelty: 1 → (unknown)"],
  ["an output that only the update knows", { outputs: "novelty: 1 → (unknown)" }],
  ["its host, which the service sets", { outputs: "host: a → (unknown); id: a → (unknown)" }],
  [
    "the service has another value than the program",
    { sides: "novelty: {a: 1}", outputs: "novelty: {a: 2, b: 3} → none" },
  ],
  ["the service adds its own values", { sides: "novelty: {a: 1}", outputs: "novelty: {a: 1, b: 3} → none" }],
  ["a secret that may differ", "pg_settings: {a: secret a}"],
  [
    "a secret that does not differ, as the provider says",
    { sides: "pg_settings: {a: secret a}", reasons: ["suspendTimeoutSeconds"] },
  ],
  ["an argument that differs only according to the provider", { reasons: ["novelty"] }],
  ["Postgres settings, which another provider may send in another way", "pg_settings: {a: '1'} → {a: '2'}"],
  ["a deletion", { op: "delete" }],
  ["a replacement", { op: "replace" }],
  ["a project that is deleted", { type: project, op: "delete" }],
  ["a branch that is replaced", { type: "neon:index/branch:Branch", op: "replace" }],
  ["an unknown operation", { op: "renew" }],
  ["the host of its pooler", { outputs: "host_pooling: a → (unknown)" }],
  ["ids that a CI has masked", "branch_id: '***'"],
  [
    "the size of a project's first compute",
    { type: project, sides: `primary_compute: ${limits(1, 1)} → ${limits(1, 2)}` },
  ],
  [
    "a project's limits for computes created later",
    { type: project, sides: `default_endpoint_settings: {${max(1)}} → {${max(2)}}` },
  ],
  ["a project's first compute", { type: project, sides: "primary_compute: {max: 1} → {max: 2}" }],
  ["a project's first compute, which is secret", { type: project, sides: "primary_compute: secret a" }],
  ["a project's name", { type: project, sides: "name: a → b; suspend_timeout_seconds: 300" }],
  ["a project that is kept", { type: project, op: "delete", state: { retainOnDelete: true } }],
  [
    "a component with the type acme:neon:Project",
    { type: "acme:neon:Project", op: "delete", state: { custom: false } },
  ],
  [
    "a component in events, which do not say that it is one",
    { type: "acme:neon:Compute", sides: "size: 1 → 2", state: { id: "" } },
  ],
  ["another bridged provider of the service", { type: "neon:resource:Endpoint" }],
  [
    "a primary at Databricks, taken over",
    { type: databricksPrimary, op: "create", sides: "replace_existing: true" },
  ],
  [
    "a primary at Databricks that is removed",
    { type: databricksPrimary, op: "delete", sides: "endpoint_id: primary" },
  ],
];

const own = { type: "pulumi-nodejs:dynamic:Resource", sides: "max_cu: 1 → 2; project_id: p; branch_id: b" };
const ofProgram: readonly Row[] = [
  ["has the id of a compute", own],
  ["is a compute by its inputs", { ...own, state: { id: "shop" } }],
  ["is a compute by its id", { ...own, sides: "size: 1 → 2" }],
  ["is written in Python", { ...own, type: "pulumi-python:dynamic:Resource" }],
  ["has its own type", { ...own, type: "pulumi-nodejs:dynamic/db:Database" }],
  ["is deleted", { ...own, op: "delete" }],
  ["is new", { ...own, op: "create" }],
  ["has only a project", { ...own, state: { id: "step-1", inputs: { projectId: "p" } } }],
  ["is something else", { ...own, state: { id: "bucket-1", inputs: { name: "a" } } }],
];

const linesOf = (title: string, rows: readonly Row[]): string =>
  gateLines(
    title,
    rows.map(([reason, changes]) => [
      reason,
      bridgedOf(typeof changes === "string" ? { sides: changes } : changes),
    ]),
  );

it("--fail-on passes only changes that are known not to interrupt a compute", () => {
  const told = [
    linesOf("a compute of a bridged provider in a preview of Pulumi", bridged),
    linesOf("a resource that a program implements itself …", ofProgram),
  ];
  expectKept(goldenFile("bridged"), told.join("\n"));
});
