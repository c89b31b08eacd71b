/** What a run concludes from the calls that it has seen, in the engine's order. Any call can be missing. */
import { trackHistory, type History } from "../../../../provider/run/history";
import type { EndpointState } from "../../../../provider/model/state";

const db = { id: "db" };
const stateOf = (endpointId: string): EndpointState => ({
  ...{ endpointId, projectId: "p", branchId: "br" },
  ...{ type: "read_write", managed: [] },
});
type Note = (run: History) => void;
const read =
  (id: string): Note =>
  (run) => {
    run.noteRead(db, id, stateOf(id));
  };
const gone =
  (id: string): Note =>
  (run) => {
    run.noteRead(db, id, undefined);
  };
const checked: Note = (run) => {
  run.noteChecked(db, {
    adoptLine: { before: undefined, now: undefined },
    isPreview: true,
    shown: undefined,
  });
};
const diffed =
  (replaces: boolean): Note =>
  (run) => {
    run.noteDiff(db, { endpointId: "ep-a", replaces, judgement: undefined });
  };
const isNew: Note = (run) => {
  run.noteNew(db, undefined);
};
const taken: Note = (run) => {
  run.noteTaken(db, "ep-a");
};

function runOf(notes: readonly Note[]): History {
  const run = trackHistory();
  for (const note of notes) note(run);
  return run;
}

it("a run reports no replacement for resources without a name, since these share one history", () => {
  const nameless = { id: undefined };
  const run = runOf([]);
  run.noteRead(nameless, "ep-a", stateOf("ep-a"));
  expect(run.replacedBy(nameless)).toBeUndefined();
});

const byForce = { endpointId: "ep-a", isForced: true };

it.each<[reason: string, notes: readonly Note[], replaced: ReturnType<History["replacedBy"]>]>([
  ["--replace, where only a refresh names the compute", [read("ep-a")], byForce],
  [
    "the option replaceWith, where old inputs were checked but not compared",
    [read("ep-a"), checked],
    byForce,
  ],
  ["the option replaceOnChanges, which the engine applies after a diff", [checked, diffed(false)], byForce],
  [
    "a replacement that the provider's own diff asked for",
    [checked, diffed(true)],
    { endpointId: "ep-a", isForced: false },
  ],
  ["no call named the compute", [checked], { endpointId: undefined, isForced: false }],
  ["two computes under one name, one of them not yet deleted", [read("ep-a"), read("ep-b")], undefined],
  ["the same two in the other order", [read("ep-b"), read("ep-a")], undefined],
  [
    "two computes under one name, but one of them is gone",
    [read("ep-a"), read("ep-b"), gone("ep-b")],
    byForce,
  ],
  ["one compute, read twice", [read("ep-a"), read("ep-a")], byForce],
])("a run knows what a check without old inputs replaces: %s", (_reason, notes, replaced) => {
  expect(runOf(notes).replacedBy(db)).toEqual(replaced);
});

it.each<[reason: string, notes: readonly Note[], keeps: boolean]>([
  ["the diff keeps the compute", [checked, diffed(false)], true],
  ["the diff replaces the compute", [checked, diffed(true)], false],
  ["an option replaces the compute after the diff", [checked, diffed(false), isNew], false],
  ["this run imported or adopted the compute", [isNew, taken], true],
])(
  "a run knows whether the resource still has a compute that the engine deletes as replaced: %s",
  (_reason, notes, keeps) => {
    const run = runOf(notes);
    expect([run.keeps(db, "ep-a"), run.keeps(db, "ep-b")]).toEqual([keeps, false]);
  },
);
