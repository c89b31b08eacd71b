/** Creates that are refused, by the service or by what stands in front of it. */
import { scenarios } from "./scenarios";
import { size, up } from "./commands";
import { othersMake } from "./events";
import { always, answers, cut, page, since, stale, times } from "./faults";

const types = ["read_write", "read_only"];

scenarios("a create that is refused", [
  {
    promise: "stops after three posts without an answer",
    faults: { POST: times(10, cut) },
    do: up(),
    expect: { error: "…the outcome is unknown…", sent: ["POST", "POST", "POST"], state: null },
  },
  {
    promise: "says which key to check where it is wrong, without showing it",
    given: { engine: { apiKey: "wr0ng-key" } },
    do: up(),
    expect: { error: "…COMPUTE_API_KEY…", never: ["wr0ng-key"], sent: [] },
  },
]);

/** Refusals that the service did not write. */
const refusals = [
  { status: 401, body: page, says: "Check the API key" },
  { status: 403, body: page, says: "Ask for a key that may do this" },
  { status: 403, body: undefined, says: "Ask for a key that may do this" },
  { status: 404, body: { ok: false }, says: "Check the project, branch and endpoint ids" },
  { status: 405, body: page, says: "Change what the message names" },
  { status: 422, body: "", says: "Change what the message names" },
].flatMap((one) => types.map((type) => ({ ...one, type })));

scenarios("a create that something between refuses", [
  ...refusals.map(({ status, body, type }) => ({
    promise: "is found where it was carried out",
    reason: `${type}, ${status} with ${JSON.stringify(body)}`,
    faults: { POST: answers(status, { body, when: "after" }) },
    do: up({ type }),
    expect: { sent: ["POST"], state: { type } },
  })),
  ...refusals.map(({ status, body, type, says }) => ({
    promise: "ends with a clear error where it never reached the service, and the next run goes on",
    reason: `${type}, ${status} with ${JSON.stringify(body)}`,
    faults: { POST: times(9, answers(status, { body })) },
    do: up({ type }),
    expect: {
      error: `creating a compute on branch <branch> …: the service answered ${status}, in a form that is not its own, and no new compute has shown up so far…. ${says}…`,
      within: 20,
      sent: ["POST"],
    },
    // A late list may hide a replica; a second primary is refused by the service.
    then: [{ do: up({ type }), expect: { within: type === "read_only" ? 20 : 5 } }],
  })),
  ...types.map((type) => ({
    promise: "is named by the next run where no list shows it in time",
    reason: type,
    faults: { POST: answers(403, { body: page, when: "after" }), LIST: since("POST", times(6, stale)) },
    do: up({ type }),
    expect: { error: "…" },
    then: [
      {
        do: up({ type }),
        expect: {
          says: ['adopt: "<left>"'],
          ...(type === "read_write" ? { error: "…", sent: [] } : { sent: ["POST"] }),
        },
      },
    ],
    behind: "the compute that was made is nobody's",
  })),
  {
    promise: "names the primary in the way all the same",
    during: { POST: othersMake("rival", { autoscaling_limit_max_cu: 4 }) },
    faults: { POST: answers(403, { body: page }) },
    do: up(size(1)),
    expect: { error: "…<rival>…", state: null },
  },
  {
    promise: "sends nothing where the key is refused before",
    faults: { ANY: always(answers(401, { body: page })) },
    do: up({ type: "read_only" }),
    expect: { error: "…COMPUTE_API_KEY…", requests: ["LIST"] },
  },
]);
