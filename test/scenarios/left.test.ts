/** Killed creates whose resource leaves the program: nobody but this provider names what they may have made. */
import type { Row, Step } from "./row";
import { scenarios } from "./scenarios";
import { destroy, killed, previewAll, unread, up, upAll } from "./commands";
import { pendingCreatesCleared, seconds } from "./events";
import { always, answers } from "./faults";

const replica = { type: "read_only" };
const all = { first: replica, second: replica, third: replica };
const kept = { first: replica, second: replica };
const clears = "run `pulumi refresh --clear-pending-creates` once";
const leftBy = (name: string, adopting = `, if the program has no "${name}" now, put it back`): string =>
  `warning: An earlier run of this stack began to create resource "${name}", a read_only compute on branch <branch>, and did not end. The branch has <left> (0.25 CU, created …Z), which this stack does not have. If that create made it, delete it at the service, or${adopting} with the line adopt: "<left>". Then ${clears}, so that Pulumi forgets that create.`;
const leaves = (next: Step): Pick<Row, "do" | "then"> => ({
  do: upAll(kept),
  then: [{ do: upAll(all, killed) }, next],
});

scenarios("a killed create whose resource leaves the program", [
  ...[
    { reason: "a destroy", do: destroy(), computes: ["left"] },
    {
      reason: "an update that deletes another resource",
      do: upAll({ first: replica }),
      computes: ["first", "left"],
    },
    { reason: "an update that changes nothing", do: upAll(kept), computes: ["first", "left", "second"] },
    { reason: "a preview", do: previewAll(kept), computes: ["first", "left", "second"] },
  ].map(({ reason, do: run, computes }) => ({
    promise: "is named once by the next command, which leaves its compute alone",
    reason,
    ...leaves({ do: run, expect: { said: [leftBy("third")], computes } }),
  })),
  {
    promise: "is named no more once the line has it adopted, and once Pulumi's own command forgets it",
    do: upAll(all, killed),
    expect: { computes: ["left", "left 2", "left 3"] },
    then: [
      {
        do: upAll({
          first: { ...replica, adopt: "<left>" },
          second: { ...replica, adopt: "<left 2>" },
          third: { ...replica, adopt: "<left 3>" },
        }),
        expect: { said: [], sent: [] },
      },
      { do: upAll(all), expect: { said: [] } },
      { do: upAll(kept), expect: { count: { DELETE: 1 } } },
      {
        do: upAll(kept),
        expect: { said: [`…The service lists no compute that it may have made. Then ${clears}…`] },
      },
      { meanwhile: [pendingCreatesCleared], do: destroy(), expect: { said: [], computes: [] } },
    ],
  },
  {
    promise: "is not named while the program declares it, with its line, after a resource that changes",
    ...leaves({
      do: upAll({
        ...kept,
        first: { ...replica, suspendTimeoutSeconds: 120 },
        third: { ...replica, adopt: "<left>" },
      }),
      expect: { never: ["and did not end"], sent: ["PATCH <first>"] },
    }),
  },
  {
    promise: "is named where it was of a replacement that the program asks for no more",
    given: { db: replica },
    faults: { DELETE: always(answers(403)) },
    do: up({ regionId: "local-2" }, killed),
    then: [
      {
        meanwhile: [seconds(60)],
        do: destroy(),
        expect: { said: [leftBy("db", " declare another resource")], computes: ["left"] },
      },
    ],
  },
  {
    promise: "is named with where to look if the service lists nothing",
    given: { engine: unread },
    ...leaves({
      faults: { LIST: always(answers(500)) },
      do: destroy(),
      expect: { said: ["…The service could not list its project…"], computes: ["left"] },
    }),
  },
  {
    promise: "shows nothing of a secret place",
    do: upAll({ first: replica }),
    then: [
      { do: upAll({ first: replica, second: { ...replica, $secrets: ["projectId", "branchId"] } }, killed) },
      {
        do: destroy(),
        expect: {
          said: [
            `warning: An earlier run of this stack began to create resource "second", a read_only compute, and did not end. Its project or branch is a secret, so this run cannot look there. See at the service whether it has a compute that nobody needs. Then ${clears}, so that Pulumi forgets that create.`,
          ],
          computes: ["left"],
        },
      },
    ],
  },
]);
