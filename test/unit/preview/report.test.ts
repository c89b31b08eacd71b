/**
 * What is said of whole previews. Each row is a promise; `golden/report.txt` has what the command prints, and its exit code.
 * `GOLDENS=write npx jest unit/preview/report` writes it anew. Read what differs.
 */
import { toReason } from "../../../provider/model/stored";
import { expectKept } from "../../support/kept";
import { planOf } from "./peers/others";
import {
  digest,
  eventLines,
  failure,
  goldenFile,
  leaves,
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
  "deferred to the first update that finds the compute idle, then restart: size",
];
const others = ["The service could not be asked, so", "The line with adopt is gone", "Branch br-b has one"];
const said = [...notices, ...others, ...others].map((text) => warning("app", text));

/** A message whose choices have a line each. */
const choices = [
  "creating a compute: it is not known whose this is. Nothing was sent.",
  "To keep it: add ##[error].",
  "::error::Otherwise: run `pulumi up`.",
].join("\n- ");
const ofChoices = failure(
  `pulumi-nodejs:dynamic/compute:Endpoint resource 'app' has a problem: ${choices}`,
  "app",
);

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
/** What goes first: for a document, its states have it. */
const after = (...names: readonly string[]): StepParts => ({ dependencies: names.map(urnOf) });
const [two, three] = ["second", "third"].map((name) => another(name, size(2), after("first")));
const last = step({ ...restarts, ...after("second", "third") });
const leftOver = step({ op: "delete-replaced", oldState: { id: "ep-old", delete: true } });
/** A resource between two computes that is none. */
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

const prod = stackOf("prod", [leaves, moves]);
const broken = stackOf("broken", [moves], failure("error: forbidden", "mover"));
const calm = stackOf("calm", []);
const depth = 100_000;
const deep = `{"steps":[{"op":"create","urn":"a","newState":{"inputs":{"x":${"[".repeat(depth)}${"]".repeat(depth)}}}}]}`;

const rows: readonly PreviewRow[] = [
  ["what only is read is left out", digest(["read", "refresh", "same"].map((op) => step({ op })))],
  [
    "an import is the change that follows it",
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
    "`adopt` of another is only what that once came from",
    digest([step({ name: "heir", new: { adopt: "ep-app" } }), step({ op: "delete" })]),
  ],
  [
    "beside a notice stands every warning that is no notice itself, once",
    digest([step({ new: { autoscalingLimitMaxCu: 2 } })], { diagnostics: said }),
  ],
  ["the choices of an error are in one line", digest([step({ op: "create" })], ofChoices)],
  ["the same in a comment", digest([step({ op: "create" })], ofChoices), "--format=markdown"],
  ["the same as a command", digest([step({ op: "create" })], ofChoices), "--annotations=github"],
  ["the choices of a warning are, too", digest([step(restarts)], { diagnostics: [warning("app", choices)] })],
  [
    "what stops several computes has one line",
    digest([], { diagnostics: ["a", "b"].flatMap((name) => failure("no API key is set", name).diagnostics) }),
    "--format=markdown",
  ],
  [
    "computes of one name are told by their component's type, where its names are one",
    digest([within("Team", "b"), within("Squad", "b")]),
  ],
  [
    "names stay short where nothing collides",
    digest([within("Team", "b"), step({ name: "a::b|c", op: "create" })]),
  ],
  ["the plugin replaces an idle compute", replacedWhileIdle],
  ["what an earlier replacement left over is deleted beside its successor", events(successor, pending)],
  ["the same alone", events(pending), "--fail-on=delete"],
  [
    "a policy's refusal is told on its compute",
    events(successor, policy({ resourceUrn: urnOf("app") }), hasFailed),
    "--fail-on=delete",
  ],
  ["one of the stack is an error", events(policy({}), hasFailed)],
  ["a remark of a policy is nothing", events(policy({ enforcementLevel: "advisory" }))],
  ["its reason is not in the document", digest([], failure("error: preview failed\n"))],
  [
    "an error of another resource keeps its words, and not the value, which may be a secret",
    digest(
      [],
      ofOther("a:b:C resource 'db': property password value {&{{hunter2}}} has a problem: too short"),
    ),
  ],
  [
    "the same of a longer path",
    digest([], ofOther("a:b:C resource 'db': property a['b c'] value {hunter2} has a problem: no")),
  ],
  [
    "the same of a component",
    digest(
      [],
      ofOther(
        "no\n\t\t- property a with value 'hunter2' has a problem: no\n\t\t- property b has a problem: no",
      ),
    ),
  ],

  ["their dependencies order them", digest([last, two!, another("first"), three!])],
  [
    "through what depends on one of them",
    digest([
      step({ ...restarts, dependencies: [between] }),
      step({ urn: between, op: "same", ...after("second") }),
      second,
    ]),
  ],
  ["one is left over", digest([last, leftOver])],
  [
    "one is replaced, which begins with another compute",
    digest([step({ op: "replace", ...after("second") }), two!]),
  ],
  ["one may be interrupted", digest([primary, another("second", { poolerEnabled: true })])],
  [
    "a branch of another project is another one",
    digest([primary, another("b", { ...elsewhere, ...size(2) }, { old: { ...replica, ...elsewhere } })]),
  ],

  ["a compute may have been renamed", renamed()],
  ["it may have a new parent", renamed({}, { urn: inTeam })],
  ["not of another size", renamed(size(2))],
  ["not on another branch", renamed({ branchId: "br-b" })],
  ["not on a branch that only the update knows", renamed({ branchId: unknownId })],
  ["not of another project", renamed(elsewhere)],
  ["with Terraform it is a moved block", Buffer.from(JSON.stringify(plan)), "--fail-on=delete"],

  [
    "the service could not be asked, beside what is known without asking",
    digest([unsure, unsureNew].map(step)),
  ],
  [
    "it could not be asked of a new compute's branch: its row stays",
    digest([unsureNew, settles].map(step)),
    "--format=markdown",
  ],
  [
    "before what --fail-on refuses, of which it may have missed something",
    digest([step(unsure)]),
    "--fail-on=restart",
  ],
  [
    "in one of several stacks",
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
  ["a folder without one is an error", { "previews/notes.md": calm }, "previews"],
  [
    "stacks are reported though some are no previews, which gives no all-clear",
    { "calm.json": calm, "torn.json": prod.subarray(0, 300), "broken.json": broken },
    ...["calm.json", "torn.json", "gone.json", "broken.json", "--format=markdown"],
  ],
  [
    "one is nested without end",
    { "calm.json": calm, "deep.json": Buffer.from(deep) },
    "calm.json",
    "deep.json",
  ],
];

it("prints of each preview what its row promises", () => {
  expectKept(goldenFile("report"), printed(rows));
});
