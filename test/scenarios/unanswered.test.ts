/**
 * Creates that nobody knows the result of, and that no resource answers for: without an answer beside others, or of a killed
 * run whose resource leaves the program.
 */
import type { Row, Step } from "./row";
import { scenarios } from "./scenarios";
import { destroy, killed, preview, previewAll, size, unread, up, upAll, wireSize } from "./commands";
import { othersMake, pendingCreatesCleared, seconds, stateForgotten } from "./events";
import { always, answers, cut, lost, since, stale, times } from "./faults";

const replica = { type: "read_only" };
const all = { first: replica, second: replica, third: replica };
const kept = { first: replica, second: replica };
const six = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, replica]));
const young =
  'warning: Branch <branch> has <left> (0.25 CU, created 2026-…Z), which this stack does not have. If an earlier create of this stack got no answer, it may have made this one: then declare a replica with the line adopt: "<left>", or delete it at the service.';
/** The create gets no answer, and no list is read after it. */
const unknown = {
  faults: { POST: lost, LIST: since("POST", always(answers(500))) },
  do: up(replica),
  expect: { error: "…the outcome is unknown…", computes: ["left"] },
};

scenarios("a replica whose create got no answer in a run that ended without knowing", [
  {
    promise: "is named by the next preview on its branch, and by its row, and another one is created",
    ...unknown,
    then: [
      { do: preview(replica), expect: { said: [young] } },
      { do: up(replica), expect: { said: [young], sent: ["POST"], computes: ["db", "left"] } },
      // As the line says.
      { do: upAll({ db: replica, second: { ...replica, adopt: "<left>" } }), expect: { sent: [] } },
    ],
  },
  {
    promise: "is named once in a run, however many replicas are new",
    ...unknown,
    then: [{ do: upAll(all), expect: { said: [young], computes: ["first", "left", "second", "third"] } }],
  },
  ...[
    { reason: "it is ten minutes old", event: seconds(600), more: {} },
    { reason: "it is on another branch", event: seconds(0), more: { branchId: "<other branch>" } },
    { reason: "a primary is new", event: seconds(0), more: { type: "read_write" } },
  ].map(({ reason, event, more }) => ({
    promise: "is not named where it is none of these",
    reason,
    ...unknown,
    then: [
      { meanwhile: [event], do: preview({ ...replica, ...more }), expect: { said: [] } },
      { do: up({ ...replica, ...more }), expect: { said: [], computes: ["db", "left"] } },
    ],
  })),
  {
    promise: "is not named where the service cannot be listed in a preview, which says that, and is green",
    ...unknown,
    then: [
      {
        faults: { LIST: always(answers(500)) },
        do: preview(replica),
        expect: { said: ["warning: The service could not be asked…"], never: ["unasked"] },
      },
    ],
  },
  {
    promise: "is nothing that the state has, or that this run makes beside it",
    do: upAll(kept),
    expect: { said: [] },
    then: [{ do: upAll(all), expect: { said: [] } }],
  },
]);

scenarios("a create without an answer, beside others", [
  ...(["read_write", "read_only"] as const).flatMap((type) =>
    [502, 503].map((status) => ({
      promise: "takes nothing of another team's for its own",
      reason: `${type}, answered with ${status}`,
      faults: { POST: answers(status) },
      during: { POST: othersMake("theirs", { type, ...wireSize(4) }) },
      do: up({ type, ...size(0.25) }),
      expect: {
        error: `…the create of this run got no answer…If that create made it, add the line adopt: "<theirs>"…If not, ${type === "read_write" ? "use another branch: a branch" : "run `pulumi up` again,"}…`,
        sent: ["POST"],
      },
    })),
  ),
  {
    promise: "takes nothing that was made before it, though lists show it only now",
    given: { engine: unread },
    faults: { POST: cut, LIST: times(2, stale) },
    during: {
      LIST: (world) => {
        othersMake("theirs", replica)(world);
        seconds(10)(world);
      },
    },
    do: up(replica),
    expect: { error: '…add the line adopt: "<theirs>"…', sent: ["POST"], state: null },
  },
  {
    promise: "looks once more after the time that the service asked for, since it may have been made by then",
    faults: { POST: answers(503, { headers: { "Retry-After": "60" } }) },
    during: { LIST: [6, othersMake("late", replica)] },
    do: up(replica),
    expect: { sent: ["POST"], said: ["…Compute <late> is on the branch since then…"], atLeast: 60 },
  },
  {
    promise: "is not posted again before the time that the service asked for",
    reason: "it asks for a day",
    faults: { POST: answers(503, { headers: { "Retry-After": "86400" } }) },
    do: up(replica),
    expect: { error: "…the outcome is unknown…", sent: ["POST"], within: 20 },
    then: [{ do: up(replica), expect: { sent: ["POST"] } }],
  },
  {
    promise: "takes none of two that fit",
    faults: { POST: lost },
    during: { POST: othersMake("theirs", replica) },
    do: up(replica),
    expect: { error: "…", says: ['adopt: "<left>"', 'adopt: "<theirs>"'], computes: ["left"] },
  },
  {
    promise: "takes nothing while another create waits for its answer, whose it may be",
    faults: { POST: [cut, lost] },
    do: upAll(kept),
    expect: { error: ['…adopt: "<left>"…', '…adopt: "<left>"…'], computes: ["left"] },
  },
  ...(
    [
      { reason: "alone", lock: "off", faults: [{ ...lost, after: 2 }] },
      { reason: "while others wait for a lock", lock: "project", faults: [{ ...lost, after: 3 }] },
      { reason: "and another is refused with 429", lock: "off", faults: [lost, answers(429)] },
    ] as const
  ).map(({ reason, lock, faults }) => ({
    promise: "finds its own among six of its branch",
    reason,
    given: { service: { lock } },
    faults: { POST: faults },
    do: upAll(six),
    expect: { count: { POST: lock === "project" ? ("<= 8" as const) : ("<= 7" as const) } },
  })),
  {
    promise: "can give back what it took where that was somebody else's: it stays, and another one is made",
    faults: { POST: cut },
    during: { POST: othersMake("theirs", replica) },
    do: up(replica),
    expect: {
      said: [
        "warning: The create got no answer. Compute <theirs> is on the branch since then, …run `pulumi state delete`…",
      ],
      sent: ["POST"],
    },
    then: [
      { meanwhile: [stateForgotten], do: up(replica), expect: { sent: ["POST"], computes: ["db"] } },
      { do: destroy(), expect: { sent: ["DELETE <db>"] } },
    ],
  },
]);

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
    {
      reason: "an update that changes another resource",
      do: upAll({ ...kept, first: { ...replica, suspendTimeoutSeconds: 120 } }),
      computes: ["first", "left", "second"],
    },
  ].map(({ reason, do: run, computes }) => ({
    promise: "is named once by the next command, which leaves its compute alone",
    reason,
    ...leaves({ do: run, expect: { said: [leftBy("third")], computes } }),
  })),
  ...[
    { reason: "an update that changes nothing", do: upAll(kept) },
    { reason: "a preview", do: previewAll(kept) },
  ].map(({ reason, do: run }) => ({
    promise: "is not looked for where nothing is created, changed or deleted: only Pulumi warns",
    reason,
    ...leaves({ do: run, expect: { said: [], computes: ["first", "left", "second"] } }),
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
        do: upAll({ ...kept, first: { ...replica, suspendTimeoutSeconds: 120 } }),
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
