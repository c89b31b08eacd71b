/** The computes of a branch: one primary, and an order in which they are interrupted. */
import { scenarios } from "./scenarios";
import { previewAll, size, upAll, up } from "./commands";
import { othersMake, seconds } from "./events";
import { answers } from "./faults";
import type { World } from "./world";

const primary = { ...size(1), type: "read_write" };
const replica = { ...size(1), type: "read_only" };
const branch = (cu: number) => ({
  db: { ...primary, ...size(cu) },
  one: { ...replica, ...size(cu) },
  two: { ...replica, ...size(cu) },
  three: { ...replica, ...size(cu) },
});
const others = [1, 2, 3, 4].map((count) =>
  othersMake(`other ${count}`, { branch_id: "<default branch>", type: "read_only" }),
);

/** Between two changes the operations of the first have ended. */
const oneByOne = ({ emulator, idOf }: World): void => {
  const spans = emulator
    .operations(idOf("project"))
    .filter(({ action, endpoint_id }) => action === "apply_config" && endpoint_id !== idOf("default primary"))
    .map(({ created_at, updated_at }) => [Date.parse(created_at), Date.parse(updated_at)] as const)
    .sort(([a], [b]) => a - b);
  expect(spans.filter(([from], index) => index > 0 && from < (spans[index - 1]?.[1] ?? 0))).toEqual([]);
};
const sent = ["PATCH <one>", "PATCH <two>", "PATCH <three>", "PATCH <db>"];

scenarios("a change of size on a whole branch", [
  {
    promise: "restarts its replicas one after the other, and its primary last",
    meanwhile: others,
    do: upAll(branch(1)),
    then: [
      {
        do: upAll(branch(2)),
        expect: {
          sent,
          also: oneByOne,
          says: [
            "waiting for compute <one> of its branch: half of its replicas keep running, and the primary is last",
          ],
        },
      },
    ],
  },
  {
    promise: "keeps half of many replicas running: thirty are done in two waves",
    do: upAll({ db: primary, ...many(1) }),
    then: [
      {
        do: upAll({ db: { ...primary, ...size(2) }, ...many(2) }),
        expect: {
          also: ({ emulator, idOf }) => {
            const begun = emulator
              .operations(idOf("project"))
              .filter(({ action }) => action === "apply_config")
              .map(({ created_at }) => created_at);
            const waves = [...new Set(begun)].map((at) => begun.filter((other) => other === at).length);
            expect(waves.reverse()).toEqual([15, 15, 1]);
          },
        },
      },
    ],
  },
  {
    promise: "does so in a project that takes one operation at a time",
    given: { service: { lock: "project" } },
    do: upAll(branch(1)),
    then: [{ do: upAll(branch(2)), expect: { sent, also: oneByOne } }],
  },
  {
    promise: "goes on past a compute whose change is refused",
    do: upAll(branch(1)),
    then: [
      {
        faults: { PATCH: answers(400) },
        do: upAll(branch(2)),
        expect: { error: "updating compute <one>: …", sent },
      },
    ],
  },
  {
    promise: "keeps changes that interrupt nothing side by side",
    do: upAll(branch(1)),
    then: [
      {
        do: upAll(
          Object.fromEntries(
            Object.entries(branch(1)).map(([name, args]) => [name, { ...args, suspendTimeoutSeconds: 900 }]),
          ),
        ),
        expect: { within: 3.5, count: { PATCH: 4 } },
      },
    ],
  },
]);

function many(cu: number): Record<string, Record<string, unknown>> {
  const names = Array.from({ length: 30 }, (_, index) => `replica${index}`);
  return Object.fromEntries(names.map((name) => [name, { ...replica, ...size(cu) }]));
}

scenarios("the one primary of a branch", [
  {
    promise: "is refused to a second resource of the program, in the preview, with both names",
    do: previewAll({ one: primary, two: primary }),
    expect: { error: '…resource "two" and resource "one" of this program both declare it…' },
    then: [
      { do: upAll({ one: primary }) },
      { do: previewAll({ one: primary, two: primary }), expect: { error: "…both declare it…" } },
    ],
  },
  {
    promise: "is refused in the preview where the service lists one, with the lines that help",
    do: previewAll({ db: { ...primary, branchId: "<default branch>" } }),
    expect: {
      error:
        '…the branch has its one primary already, compute <default primary>…if this one was renamed, add the option aliases…adopt: "<default primary>"…',
    },
  },
  {
    promise: "is announced as occupied to a replica that is replaced by a primary: two that swap their types",
    do: upAll({ one: primary, two: replica }),
    then: [
      {
        do: previewAll({ one: replica, two: primary }),
        expect: {
          says: [
            'Branch <branch> has its one primary already, compute <one> of resource "one": this create is refused as long as it is there',
          ],
        },
      },
      {
        do: upAll({ one: replica, two: primary }),
        expect: { error: "…the branch has its one primary already, compute <one>…" },
      },
    ],
  },
  {
    promise: "is adopted by a replica that becomes it, as the refusal says: the replica is deleted",
    given: { db: { ...replica, branchId: "<default branch>" } },
    do: up({ type: "read_write" }),
    expect: { error: '…adopt: "<default primary>"…' },
    then: [
      {
        do: up({ type: "read_write", adopt: "<default primary>" }),
        expect: {
          step: "replaced",
          never: ["has its one primary already"],
          sent: ["PATCH <default primary>", "DELETE <db>"],
        },
      },
      { do: up({ type: "read_write" }) },
    ],
  },
]);

scenarios("a second primary", [
  {
    promise: "is refused before anything is sent, with the line that adopts the first",
    do: up({ branchId: "<default branch>" }),
    expect: {
      error:
        '…the branch has its one primary already, compute <default primary>. If another resource of this program declares it, remove one of the two…adopt: "<default primary>"…',
      requests: ["LIST", "LIST"],
    },
  },
  ...([409, 400, 412, 422, 423] as const).map((secondPrimaryStatus) => ({
    promise: "is named where the service refuses it, since it came in between",
    reason: `with ${secondPrimaryStatus}`,
    given: { service: { secondPrimaryStatus } },
    during: { POST: othersMake("rival") },
    do: up(),
    expect: { error: '…compute <rival>…adopt: "<rival>"…', state: null },
  })),
  {
    promise: "is refused with the name of the resource of the program that has the first",
    do: upAll({ db: primary }),
    then: [
      {
        do: upAll({ db: primary, second: { ...primary, branchId: "<branch>" } }),
        expect: { error: '…resource "second" and resource "db" of this program both declare it…' },
      },
    ],
  },
  {
    promise:
      "is not what a conflict of a replica means: its create is sent again once the operations have ended",
    meanwhile: [othersMake("rival")],
    faults: { POST: answers(409) },
    do: up({ type: "read_only" }),
    expect: { sent: ["POST", "POST"] },
  },
  {
    promise: "does not stand in the way where it has just been deleted and a list still shows it",
    meanwhile: [othersMake("rival"), seconds(5)],
    faults: { LIST: { kind: "stale" } },
    during: {
      LIST: ({ emulator, idOf }) => {
        emulator.deleteEndpoint(idOf("rival"));
      },
    },
    do: up(),
    expect: { step: "created" },
  },
]);
