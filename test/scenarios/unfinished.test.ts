/** Creates during which a run was killed: a later run names the computes that they may have made, and the user decides. */
import { scenarios } from "./scenarios";
import { destroy, killed, preview, previewAll, up, upAll, wireSize } from "./commands";
import { anotherProject, othersMake, pendingCreatesCleared, seconds } from "./events";
import { always, answers, answersBody, looksForACreate, lost, times } from "./faults";

const replica = { type: "read_only" };
const all = { first: replica, second: replica, third: replica };
const kept = { first: replica, second: replica };
/** A run is killed during this create, and the service has made the compute. */
const begun = { do: up(replica, killed), expect: { computes: ["left"] } };
/** A run is killed during this create, and the service has made nothing. */
const begunInVain = { faults: { POST: always(answers(400)) }, ...begun, expect: { computes: [] } };
const elsewhere = { ...replica, projectId: "<far project>", branchId: "<far branch>" };
const apart = { first: replica, other: { ...replica, branchId: "<other branch>" } };
const forgetsToo =
  '…forgets that create. The command also forgets the unfinished creates of "other": check first which computes they left behind.…';
const clears = "run `pulumi refresh --clear-pending-creates`, so that Pulumi forgets that create.";
const namesLeft = `…creating a read_only compute on branch <branch> of project <project>: an earlier run … this compute. It may have created <left> (0.25 CU, created 2026-…Z). This run sent nothing.…
- To keep it: add the argument adopt: "<left>" and the option retainOnDelete: false, and run \`pulumi up\`. Then remove both, and ${clears}
- If it does not come from that create: ${clears} The next \`pulumi up\` creates another compute.`;
/** A preview takes no lock, so it cannot know whether the earlier run still goes on. */
const mayStillRun = [
  "an earlier run has not finished creating this compute.",
  "- If another run of this stack is still active: wait until it ends, then run the same command again.",
];
/** The dynamic variant's refresh sees only the state, so an update removes the line from the state. */
const linesGone = {
  expect: { sent: [] },
  dynamic: { step: "updated" },
  native: { step: "same" },
} as const;

scenarios("a create in a run that was killed", [
  {
    promise:
      "stops the next preview and update: both name the compute that it may have made, and nothing is created",
    ...begun,
    then: [
      { do: preview(replica), expect: { error: namesLeft, says: mayStillRun } },
      {
        do: up(replica),
        expect: { error: namesLeft, sent: [] },
        // The plugin's check is not told whether it belongs to a preview.
        dynamic: { says: ["an earlier run was cut off while creating this compute."] },
      },
      {
        meanwhile: [seconds(60), othersMake("newer", { ...replica, ...wireSize(2) })],
        do: up(replica),
        expect: {
          error: `…creating a read_only compute on branch <branch> of project <project>: …It may have created one of these: <newer> (2 CU, …Z), <left> (…). This run sent nothing.…
- To keep one: add the argument adopt: "<newer>" (or another of these ids) and the option retainOnDelete: false, and run \`pulumi up\`. Then remove both, and ${clears} If several computes are identical, it does not matter which one this resource adopts.
- If none of them comes from that create: ${clears} The next \`pulumi up\` creates another compute.`,
        },
      },
    ],
  },
  {
    promise: "is not looked for in a preview with live facts off",
    ...begun,
    then: [
      {
        do: preview(replica, { stack: { liveFacts: "false" } }),
        expect: { rows: [], requests: [] },
      },
    ],
  },
  {
    promise:
      "is over once the suggested line adopts its compute: the compute is managed, and a destroy deletes it",
    ...begun,
    then: [
      { do: up({ ...replica, adopt: "<left>" }), expect: { step: "created", sent: [] } },
      { do: up(replica), ...linesGone },
      { do: destroy(), expect: { computes: [] } },
    ],
  },
  {
    promise: "is forgotten after `pulumi refresh --clear-pending-creates`, and another compute is created",
    ...begun,
    then: [
      { meanwhile: [pendingCreatesCleared], do: up(replica), expect: { sent: ["POST"], said: ["…<left>…"] } },
      { do: up(replica), expect: { step: "same" } },
      { do: destroy(), expect: { computes: ["left"] } },
    ],
  },
  {
    promise: "can be the new side of a replacement: its compute is adopted, and the old one is deleted",
    given: { db: { ...replica, regionId: "local-1" } },
    faults: { DELETE: always(answers(403)) },
    do: up({ regionId: "local-2" }, killed),
    then: [
      { do: up({ regionId: "local-2" }), expect: { error: '…adopt: "<left>"…' } },
      {
        do: up({ regionId: "local-2", adopt: "<left>" }),
        expect: { step: "replaced", computes: ["left"] },
      },
      { do: up({ regionId: "local-2" }), ...linesGone },
    ],
  },
  {
    promise: "is repeated, after a wait for late lists, if its branch has no compute of its type",
    meanwhile: [othersMake("theirs")],
    ...begunInVain,
    then: [
      { do: preview(replica), expect: { said: [] } },
      { do: up(replica), expect: { atLeast: 15, sent: ["POST"] } },
    ],
  },
  {
    promise:
      "waits for late lists at the same time as the other creates of that run, even in a locked project",
    given: { service: { lock: "project" } },
    ...begunInVain,
    do: upAll(many(6), killed),
    then: [{ do: upAll(many(6)), expect: { count: { POST: "<= 7" }, within: 29 } }],
  },
  {
    promise: "does not claim the compute of another create in the next run, whose answer was lost",
    ...begunInVain,
    then: [
      {
        faults: { POST: lost },
        do: upAll({ db: replica, other: replica }),
        expect: { said: ["…Since then, compute <other> has appeared…"], computes: ["db", "other"] },
      },
    ],
  },
  {
    promise:
      "makes the error name the other creates that `pulumi refresh --clear-pending-creates` would forget too",
    do: upAll(apart, killed),
    expect: { computes: ["left", "left 2"] },
    then: [{ do: previewAll(apart), expect: { error: forgetsToo } }],
  },
  {
    promise: "is not repeated if only a later list shows its compute",
    ...begun,
    then: [
      {
        faults: { LIST: times(looksForACreate, answersBody({ endpoints: [] })) },
        do: up(replica),
        expect: { error: namesLeft, sent: [] },
      },
    ],
  },
  {
    promise:
      "does not claim a compute that is in the state, or one that the next run creates at the same time",
    do: upAll(kept),
    then: [
      { faults: { POST: always(answers(400)) }, do: upAll(all, killed) },
      { do: upAll({ ...all, fourth: replica }), expect: { count: { POST: 2 }, said: [] } },
    ],
  },
  {
    promise: "is looked for on its earlier branch if the program now names another branch",
    ...begun,
    then: [
      {
        do: up({ ...replica, branchId: "<other branch>" }),
        expect: {
          error:
            '…on branch <branch> of project…To keep it: put the earlier project, branch and type back, and add the argument adopt: "<left>" and…',
        },
      },
    ],
  },
  {
    promise: "is looked for in the declared project and branch if the backend stores both as secrets",
    do: up({ ...replica, $secrets: ["projectId", "branchId"] }, killed),
    then: [{ do: preview(replica), expect: { error: namesLeft } }],
  },
  {
    promise:
      "blocks a create in another project until Pulumi forgets the killed create, if the first project cannot be listed",
    ...begun,
    then: [
      {
        meanwhile: [anotherProject],
        faults: { ANY: always({ ...answers(500), path: "/projects/<project>/" }) },
        do: up(elsewhere),
        expect: {
          error: `…the service answered 500…
- To ignore a compute that the earlier run may have created: ${clears} The next \`pulumi up\` creates another compute.`,
          sent: [],
        },
      },
      { meanwhile: [pendingCreatesCleared], do: up(elsewhere), expect: { sent: ["POST"] } },
    ],
    behind: "the compute is in another project",
  },
  {
    promise: "is not repeated if its branch has a compute that cannot be read",
    ...begunInVain,
    then: [
      { faults: { LIST: always(answersBody({ endpoints: [{ id: "ep-odd" }] })) }, do: preview(replica) },
      {
        faults: { LIST: always(answersBody({ endpoints: [{ id: "ep-odd" }] })) },
        do: up(replica),
        expect: { error: "…", sent: [] },
      },
    ],
  },
  {
    promise:
      "is found for a renamed resource too, although the engine does not tell the provider the old name",
    do: upAll({ former: replica }, killed),
    then: [
      ...[previewAll, upAll].map((run) => ({
        do: run({ renamed: replica }),
        expect: {
          error: `…an earlier run … resource "former" on this branch (perhaps the former name of this resource). It may have created <left> (…adopt: "<left>"…`,
        },
      })),
      { do: upAll({ renamed: { ...replica, adopt: "<left>" } }), expect: { sent: [] } },
    ],
  },
  {
    promise: "does not block another resource if it was begun on another branch",
    do: upAll({ former: { ...replica, branchId: "<other branch>" } }, killed),
    then: [{ do: upAll({ other: replica }), expect: { count: { POST: 1 }, computes: ["left", "other"] } }],
  },
  {
    promise: "does not block another resource if the program still declares its own resource",
    do: upAll({ former: replica }, killed),
    then: [
      { do: upAll({ former: { ...replica, adopt: "<left>" }, other: replica }), expect: { sent: ["POST"] } },
    ],
  },
  {
    promise: "is named together with the branch's primary, which it may have made",
    // The plugin's check asks the service in each run, so no create begins.
    variants: ["dynamic"],
    do: up({ branchId: "<default branch>" }),
    expect: {
      error:
        "…already has a primary (<default primary>), and a branch can have only one. This run created nothing.…",
    },
    then: [
      { do: up({ branchId: "<default branch>" }, killed) },
      {
        do: preview({ branchId: "<default branch>" }),
        expect: {
          error:
            "…already has a primary (<default primary>), and a branch can have only one; an earlier run has not finished creating this compute, and may have created <default primary>. This run created nothing.…",
        },
      },
    ],
  },
]);

function many(count: number): Readonly<Record<string, typeof replica>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`replica${index}`, replica]));
}
