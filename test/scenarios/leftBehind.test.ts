/**
 * Creates that a killed run has left unfinished, and whose resources have since left the program. Also: a Pulumi backend that
 * cannot be asked for such creates.
 */
import type { Row, Step } from "./row";
import { scenarios } from "./scenarios";
import { destroy, killed, previewAll, unasked, unread, up, upAll } from "./commands";
import { othersMake, pendingCreatesCleared } from "./events";
import { always, answers } from "./faults";

const replica = { type: "read_only" };
const all = { first: replica, second: replica, third: replica };
const kept = { first: replica, second: replica };
const clears = "run `pulumi refresh --clear-pending-creates`, so that Pulumi forgets that create.";
const thirdLeft = `warning: An earlier run was cut off while creating resource "third", a read_only compute on branch <branch>. It may have created <left> (0.25 CU, created …Z), which this stack does not have.
- To keep it: declare resource "third" with adopt: "<left>".
- Otherwise: delete the compute of that run at the service.
- In both cases: ${clears}`;
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
    {
      reason: "an update that changes another resource",
      do: upAll({ ...kept, first: { ...replica, suspendTimeoutSeconds: 120 } }),
      computes: ["first", "left", "second"],
    },
  ].map(({ reason, do: run, computes }) => ({
    promise: "is named once by the next command, which leaves its compute alone",
    reason,
    ...leaves({ do: run, expect: { said: [thirdLeft], computes } }),
  })),
  {
    promise: "is named even if its resource was renamed before, in a stack with another provider instance",
    given: { engine: { hasOtherProvider: true } },
    do: upAll({ first: replica }),
    then: [
      { do: upAll({ renamed: { ...replica, $aliases: ["first"] } }), expect: { sent: [] } },
      { do: upAll({ renamed: replica }, { ...killed, replace: ["renamed"] }) },
      {
        do: destroy(),
        expect: {
          says: ['was cut off while creating resource "renamed"…It may have created <left> ('],
          computes: ["left"],
        },
      },
    ],
  },
  ...[
    { reason: "an update that changes nothing", do: upAll(kept) },
    { reason: "a preview", do: previewAll(kept) },
  ].map(({ reason, do: run }) => ({
    promise: "is not looked for in a run that creates, changes and deletes nothing (only Pulumi warns)",
    reason,
    ...leaves({ do: run, expect: { said: [], computes: ["first", "left", "second"] } }),
  })),
  {
    promise: "is no longer named once its compute is adopted, or once Pulumi's own command forgets it",
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
        do: upAll({ ...kept, first: { ...replica, suspendTimeoutSeconds: 120 } }),
        expect: { said: [`…The service lists no compute from that run. To end this warning, ${clears}…`] },
      },
      { meanwhile: [pendingCreatesCleared], do: destroy(), expect: { said: [], computes: [] } },
    ],
  },
  {
    promise:
      "is not named while the program declares its resource with an adopt line, even if another resource changes first",
    ...leaves({
      do: upAll({
        ...kept,
        first: { ...replica, suspendTimeoutSeconds: 120 },
        third: { ...replica, adopt: "<left>" },
      }),
      expect: { never: ["was cut off"], sent: ["PATCH <first>"] },
    }),
  },
  {
    promise: "is named with the project to check, if the service cannot list that project",
    given: { engine: unread },
    ...leaves({
      faults: { LIST: always(answers(500)) },
      do: destroy(),
      expect: { said: ["…The computes of the project could not be listed…"], computes: ["left"] },
    }),
  },
  ...[
    { secrets: ["projectId", "branchId"], place: "" },
    { secrets: ["projectId"], place: " on branch <branch>" },
    { secrets: ["branchId"], place: "" },
  ].map(({ secrets, place }) => ({
    promise: "is named without its project and branch if one of them is secret",
    reason: secrets.join(" and "),
    do: upAll({ first: replica }),
    then: [
      { do: upAll({ first: replica, second: { ...replica, $secrets: secrets } }, killed) },
      {
        do: destroy(),
        expect: {
          said: [
            `warning: An earlier run was cut off while creating resource "second", a read_only compute${place}. Its project or branch is secret, so this run cannot look for the compute. Check the project at the service for a compute that nobody needs. Then ${clears}`,
          ],
          computes: ["left"],
        },
      },
    ],
  })),
]);

const notAsked =
  "warning: This stack's state and unfinished creates could not be read from Pulumi's backend (`pulumi stack export` printed a format that this version does not support). If a run of this stack was killed, check at the service which computes that run created, before you create more. Do not adopt a compute that another resource has.";

scenarios("a Pulumi backend that cannot be asked for unfinished creates", [
  {
    promise: "is reported once in a run with new replicas, and the run goes on",
    given: { engine: unasked },
    // Nobody can tell which resource this compute belongs to.
    meanwhile: [othersMake("recent", { type: "read_only" })],
    do: upAll(all),
    expect: { said: [notAsked], count: { POST: 3 } },
    then: [{ do: upAll(all), expect: { said: [] } }],
  },
  {
    promise: "is not reported in a run whose only new compute is a primary, and does not stop that run",
    given: { engine: unasked },
    do: up(),
    expect: { said: [], step: "created" },
  },
]);
