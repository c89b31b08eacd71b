/** What a create sends and how often, what it prints and stores, and what happens if it is refused. */
import type { Row } from "./row";
import { scenarios } from "./scenarios";
import { size, up } from "./commands";
import { othersMake, seconds } from "./events";
import {
  always,
  answers,
  answersBody,
  cut,
  done,
  looksForACreate,
  lost,
  page,
  since,
  stale,
  times,
  unlisted,
} from "./faults";

scenarios("a create", [
  {
    promise: "reads the list, sends one POST, waits, and reads the list again",
    do: up({ autoscalingLimitMinCu: 0.5, autoscalingLimitMaxCu: 2, suspendTimeoutSeconds: 600 }),
    expect: {
      sent: [
        {
          POST: {
            branch_id: "<branch>",
            type: "read_write",
            autoscaling_limit_min_cu: 0.5,
            autoscaling_limit_max_cu: 2,
            suspend_timeout_seconds: 600,
          },
        },
      ],
      requests: ["LIST", "POST", "OPERATION", "OPERATION", "LIST"],
      rows: [],
      says: ["start_compute running", "start_compute finished"],
      within: 1.5,
      state: {
        endpointId: "<db>",
        projectId: "<project>",
        branchId: "<branch>",
        type: "read_write",
        autoscalingLimitMinCu: 0.5,
        autoscalingLimitMaxCu: 2,
        suspendTimeoutSeconds: 600,
        __operations: undefined,
        currentState: undefined,
      },
      // Each request has the key, and the JSON headers that the interface requires (section 5).
      also: ({ emulator, engine, idOf }) => {
        expect(engine.stored("db")?.outs["host"]).toBe(emulator.endpoint(idOf("db")).endpoint.host);
        for (const { headers, isAuthorized, method } of emulator.requests()) {
          expect(isAuthorized).toBe(true);
          expect(headers["accept"]).toBe("application/json");
          expect(headers["accept-encoding"]).toBe("identity");
          expect(headers["content-type"]).toBe(method === "POST" ? "application/json" : undefined);
          expect(headers["user-agent"]).toMatch(/^pulumi-compute-endpoint\/\d+\.\d+\.\d+ node\//);
        }
      },
    },
  },
  ...(
    [
      { reason: "the service answers 200", service: { createStatus: 200 }, more: {} },
      { reason: "the service answers 201", service: { createStatus: 201 }, more: {} },
      {
        reason: "the service does not show a declared value",
        service: { suspendTimeoutField: "hidden" },
        more: { suspendTimeoutSeconds: 900 },
      },
      { reason: "its timeout is a day", service: {}, more: { timeouts: { create: 24 * 3_600 } } },
    ] as const
  ).map(({ reason, service, more }) => ({
    promise: "succeeds, and the state has the declared values",
    reason,
    given: { service },
    do: up({ ...size(1), ...more }),
    expect: { state: { ...size(1), ...more }, said: [] },
  })),
  {
    promise:
      "succeeds with the answer to the POST if no list shows the compute yet, and asks the user for nothing",
    faults: { LIST: unlisted },
    do: up(),
    expect: {
      said: [
        /^warning: creating compute <db>: its operations succeeded, but the compute <db> is not listed yet, \d+ s after its creation\. The state has the values of the service's last answer; no action is needed\.$/,
      ],
      state: { endpointId: "<db>" },
    },
  },
]);

// One hour before the clock of a world starts.
const anHourAgo = new Date(Date.UTC(2026, 0, 5, 7)).toUTCString();
const late = (count: number) => since("POST", times(count, stale));

/** Faults that spoil one answer to a create, in addition to those of the matrix. */
const lostAnswers: readonly Omit<Row, "promise" | "do">[] = [
  { reason: "the answer has no valid id", faults: { POST: answersBody({ endpoint: { id: "x" } }) } },
  ...[503, 504, 408, 425].map((status) => ({
    reason: `a proxy answers ${status}`,
    faults: { POST: done(status) },
  })),
  {
    reason: "a gateway whose clock is off answers 502",
    faults: { POST: done(502, { headers: { Date: anHourAgo } }) },
  },
  {
    reason: "a gateway whose clock is off answers with a page",
    faults: { POST: done(502, { headers: { Date: anHourAgo }, body: "<html></html>" }) },
  },
  {
    reason: "the list read before the POST comes from a cache and is an hour old",
    faults: {
      POST: lost,
      LIST: answers(200, { headers: { Date: anHourAgo, Age: "3600" }, body: { endpoints: [] } }),
    },
  },
  {
    reason: "a proxy answers 503, and lists are out of date",
    faults: { POST: done(503), LIST: late(2) },
  },
  {
    reason: "lists first fail and are then out of date",
    faults: { POST: lost, LIST: [since("POST", times(3, answers(500))), late(2)] },
  },
];

const types = ["read_write", "read_only"];

scenarios("a create without an answer", [
  ...types.flatMap((type) =>
    lostAnswers.map(({ reason = "", ...row }) => ({
      promise: "finds the compute that it made",
      reason: `${type}, ${reason}`,
      do: up({ type }),
      expect: { sent: ["POST"], state: { type } },
      ...row,
    })),
  ),
  {
    promise: "finds its replica beside an older replica",
    meanwhile: [othersMake("theirs", { type: "read_only" }), seconds(600)],
    faults: { POST: lost },
    do: up({ type: "read_only" }),
    expect: {
      said: ["warning: The create got no answer. Since then, compute <db> has appeared on the branch with…"],
    },
  },
  {
    promise: "repeats the POST of a primary if lists show no primary for fifteen seconds",
    faults: { POST: cut },
    do: up(),
    expect: {
      sent: ["POST", "POST"],
      also: ({ emulator }) => {
        const all = emulator.requests().map(({ method, route }) => (method === "GET" ? route : method));
        const between = all.slice(all.indexOf("POST") + 1, all.lastIndexOf("POST"));
        expect(between).toEqual(Array<string>(looksForACreate).fill("listEndpoints"));
      },
    },
  },
  {
    promise: "never repeats the POST of a replica, and the next run creates it",
    faults: { POST: cut },
    do: up({ type: "read_only" }),
    expect: {
      error:
        "…the outcome is unknown…Run `pulumi preview`: it names recent replicas (up to ten minutes old)…",
      sent: ["POST"],
      state: null,
    },
    then: [{ do: up({ type: "read_only" }), expect: { sent: ["POST"] } }],
  },
  {
    promise: "makes only one compute, even if lists show it only after the second POST, which is refused",
    faults: { POST: lost, LIST: late(looksForACreate) },
    do: up(),
    expect: { sent: ["POST", "POST"] },
  },
]);

scenarios("a create that fails", [
  {
    promise: "stops after three POSTs without an answer",
    faults: { POST: always(cut) },
    do: up(),
    expect: { error: "…the outcome is unknown…", sent: ["POST", "POST", "POST"], state: null },
  },
  {
    promise: "says which key to check, without showing it",
    given: { engine: { apiKey: "wr0ng-key" } },
    do: up(),
    expect: { error: "…COMPUTE_API_KEY…", never: ["wr0ng-key"], sent: [] },
  },
]);

/** Refusals by a gateway or proxy, not by the service. */
const refusals = [
  { status: 401, body: page, says: "Check the API key" },
  { status: 403, body: page, says: "Use a key that has permission for this request" },
  { status: 403, body: undefined, says: "Use a key that has permission for this request" },
  {
    status: 404,
    body: { ok: false },
    says: "Check the ids in the program, and the base URL",
  },
  { status: 405, body: page, says: "Correct the cause" },
  { status: 422, body: "", says: "Correct the cause" },
].flatMap((one) => types.map((type) => ({ ...one, type })));

scenarios("a create that a gateway or proxy refuses", [
  ...refusals.map(({ status, body, type }) => ({
    promise: "finds its compute if the POST was carried out after all",
    reason: `${type}, ${status} with the body ${JSON.stringify(body)}`,
    faults: { POST: done(status, { body }) },
    do: up({ type }),
    expect: { sent: ["POST"], state: { type } },
  })),
  ...refusals.map(({ status, body, type, says }) => ({
    promise: "ends with a clear error if it never reached the service, and the next run succeeds",
    reason: `${type}, ${status} with the body ${JSON.stringify(body)}`,
    faults: { POST: always(answers(status, { body })) },
    do: up({ type }),
    expect: {
      error: `creating a compute on branch <branch> …: the service answered ${status}, but not in its own format (a gateway or proxy may have answered), and no new compute has shown up so far…. ${says}…`,
      within: 20,
      sent: ["POST"],
    },
    then: [{ do: up({ type }), expect: { within: 20 } }],
  })),
]);
