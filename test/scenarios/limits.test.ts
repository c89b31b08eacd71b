/** How long a run takes at most, how many requests it sends, and what it does if the service says to wait. */
import { scenarios } from "./scenarios";
import { refresh, size, up, upAll } from "./commands";
import { neverEnding, othersMake } from "./events";
import { always, answers, lost } from "./faults";

const given = { db: size(1) };
const occupied = "…already has a primary (<default primary>), and a branch can have only one…";

scenarios("a branch that already has a primary, while an operation of the project never ends", [
  ...([409, 400, 412, 422] as const).map((secondPrimaryStatus) => ({
    promise: "makes a move to it fail at once, not only at the timeout, and the error names that primary",
    reason: `the service answers ${secondPrimaryStatus}`,
    given: { ...given, service: { secondPrimaryStatus } },
    meanwhile: [neverEnding],
    do: up({ branchId: "<default branch>" }),
    expect: { error: occupied, within: 5 },
  })),
  {
    promise: "refuses a move without holding up other writes in the project",
    given,
    meanwhile: [neverEnding],
    do: upAll({
      db: { ...size(1), branchId: "<default branch>" },
      other: { ...size(1), branchId: "<other branch>" },
    }),
    expect: { error: occupied, within: 10 },
    dynamic: { count: { PATCH: 1, POST: 1 } },
  },
  {
    promise: "refuses a create just as quickly",
    meanwhile: [neverEnding],
    during: { POST: othersMake("rival") },
    do: up(),
    expect: { error: "…already has a primary (<…>), and a branch can have only one…", within: 10 },
  },
]);

scenarios("a conflict that is not a lock", [
  {
    promise: "ends the write after a few tries, even if an operation of the project never ends",
    given,
    meanwhile: [neverEnding],
    faults: { PATCH: always(answers(409, { body: { code: "CONFLICT", message: "not now" } })) },
    do: up(size(2)),
    expect: {
      error: "…the service answered 409 (CONFLICT: not now)…",
      within: 150,
      count: { PATCH: "<= 6" },
    },
  },
]);

const retryAfter = (value: string, status = 429) => answers(status, { headers: { "Retry-After": value } });

scenarios("a service that asks for a wait", [
  {
    promise: "makes a refresh fail at once if the wait is a day, and the error says when to come back",
    given,
    faults: { ANY: always(retryAfter("86400")) },
    do: refresh(),
    expect: { error: /un the same command again in 24 h/, within: 10, state: size(1) },
  },
  ...[
    { reason: "Retry-After is in seconds", value: "86400", says: "in 24 h" },
    { reason: "Retry-After is a date", value: "Wed, 07 Jan 2026 08:00:05 GMT", says: "in 48 h" },
  ].map(({ reason, value, says }) => ({
    promise: "makes a create fail at once if the wait is a day or two, after one request",
    reason,
    faults: { POST: always(retryAfter(value)) },
    do: up(),
    expect: { error: `…${says}…`, within: 10, sent: ["POST"], state: null },
  })),
  {
    promise: "is waited for if the wait is less than a minute",
    faults: { POST: retryAfter("30") },
    do: up(),
    expect: { atLeast: 30 },
  },
]);

scenarios("a create that reaches its limits", [
  {
    promise: "ends at its timeout even while it waits for a LIST request",
    // This takes real time: one second, and five more for the last answer.
    variants: ["dynamic"],
    faults: { ANY: always({ kind: "delay", delayMs: 60_000 }) },
    do: up({ timeouts: { create: 1 } }),
    expect: {
      error:
        "…listing the computes of project <project>: no answer within the time limit. …to wait longer, set `timeouts`…",
    },
  },
  {
    promise: "leaves its compute in the state if operations cannot be listed, and the error says so",
    faults: { POST: lost, OPERATIONS: always(answers(403)) },
    do: up(),
    expect: {
      error:
        "…the compute exists and stays in the state, but its operations cannot be listed (the service answered 403…Run `pulumi up` again: it goes on waiting…",
      state: { branchId: "<branch>" },
    },
  },
]);
