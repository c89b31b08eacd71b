/**
 * Reports on whole previews. Each row is a promise; `golden/report.txt` has what the command prints, and its exit code.
 * `GOLDENS=write npx jest unit/preview/report` writes it anew. Read the differences.
 */
import { toReason } from "../../../provider/model/stored";
import { expectKept } from "../../support/kept";
import { planOf } from "./peers/others";
import {
  digest,
  eventLines,
  failure,
  goldenFile,
  moves,
  printed,
  restarts,
  settles,
  size,
  stackOf,
  step,
  unknownId,
  urnOf,
  warning,
  type PreviewRow,
  type StepParts,
} from "./previews";

const ofOther = (text: string): object => ({
  diagnostics: [{ urn: "urn:pulumi:dev::shop::a:b:C::db", severity: "error", message: `error: ${text}\n` }],
});

const notices = [
  "restart: size (secret)",
  "may restart: size 1 → 2 CU",
  "restart, deferred until an update finds the compute idle: size",
];
const others = ["The service could not be asked, so", "The line with adopt is gone", "Branch br-b has one"];
const said = [...notices, ...others, ...others].map((text) => warning("app", text));

/** A message with one line for each choice. */
const choices = [
  "creating a compute: it is not known whose this is. Nothing was sent.",
  "To keep it: add ##[error].",
  "::error::Otherwise: run `pulumi up`.",
].join("\n- ");
const ofChoices = failure(
  `pulumi-nodejs:dynamic/compute:Endpoint resource 'app' has a problem: ${choices}`,
  "app",
);

const engineFailed = failure("error: preview failed\n");
const both = { diagnostics: [...ofChoices.diagnostics, ...engineFailed.diagnostics] };

const within = (component: string, name?: string): object => {
  const type = `shop:index:${component}`;
  const urn = `urn:pulumi:dev::shop::${type}$pulumi-nodejs:dynamic/compute:Endpoint::app`;
  const parent = name && `urn:pulumi:dev::shop::${type}::${name}`;
  return step({ urn, new: { suspendTimeoutSeconds: 60 }, ...(parent ? { parent } : {}) });
};

const ends = { summaryEvent: { isPreview: true, result: "succeeded" } };
const events = (...all: readonly object[]): Buffer => eventLines(...all, ends);
const state = (id: string): object => {
  const place = { projectId: "p", branchId: "br-a", type: "read_write" };
  return { id, inputs: {}, outputs: { endpointId: id, ...place, host: `${id}.example` } };
};
const event = (op: string, metadata: { old?: object; new?: object; diffs?: readonly string[] }): object => ({
  resourcePreEvent: { metadata: { op, urn: urnOf("app"), ...metadata } },
});
const idle = { effect: "replace", certain: true, now: "idle", endpointId: "ep-old" } as const;
const defaultProvider = "urn:pulumi:dev::shop::pulumi:providers:compute::default_0_1_0";
const old = state("ep-old");
const replaced = { old, new: { inputs: { type: "read_only" } }, diffs: ["type", toReason(idle)] };
/** The last event of a replacement has no reasons. */
const replacedWhileIdle = events(
  event("create-replacement", replaced),
  event("replace", replaced),
  event("delete-replaced", { old }),
);
const pending = event("delete-replaced", { old: { ...old, delete: true } });
const successor = event("update", {
  old: state("ep-new"),
  new: { inputs: { suspendTimeoutSeconds: 60 } },
});
const policy = (change: object): object => ({
  policyEvent: {
    ...{ message: "Not outside the window.", policyName: "window", policyPackName: "acme" },
    ...{ enforcementLevel: "mandatory", ...change },
  },
});
const hasFailed = { diagnosticEvent: { severity: "error", message: "error: preview failed\n" } };

const replica = { ...size(1), type: "read_only", branchId: "br-a" };
const another = (name: string, change: object = size(2), more: StepParts = {}): object =>
  step({ name, old: replica, new: { ...replica, ...change }, ...more });
const [primary, second] = [step(restarts), another("second")];
/** The resources that change first, as a state in a document has them. */
const after = (...names: readonly string[]): StepParts => ({ dependencies: names.map(urnOf) });
const [two, three] = ["second", "third"].map((name) => another(name, size(2), after("first")));
const last = step({ ...restarts, ...after("second", "third") });
const leftOver = step({ op: "delete-replaced", oldState: { id: "ep-old", delete: true } });
/** A resource of another kind between two computes. */
const between = "urn:pulumi:dev::shop::random:index:Id::between";
const elsewhere = { projectId: "q" };

const reader: StepParts = { name: "reader", op: "delete", old: { projectId: "p", ...replica } };
const renamed = (change: object = {}, more: StepParts = {}): Buffer => {
  const inputs = { projectId: "p", ...replica, ...change };
  return digest([step(reader), step({ name: "reporting", op: "create", new: inputs, ...more })]);
};
const inTeam = "urn:pulumi:dev::shop::acme:index:Team$pulumi-nodejs:dynamic/compute:Endpoint::reader";
const plan = planOf({ actions: "delete" }, { actions: "create", isAlone: true });
Object.assign(plan.resource_changes[1]!, { address: "module.db.neon_endpoint.app" });

const unasked = { effect: "restart", certain: true, unasked: true, endpointId: undefined } as const;
const unsure: StepParts = { ...restarts, verdict: unasked };
const unsureNew: StepParts = { name: "new", op: "create", verdict: { ...unasked, effect: "none" } };

const broken = stackOf("broken", [moves], failure("error: forbidden", "mover"));
const calm = stackOf("calm", []);
const notes = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [`previews/${name}.md`, calm]));
const depth = 100_000;
const deep = `{"steps":[{"op":"create","urn":"a","newState":{"inputs":{"x":${"[".repeat(depth)}${"]".repeat(depth)}}}}]}`;

const rows: readonly PreviewRow[] = [
  ["computes that are only read are left out", digest(["read", "refresh", "same"].map((op) => step({ op })))],
  [
    "an import and the change after it are one row",
    digest([
      {
        op: "import",
        urn: urnOf("app"),
        newState: { inputs: { projectId: "p", branchId: "br-a", ...size(2) } },
      },
      step({ ...restarts, verdict: { effect: "restart" } }),
    ]),
  ],
  [
    "`adopt` on another resource that already exists does not keep this compute",
    digest([step({ name: "heir", new: { adopt: "ep-app" } }), step({ op: "delete" })]),
  ],
  [
    "a notice and the other warnings are each shown once",
    digest([step({ new: { autoscalingLimitMaxCu: 2 } })], { diagnostics: said }),
  ],
  ["the choices of an error are on one line", digest([step({ op: "create" })], ofChoices)],
  ["an error's choices in a comment", digest([step({ op: "create" })], ofChoices), "--format=markdown"],
  [
    "an error's choices in an annotation",
    digest([step({ op: "create" })], ofChoices),
    "--annotations=github",
  ],
  [
    "the choices of a warning are on one line too",
    digest([step(restarts)], { diagnostics: [warning("app", choices)] }),
  ],
  [
    "an error that stops several computes is shown once",
    digest([], { diagnostics: ["a", "b"].flatMap((name) => failure("no API key is set", name).diagnostics) }),
    "--format=markdown",
  ],
  [
    "computes with the same name are told apart by their component's type if the components share a name too",
    digest([within("Team", "b"), within("Squad", "b")]),
  ],
  [
    "names stay short if all of them differ",
    digest([within("Team", "b"), step({ name: "a::b|c", op: "create" })]),
  ],
  ["the plugin replaces an idle compute", replacedWhileIdle],
  ["a compute left by a replacement is deleted, and its successor changes", events(successor, pending)],
  ["only a compute left by a replacement is deleted", events(pending), "--fail-on=delete"],
  [
    "a policy's refusal is shown on its compute",
    events(successor, policy({ resourceUrn: urnOf("app") }), hasFailed),
    "--fail-on=delete",
  ],
  ["a policy's refusal of the stack is an error", events(policy({}), hasFailed)],
  ["an advisory policy changes nothing", events(policy({ enforcementLevel: "advisory" }))],
  [
    "default providers, which the engine creates, do not count as changes of the program",
    events({ resourcePreEvent: { metadata: { op: "create", urn: defaultProvider, new: { inputs: {} } } } }),
  ],
  ["a document does not say why the preview failed", digest([], engineFailed)],
  [
    "beside an error of a compute, the engine's last line says nothing more",
    digest([step({ op: "create" })], both),
  ],
  ["events say why the preview failed, if anything does", events(hasFailed)],
  [
    "an error of another resource is shown beside a compute, without the value, which may be a secret",
    digest(
      [step(restarts)],
      ofOther("a:b:C resource 'db': property password value {&{{hunter2}}} has a problem: too short"),
    ),
  ],
  [
    "the value is left out for a longer property path too",
    digest([], ofOther("a:b:C resource 'db': property a['b c'] value {hunter2} has a problem: no")),
  ],
  [
    "the value is left out for a component too",
    digest(
      [],
      ofOther(
        "no\n\t\t- property a with value 'hunter2' has a problem: no\n\t\t- property b has a problem: no",
      ),
    ),
  ],

  ["dependencies order the computes of a branch", digest([last, two!, another("first"), three!])],
  [
    "dependencies order computes through another resource",
    digest([
      step({ ...restarts, dependencies: [between] }),
      step({ urn: between, op: "same", ...after("second") }),
      second,
    ]),
  ],
  ["one of two computes was left by a replacement", digest([last, leftOver])],
  [
    "dependencies give no order if one of two computes is replaced",
    digest([step({ op: "replace", ...after("second") }), two!]),
  ],
  ["one of two computes may be interrupted", digest([primary, another("second", { poolerEnabled: true })])],
  [
    "two projects each have a branch with the same id",
    digest([primary, another("b", { ...elsewhere, ...size(2) }, { old: { ...replica, ...elsewhere } })]),
  ],

  ["a compute may have been renamed", renamed()],
  ["a renamed compute may have a new parent", renamed({}, { urn: inTeam })],
  ["a renamed compute may have another autosuspend", renamed({ suspendTimeoutSeconds: 60 })],
  ["a compute has not been renamed if it has another size", renamed(size(2))],
  ["a compute has not been renamed if it is on another branch", renamed({ branchId: "br-b" })],
  ["a compute has not been renamed if only the update knows its branch", renamed({ branchId: unknownId })],
  ["a compute has not been renamed if it is in another project", renamed(elsewhere)],
  ["a compute has not been renamed if its project is not shown", renamed({ projectId: undefined })],
  ["for Terraform, the report suggests a moved block", Buffer.from(JSON.stringify(plan)), "--fail-on=delete"],

  [
    "the service could not be asked about a change and about a new compute",
    digest([unsure, unsureNew].map(step)),
  ],
  [
    "the service could not be asked about a new compute's branch: the row stays",
    digest([unsureNew, settles].map(step)),
    "--format=markdown",
  ],
  [
    "if the service could not be asked, the exit code says so, even if --fail-on refuses the change",
    digest([step(unsure)]),
    "--fail-on=restart",
  ],
  [
    "the service could not be asked in one of several stacks",
    { "a.json": digest([step(unsure)]), "b.json": digest([step(settles)]) },
    "a.json",
    "b.json",
  ],

  [
    "files of a folder that are not read are named",
    { "previews/calm.json": calm, "previews/notes.md": "", "previews/`@octocat`.txt": "" },
    "previews",
    "--format=markdown",
  ],
  ["a folder without a preview is an error, which names five of its files", notes, "previews"],
  ["a folder without any file is an error", {}, "previews"],
  [
    "stacks are reported even if some inputs are not previews, but nothing says that all is well",
    { "calm.json": calm, "torn.json": calm.subarray(0, 30), "broken.json": broken },
    ...["calm.json", "torn.json", "gone.json", "broken.json", "--format=markdown"],
  ],
  [
    "one of two previews is nested too deeply",
    { "calm.json": calm, "deep.json": Buffer.from(deep) },
    "calm.json",
    "deep.json",
  ],
];

it("compute-preview prints for each preview what its row promises", () => {
  expectKept(goldenFile("report"), printed(rows));
});
