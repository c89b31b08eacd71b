/** Creates that got no answer: in a run that ended without knowing the outcome, or beside other creates. */
import { scenarios } from "./scenarios";
import { destroy, preview, size, unread, up, upAll, wireSize } from "./commands";
import { othersMake, seconds, stateForgotten } from "./events";
import { after, always, answers, cut, done, listsOfACreate, lost, since, stale, times } from "./faults";

const replica = { type: "read_only" };
const all = { first: replica, second: replica, third: replica };
const kept = { first: replica, second: replica };
const six = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, replica]));
const young =
  'warning: Branch <branch> has replica <left> (0.25 CU, created 2026-…Z), which this stack does not have. If it comes from a create of this stack that got no answer, either declare a replica with adopt: "<left>" to keep it, or delete it at the service.';
/** The create gets no answer, and no list can be read after it. */
const unknown = {
  faults: { POST: lost, LIST: since("POST", always(answers(500))) },
  do: up(replica),
  expect: { error: "…the outcome is unknown…", computes: ["left"] },
};

scenarios("a replica whose create got no answer, in a run that ended without knowing the outcome", [
  {
    promise:
      "is named by the next preview and the next update on its branch, and that update creates another replica",
    ...unknown,
    then: [
      { do: preview(replica), expect: { said: [young] } },
      { do: up(replica), expect: { said: [young], sent: ["POST"], computes: ["db", "left"] } },
      // The user adds the line that the message names.
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
    { reason: "the new compute is a primary", event: seconds(0), more: { type: "read_write" } },
  ].map(({ reason, event, more }) => ({
    promise: "is not named if it does not match the new compute",
    reason,
    ...unknown,
    then: [
      { meanwhile: [event], do: preview({ ...replica, ...more }), expect: { said: [] } },
      { do: up({ ...replica, ...more }), expect: { said: [], computes: ["db", "left"] } },
    ],
  })),
  {
    promise: "is not confused with a compute in the state whose resource has just left the program",
    do: upAll({ first: replica }),
    then: [{ do: upAll({ second: replica }), expect: { said: [], sent: ["POST", "DELETE <first>"] } }],
  },
  {
    promise: "is not named in a preview that cannot list computes: the preview says so, and succeeds",
    ...unknown,
    then: [
      {
        faults: { LIST: always(answers(500)) },
        do: preview(replica),
        expect: { said: ["warning: The service could not be asked…"], never: ["unasked"] },
      },
    ],
  },
]);

scenarios("a create without an answer, beside other creates", [
  ...(["read_write", "read_only"] as const).flatMap((type) =>
    [502, 503].map((status) => ({
      promise: "does not take another team's compute for its own",
      reason: `${type}, while a gateway answers ${status}`,
      faults: { POST: answers(status) },
      during: { POST: othersMake("theirs", { type, ...wireSize(4) }) },
      do: up({ type, ...size(0.25) }),
      expect: {
        error: `…the create of this run got no answer. It may have created <theirs> (4 CU, …). The create is not sent again.
- To keep it: add the argument adopt: "<theirs>" and the option retainOnDelete: false, and run \`pulumi up\`. Then remove both.
- If it does not come from that create: ${type === "read_write" ? "use another branch, since a branch can have only one primary." : "run `pulumi up` again, which creates another one."}`,
        sent: ["POST"],
      },
    })),
  ),
  {
    promise: "takes over no compute that was made before the create, even if lists show it only afterwards",
    given: { engine: unread },
    faults: { POST: cut, LIST: times(2, stale) },
    during: {
      LIST: (world) => {
        othersMake("theirs", replica)(world);
        seconds(10)(world);
      },
    },
    do: up(replica),
    expect: { error: '…add the argument adopt: "<theirs>"…', sent: ["POST"], state: null },
  },
  {
    promise:
      "looks once more after the wait that the service asked for, and finds a compute that was made in the meantime",
    faults: { POST: answers(503, { headers: { "Retry-After": "60" } }) },
    during: { LIST: [listsOfACreate, othersMake("late", replica)] },
    do: up(replica),
    expect: {
      sent: ["POST"],
      said: ["…Since then, compute <late> has appeared on the branch…"],
      atLeast: 60,
    },
  },
  {
    promise: "is not sent again before the end of the wait that the service asked for",
    reason: "a day",
    faults: { POST: answers(503, { headers: { "Retry-After": "86400" } }) },
    do: up(replica),
    expect: { error: "…the outcome is unknown…", sent: ["POST"], within: 20 },
    then: [{ do: up(replica), expect: { sent: ["POST"] } }],
  },
  {
    promise: "is not sent again if the first list is outdated and later lists fail",
    faults: { POST: done(503), LIST: [since("POST", stale), since("POST", always(answers(500)))] },
    do: up(replica),
    expect: {
      error: "…the outcome is unknown (…), and the computes of the project could not be listed…",
      sent: ["POST"],
      computes: ["left"],
    },
  },
  {
    promise: "takes over neither of two computes that match",
    faults: { POST: lost },
    during: { POST: othersMake("theirs", replica) },
    do: up(replica),
    expect: {
      error: "…",
      says: ["one of these: …<left> (…", "one of these: …<theirs> (…", "(or another of these ids)"],
      computes: ["left"],
    },
    then: [
      {
        do: preview(replica),
        expect: {
          said: ["…<theirs> (…If one of them comes from a create of this stack that got no answer…"],
        },
      },
    ],
  },
  {
    promise: "takes over no compute that another provider instance of the stack could have made",
    given: { engine: { hasOtherProvider: true } },
    faults: { POST: lost },
    do: up(replica),
    expect: { error: '…adopt: "<left>"…', sent: ["POST"], computes: ["left"], state: null },
  },
  {
    promise: "takes over no compute that another create without an answer could have made",
    faults: { POST: [cut, lost] },
    do: upAll(kept),
    expect: { error: ['…adopt: "<left>"…', '…adopt: "<left>"…'], computes: ["left"] },
  },
  {
    promise: "is not reported as a recent replica by another create that begins before the outcome is known",
    faults: { POST: [cut, lost] },
    do: upAll({ ...kept, third: replica, fourth: { type: { $of: "third.type" } } }),
    expect: { mayFail: true, said: [], computes: ["fourth", "left", "third"] },
  },
  {
    promise: "takes over the compute that it made, even if another create was refused",
    faults: { POST: [answers(400, { body: { code: "", message: "not today" } }), lost] },
    do: upAll(kept),
    expect: { error: "…not today…", says: ["has appeared on the branch"], computes: ["second"] },
  },
  // One of six creates gets no answer.
  ...(
    [
      { reason: "no other answer is lost", lock: "off", faults: [after(2, lost)] },
      { reason: "other creates wait for a lock", lock: "project", faults: [after(3, lost)] },
      { reason: "another create is refused with 429", lock: "off", faults: [lost, answers(429)] },
    ] as const
  ).map(({ reason, lock, faults }) => ({
    promise: "finds its own compute among six on its branch",
    reason,
    given: { service: { lock } },
    faults: { POST: faults },
    do: upAll(six),
    expect: { count: { POST: lock === "project" ? ("<= 8" as const) : ("<= 7" as const) } },
  })),
  {
    promise:
      "can be undone in the state if it took over somebody else's compute: that compute stays, and the next run creates another one",
    faults: { POST: cut },
    during: { POST: othersMake("theirs", replica) },
    do: up(replica),
    expect: {
      said: [
        "warning: The create got no answer. Since then, compute <theirs> has appeared on the branch …run `pulumi state delete`…",
      ],
      sent: ["POST"],
    },
    then: [
      { meanwhile: [stateForgotten], do: up(replica), expect: { sent: ["POST"], computes: ["db"] } },
      { do: destroy(), expect: { sent: ["DELETE <db>"] } },
    ],
  },
]);
