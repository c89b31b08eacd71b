/** Computes of other providers in previews of Pulumi, and those that a program implements itself. */
import { bridgedOf, databricksPrimary, gate, limits, max, type Bridged } from "./others";

const project = "neon:index/project:Project";
it.each<[reason: string, bridged: string | Bridged, code: number]>([
  ["autosuspend alone", "", 0],
  ["a smaller minimum", "autoscaling_limit_min_cu: 1 → 0.25", 24],
  ["its provisioner", "compute_provisioner: k8s-pod → k8s-neonvm", 6],
  ["its provisioner is left out", "compute_provisioner: k8s-pod → none", 6],
  ["its limit is left out", "autoscaling_limit_min_cu: 1 → none", 6],
  ["an input that only the update knows", "novelty: 1 → (unknown)", 6],
  ["an output that only the update knows", { outputs: "novelty: 1 → (unknown)" }, 6],
  ["its host, which the service says", { outputs: "host: a → (unknown); id: a → (unknown)" }, 0],
  [
    "the service has another value than the program",
    { sides: "novelty: {a: 1}", outputs: "novelty: {a: 2, b: 3} → none" },
    6,
  ],
  [
    "the service adds values of its own",
    { sides: "novelty: {a: 1}", outputs: "novelty: {a: 1, b: 3} → none" },
    0,
  ],
  ["a secret that may differ", "pg_settings: {a: secret a}", 6],
  [
    "a secret that the provider says does not",
    { sides: "pg_settings: {a: secret a}", reasons: ["suspendTimeoutSeconds"] },
    0,
  ],
  ["a name of which only the provider knows that it differs", { reasons: ["novelty"] }, 6],
  ["Postgres settings, which another provider may send otherwise", "pg_settings: {a: '1'} → {a: '2'}", 6],
  ["a deletion", { op: "delete" }, 20],
  ["a replacement", { op: "replace" }, 21],
  ["a project that is deleted", { type: project, op: "delete" }, 20],
  ["a branch that is replaced", { type: "neon:index/branch:Branch", op: "replace" }, 21],
  ["an operation that nobody knows", { op: "renew" }, 6],
  ["the host of its pooler", { outputs: "host_pooling: a → (unknown)" }, 0],
  ["ids that a CI has masked", "branch_id: '***'", 6],
  [
    "the size of a project's first compute",
    { type: project, sides: `primary_compute: ${limits(1, 1)} → ${limits(1, 2)}` },
    24,
  ],
  [
    "limits of a project's later computes",
    { type: project, sides: `default_endpoint_settings: {${max(1)}} → {${max(2)}}` },
    0,
  ],
  ["a project's first compute", { type: project, sides: "primary_compute: {max: 1} → {max: 2}" }, 6],
  ["a secret of that compute", { type: project, sides: "primary_compute: secret a" }, 6],
  ["a project's name", { type: project, sides: "name: a → b; suspend_timeout_seconds: 300" }, 0],
  ["a project that is kept", { type: project, op: "delete", state: { retainOnDelete: true } }, 0],
  ["a component of that name", { type: "acme:neon:Project", op: "delete", state: { custom: false } }, 0],
  ["another bridge of the service", { type: "neon:resource:Endpoint" }, 6],
  [
    "a primary at Databricks, taken over",
    { type: databricksPrimary, op: "create", sides: "replace_existing: true" },
    6,
  ],
  [
    "a primary at Databricks that leaves",
    { type: databricksPrimary, op: "delete", sides: "endpoint_id: primary" },
    0,
  ],
])("a compute of a bridged provider in a preview of Pulumi: %s", (_reason, bridged, code) => {
  expect(gate(bridgedOf(typeof bridged === "string" ? { sides: bridged } : bridged)).code).toBe(code);
});

describe("a resource that a program implements itself", () => {
  const own = { type: "pulumi-nodejs:dynamic:Resource", sides: "max_cu: 1 → 2; project_id: p; branch_id: b" };
  it.each<[reason: string, bridged: Bridged, code: number]>([
    ["has the id of a compute", own, 6],
    ["is a compute by its inputs", { ...own, state: { id: "shop" } }, 6],
    ["is a compute by its id", { ...own, sides: "size: 1 → 2" }, 6],
    ["of Python", { ...own, type: "pulumi-python:dynamic:Resource" }, 6],
    ["with a type of its own", { ...own, type: "pulumi-nodejs:dynamic/db:Database" }, 6],
    ["is deleted", { ...own, op: "delete" }, 6],
    ["is new", { ...own, op: "create" }, 0],
    ["is something else", { ...own, state: { id: "bucket-1", inputs: { name: "a" } } }, 0],
  ])("%s", (_reason, bridged, code) => {
    expect(gate(bridgedOf(bridged)).code).toBe(code);
  });
});
