/**
 * Everything that goes wrong in the matrix: how it is brought about, and what ends it.
 */
import type { Emulator, FaultEffect, TimelineRule } from "../../emulator";
import type { Line, LineFault } from "./line";

/** Where a fault strikes. */
export interface Target {
  /** Absent: every request, whatever its method. */
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Requests of the method that pass first. */
  readonly after: number;
  /** How many requests it meets. */
  readonly times: number;
}

export interface Place {
  readonly emulator: Emulator;
  readonly line: Line;
  readonly projectId: string;
}

export type FaultKind =
  /** Below HTTP, or instead of the service. */
  | "line"
  /** Anything may answer so, the service or what stands in front of it. */
  | "answer"
  /** The service's own word. */
  | "service"
  /** The request was carried out all the same. */
  | "done"
  | "stale"
  | "operation"
  | "cursor";

export interface Fault {
  /** How it reads behind "where". */
  readonly name: string;
  readonly kind: FaultKind;
  readonly strike: (place: Place, target: Target) => void;
  /** Through the line, by this scheme; without it, the service is spoken to directly. */
  readonly line?: "http" | "https";
}

const anyPath = /\/api\/v2\//;

function onLine(fault: LineFault): Fault["strike"] {
  return ({ line }, { method, after, times }) => {
    line.fail(fault, { method, path: anyPath, after, times });
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

const longMs = 600_000;

export const faults: readonly Fault[] = [
  { name: "the connection is refused", kind: "line", strike: onLine("refused"), line: "http" },
  { name: "the host name is not found", kind: "line", strike: onLine("nameNotFound"), line: "http" },
  { name: "TLS fails", kind: "line", strike: onLine("tls"), line: "https" },
  {
    name: "the connection is reset before anything is done",
    kind: "answer",
    strike: answered({ kind: "cut", when: "before" }),
  },
  {
    name: "the connection is reset after it was done",
    kind: "done",
    strike: answered({ kind: "cut", when: "after" }),
  },
  {
    name: "no answer comes and nothing is done",
    kind: "answer",
    strike: answered({ kind: "delay", delayMs: longMs, when: "before" }),
  },
  {
    name: "no answer comes and it was done",
    kind: "done",
    strike: answered({ kind: "delay", delayMs: longMs, when: "after" }),
  },
  {
    name: "the answer is 429 with Retry-After",
    kind: "service",
    strike: answered({ kind: "status", status: 429, headers: { "Retry-After": "7" } }),
  },
  { name: "the answer is 429", kind: "service", strike: answered({ kind: "status", status: 429 }) },
  { name: "the answer is 423", kind: "service", strike: answered({ kind: "status", status: 423 }) },
  { name: "the answer is 409", kind: "service", strike: answered({ kind: "status", status: 409 }) },
  {
    name: "the answer is 500 and nothing is done",
    kind: "answer",
    strike: answered({ kind: "status", status: 500 }),
  },
  {
    name: "the answer is 502 and it was done",
    kind: "done",
    strike: answered({ kind: "status", status: 502, when: "after" }),
  },
  {
    name: "a gateway knows no such route",
    kind: "answer",
    strike: answered({
      kind: "status",
      status: 404,
      body: { message: "no Route matched with those values" },
    }),
  },
  {
    name: "the key is another account's, and the answer 401",
    kind: "answer",
    strike: answered({ kind: "status", status: 401, body: { code: "unauthorized", message: "unknown key" } }),
  },
  {
    name: "the key is another account's, and the answer 404",
    kind: "answer",
    strike: answered({
      kind: "status",
      status: 404,
      body: { code: "not_found", message: "project not found", request_id: "r-1" },
    }),
  },
  {
    name: "the answer is 429, to come back in a day",
    kind: "service",
    strike: answered({ kind: "status", status: 429, headers: { "Retry-After": "86400" } }),
  },
  {
    name: "the answer is 503, to come back in a day",
    kind: "answer",
    strike: answered({ kind: "status", status: 503, headers: { "Retry-After": "86400" } }),
  },
  { name: "the answer is cut off half-way", kind: "answer", strike: answered({ kind: "truncate" }) },
  { name: "the answer is a web page", kind: "answer", strike: answered({ kind: "garbled" }) },
  {
    name: "the answer is JSON of another shape",
    kind: "answer",
    strike: answered({ kind: "wrongShape", body: { endpoint: { id: 7 }, status: "ok" } }),
  },
  {
    name: "the answer drips for ever",
    kind: "answer",
    strike: answered({ kind: "drip", everyMs: 20 }),
  },
  { name: "the answer has no end", kind: "answer", strike: answered({ kind: "endless" }) },
  { name: "the answer is old", kind: "stale", strike: answered({ kind: "stale" }) },
  {
    name: "an operation fails",
    kind: "operation",
    strike: operations({ endStatus: "failed" }),
  },
  { name: "an operation never ends", kind: "operation", strike: operations({ stuck: "running" }) },
  {
    name: "an operation has a status that nobody knows",
    kind: "operation",
    line: "http",
    strike: (place: Place, target: Target): void => {
      operations({ stuck: "running" })(place, target);
      place.line.rewrite((body) => body.replaceAll('"status":"running"', '"status":"frozen"'));
    },
  },
  { name: "an operation vanishes", kind: "operation", strike: operations({ vanished: true }) },
  {
    name: "the answer leads elsewhere",
    kind: "answer",
    strike: answered({ kind: "redirect", location: "https://elsewhere.invalid/" }),
  },
  {
    name: "a list's cursor leads to the same page",
    kind: "cursor",
    strike: ({ emulator }: Place, { after, times }: Target): void => {
      emulator.addFault({ kind: "loopCursor", route: "listOperations", after, times });
    },
  },
];
