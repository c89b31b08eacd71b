/** A branch has at most one primary. */
import { scenarios } from "./scenarios";
import { previewAll, size, upAll, up } from "./commands";
import { othersMake, seconds } from "./events";
import { answers, forAWhile, since, stale } from "./faults";

const primary = { ...size(1), type: "read_write" };
const replica = { ...size(1), type: "read_only" };

scenarios("the primary of a branch", [
  {
    promise: "cannot be declared by two resources: the preview names both",
    do: previewAll({ one: primary, two: primary }),
    expect: { error: '…resource "two" and resource "one" of this program both declare it…' },
    then: [
      { do: upAll({ one: primary }) },
      { do: previewAll({ one: primary, two: primary }), expect: { error: "…both declare it…" } },
    ],
  },
  {
    promise:
      "is refused in the preview if the service already lists another primary, and the error says what to do",
    do: previewAll({ db: { ...primary, branchId: "<default branch>" } }),
    expect: {
      // If the error began with an argument's name, the engine would print that argument's value again.
      error: `checking the program: creating a read_write compute on branch <default branch> …: branch <default branch> already has a primary (<default primary>), and a branch can have only one. This run created nothing.…
- If this resource was renamed: add the option aliases.
- If another resource of this program declares that primary: remove one of the two.
- To manage that primary here: add the argument adopt: "<default primary>".
- Other cases: "already has a primary" in docs/what-happens-when.md.`,
    },
  },
  {
    promise: "cannot swap types with a replica, as the preview says",
    do: upAll({ one: primary, two: replica }),
    then: [
      {
        do: previewAll({ one: replica, two: primary }),
        expect: {
          says: [
            'Branch <branch> already has a primary (<one> of resource "one"), and a branch can have only one: this create is refused until that primary is gone',
          ],
        },
      },
      {
        do: upAll({ one: replica, two: primary }),
        expect: {
          error:
            '…branch <branch> already has a primary (<one> of resource "one"), and a branch can have only one…',
        },
      },
    ],
  },
  {
    promise:
      "can be adopted by a resource whose type changes to read_write, as the error suggests: its old replica is deleted",
    given: { db: { ...replica, branchId: "<default branch>" } },
    do: up({ type: "read_write" }),
    expect: { error: '…adopt: "<default primary>"…' },
    then: [
      {
        do: up({ type: "read_write", adopt: "<default primary>" }),
        expect: {
          step: "replaced",
          never: ["already has a primary"],
          sent: ["PATCH <default primary>", "DELETE <db>"],
        },
      },
      { do: up({ type: "read_write" }) },
    ],
  },
]);

const refusedMove = `updating compute <db>: branch <default branch> already has a primary (<default primary>), and a branch can have only one [request …]. Nothing was changed.
- If another resource of this program moves that compute away: add the option dependsOn with that resource, or run \`pulumi up\` a second time.
- Otherwise: move this compute to a branch without a primary.`;
const besideOne = `- If this is "one" under a new name: add the option aliases, so that its compute and host stay.
- If "one" moves to another branch: add the option dependsOn with that resource, or run \`pulumi up\` a second time.
- If you no longer need "one": remove it first, in a separate \`pulumi up\`.`;
const [at, elsewhere] = [
  { ...primary, branchId: "<branch>" },
  { ...primary, branchId: "<other branch>" },
];
const nowhere = { ...primary, branchId: "<third branch>" };

scenarios("the primary of a branch, when computes move", [
  ...([409, 423] as const).map((secondPrimaryStatus) => ({
    promise:
      "makes the service refuse a move to that branch, with an error that names the primary and says what to do",
    reason: `the service answers ${secondPrimaryStatus}`,
    given: { db: primary, service: { secondPrimaryStatus } },
    do: up({ branchId: "<default branch>" }),
    // An `adopt` line has no effect on a resource that already has a compute.
    expect: { error: refusedMove, never: ["adopt"], live: { branch_id: "<branch>" } },
  })),
  {
    promise:
      "can be created by the second `pulumi up`, after the first has moved the old primary away, as the preview says",
    do: upAll({ one: at }),
    then: [
      {
        do: previewAll({ two: at, one: elsewhere }),
        expect: {
          says: [
            `warning: Branch <branch> already has a primary (<one> of resource "one"), and a branch can have only one: this create is refused until that primary is gone.
${besideOne}`,
          ],
        },
      },
      {
        do: upAll({ two: at, one: elsewhere }),
        expect: {
          error: `…branch <branch> already has a primary (<one> of resource "one"), and a branch can have only one. This run created nothing.
${besideOne}
- Otherwise: use another branch, or type: "read_only".`,
          never: ["adopt"],
        },
      },
      { do: upAll({ two: at, one: elsewhere }), expect: { count: { POST: 1 } } },
    ],
  },
  {
    promise:
      "cannot swap branches with another primary: both moves fail within a minute, and each error names the other primary. One move at a time works",
    do: upAll({ one: at, two: elsewhere }),
    then: [
      {
        do: upAll({ one: elsewhere, two: at }),
        expect: {
          error: ["updating…already has a primary (<…>)…", "updating…already has a primary (<…>)…"],
          says: [/compute <one>: .*primary \(<two>\)/, /compute <two>: .*primary \(<one>\)/],
          within: 60,
        },
      },
      { do: upAll({ one: nowhere, two: elsewhere }) },
      { do: upAll({ one: nowhere, two: at }) },
      { do: upAll({ one: elsewhere, two: at }) },
    ],
  },
]);

scenarios("the replacement of a primary", [
  {
    promise:
      "is created once this run has deleted the old compute, even if lists still show the old compute for a while",
    given: { db: { ...size(1), regionId: "local-1" } },
    faults: { LIST: since("DELETE", forAWhile(stale)) },
    do: up({ ...size(1), regionId: "local-2" }),
    expect: { step: "replaced", count: { DELETE: 1, POST: 1 } },
  },
  {
    promise:
      "is created once the project's lock has ended, even if lists still show the old compute for a while",
    reason: "the service answers 409 while another operation runs",
    given: { db: { ...size(1), regionId: "local-1" }, operationMs: 3_000 },
    during: { DELETE: othersMake("replica", { type: "read_only" }) },
    faults: { LIST: since("DELETE", forAWhile(stale)), POST: answers(409) },
    do: up({ ...size(1), regionId: "local-2" }),
    expect: { step: "replaced", count: { DELETE: 1, POST: 2 } },
  },
]);

scenarios("a second primary", [
  {
    promise: "is refused before the create is sent, and the error has the line that adopts the first primary",
    do: up({ branchId: "<default branch>" }),
    expect: {
      error:
        '…already has a primary (<default primary>), and a branch can have only one. This run created nothing.…adopt: "<default primary>"…',
      requests: ["LIST", "LIST"],
    },
  },
  ...([409, 400, 412, 422, 423] as const).map((secondPrimaryStatus) => ({
    promise: "is refused by the service if another create came first, and the error names the other compute",
    reason: `the service answers ${secondPrimaryStatus}`,
    given: { service: { secondPrimaryStatus } },
    during: { POST: othersMake("rival") },
    do: up(),
    expect: {
      error:
        '…already has a primary (<rival>), and a branch can have only one. This run created nothing.…adopt: "<rival>"…',
      state: null,
    },
  })),
  {
    promise:
      "is not named as the cause when the create of a replica gets a 409: the create is sent again once the operations have ended",
    meanwhile: [othersMake("rival")],
    faults: { POST: answers(409) },
    do: up({ type: "read_only" }),
    expect: { sent: ["POST", "POST"] },
  },
  {
    promise: "can be created if the first was just deleted, even if a list still shows the first",
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
