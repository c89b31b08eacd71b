/**
 * The faults of the matrix: how each is caused, and what happens to a write that meets it.
 */
import type { Emulator, FaultEffect, TimelineRule } from "../../emulator";
import type { Line, LineFault } from "./line";

/** Where a fault strikes. */
export interface Target {
  /** Default: requests of every method. */
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** How many requests of the method pass first. */
  readonly after: number;
  /** How many requests it meets. */
  readonly times: number;
}

export interface Place {
  readonly emulator: Emulator;
  readonly line: Line;
}

export type FaultKind =
  /** The request fails below HTTP. */
  | "line"
  /** The service, or something in front of it, answers. */
  | "answer"
  /** The service itself answers. */
  | "service"
  /** The request was carried out, and only its answer is spoiled. */
  | "done"
  | "stale"
  | "operation"
  | "cursor";

/**
 * How a create or an update ends if its write meets a fault once. `done` (the default): it succeeds, and the write is sent
 * once. `again`: the write is sent again, since nothing was done. `ends`: it fails, since the answer is a refusal.
 */
export type Write = "done" | "again" | "ends";

export interface Fault {
  /** The words that follow "where". */
  readonly name: string;
  readonly kind: FaultKind;
  readonly write?: Write;
  readonly strike: (place: Place, target: Target) => void;
}

function onLine(fault: LineFault): Fault["strike"] {
  return ({ line }, { method, after, times }) => {
    line.fail(fault, { method, after, times });
  };
}

function answered(effect: FaultEffect): Fault["strike"] {
  return ({ emulator }, { method, after, times }) => {
    emulator.addFault({ ...effect, after, times, ...(method === undefined ? {} : { method }) });
  };
}

function operations(rule: TimelineRule): Fault["strike"] {
  return ({ emulator }, { times }) => {
    emulator.setTimeline({ ...rule, times });
  };
}

/** A fault of an answer. */
function answer(kind: FaultKind, name: string, effect: FaultEffect): Fault {
  return { name: `the answer ${name}`, kind, strike: answered(effect) };
}

function status(
  kind: FaultKind,
  name: string,
  effect: Omit<Extract<FaultEffect, { kind: "status" }>, "kind">,
): Fault {
  return answer(kind, name, { kind: "status", ...effect });
}

/** Nothing was done, so a write is sent again. */
const again = (fault: Fault): Fault => ({ ...fault, write: "again" });
/** The answer is a refusal, so the step fails. */
const ends = (fault: Fault): Fault => ({ ...fault, write: "ends" });

const silence = { kind: "delay", delayMs: 600_000 } as const;
const inADay = { "Retry-After": "86400" };
const noRoute = { message: "no Route matched with those values" };
const unknownKey = { code: "unauthorized", message: "unknown key" };
const noProject = { code: "not_found", message: "project not found", request_id: "r-1" };

export const faults: readonly Fault[] = [
  { name: "the connection is refused", kind: "line", strike: onLine("refused") },
  { name: "the host name is not found", kind: "line", strike: onLine("nameNotFound") },
  { name: "TLS fails", kind: "line", strike: onLine("tls") },
  again(answer("answer", "is a reset before anything is done", { kind: "cut", when: "before" })),
  answer("done", "is a reset after it was done", { kind: "cut", when: "after" }),
  again(answer("answer", "does not come and nothing is done", { ...silence, when: "before" })),
  answer("done", "does not come and it was done", { ...silence, when: "after" }),
  again(status("service", "is 429 with Retry-After", { status: 429, headers: { "Retry-After": "7" } })),
  again(status("service", "is 429", { status: 429 })),
  again(status("service", "is 423", { status: 423 })),
  ends(status("service", "is 409", { status: 409 })),
  again(status("answer", "is 500 and nothing is done", { status: 500 })),
  status("done", "is 502 and it was done", { status: 502, when: "after" }),
  ends(status("answer", "comes from a gateway that knows no such route", { status: 404, body: noRoute })),
  ends(status("answer", "is 401, since the key is another account's", { status: 401, body: unknownKey })),
  ends(status("answer", "is 404, since the key is another account's", { status: 404, body: noProject })),
  ends(status("service", "is 429, with a Retry-After of a day", { status: 429, headers: inADay })),
  ends(status("answer", "is 503, with a Retry-After of a day", { status: 503, headers: inADay })),
  answer("answer", "is cut off half-way", { kind: "truncate" }),
  answer("answer", "is a web page", { kind: "garbled" }),
  answer("answer", "is JSON of another shape", {
    kind: "wrongShape",
    body: { endpoint: { id: 7 }, status: "ok" },
  }),
  answer("answer", "arrives in drips and never ends", { kind: "drip", everyMs: 20 }),
  answer("answer", "has no end", { kind: "endless" }),
  answer("stale", "is old", { kind: "stale" }),
  ends(answer("answer", "redirects elsewhere", { kind: "redirect", location: "https://elsewhere.invalid/" })),
  { name: "an operation fails", kind: "operation", strike: operations({ endStatus: "failed" }) },
  { name: "an operation never ends", kind: "operation", strike: operations({ stuck: "running" }) },
  {
    name: "an operation has an unknown status",
    kind: "operation",
    strike: operations({ endStatus: "frozen" }),
  },
  { name: "an operation vanishes", kind: "operation", strike: operations({ vanished: true }) },
  {
    name: "a list's cursor leads to the same page",
    kind: "cursor",
    strike: ({ emulator }: Place, { after, times }: Target): void => {
      emulator.addFault({ kind: "loopCursor", route: "listOperations", after, times });
    },
  },
];
