/**
 * The network between several provider processes and one service. It knows which process sent what and what the
 * service did, spoils answers, holds requests back, shows lists late, and lets other people act between two requests.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { request as undiciRequest } from "undici";
import type { Emulator } from "../../../emulator";
import { longestRequestMs } from "../../../provider/model/timing";
import type { FakeClock } from "../../support/fakeClock";
import type { Met } from "./ingredients";
import { createPast, type Wire } from "./past";

/** What happens to one request, and whether the service carries it out. */
export interface Trouble {
  readonly method: "POST" | "PATCH" | "DELETE" | "GET";
  readonly answer: 408 | 425 | 502 | 503 | "none";
  /** `later`: once its sender has the answer. */
  readonly done: "yes" | "no" | "later";
}

/** A write, and what became of it. */
export interface Sent {
  /** The key of the side whose process sent it. */
  readonly by: string;
  readonly method: string;
  readonly isCreate: boolean;
  readonly atMs: number;
  readonly body: Wire;
  /** The compute that it names; undefined for a create. */
  readonly targetId: string | undefined;
  /** When its sender had an answer, or gave up. */
  endedAtMs: number;
  /** The compute that the service created, changed or deleted; undefined while it has done nothing. */
  endpointId: string | undefined;
  /** Whether its sender got the service's own answer. */
  isAnswered: boolean;
}

/** How lists and states are shown. */
export interface Showing {
  readonly lateMs: number;
  readonly hasUnknownStates: boolean;
}

export interface Network {
  /** A killed process sleeps for ever. */
  readonly clock: FakeClock;
  /** Begins a run of the engine. @param diesAfter - requests, after which it is killed with all its processes. */
  begin(diesAfter?: number): void;
  /** Carries out what is still to be, once a run is over. */
  end(): Promise<void>;
  /** Runs what a provider process of the engine does. */
  run<T>(by: string, act: () => Promise<T>): Promise<T | "killed">;
  /** Spoils the next request of the method. */
  spoil(trouble: Trouble): void;
  /** Has somebody act after so many more requests. */
  between(requests: number, act: () => void): void;
  show(showing: Showing): void;
  /** Whether a list may hide something now. */
  listsLateMs(): number;
  /** Writes down how the service is now, for late lists. */
  readonly note: () => void;
  heal(): void;
  readonly sent: readonly Sent[];
  /** Told of each PATCH as it is sent. @param seen - the compute in the last list that its process got */
  onPatch: (sent: Sent, seen: Wire | undefined) => void;
  /** Told of each DELETE that was carried out after its sender had given it up. */
  onLateDelete: (sent: Sent) => void;
  close(): void;
}

interface Engine {
  left: number;
  isDead: boolean;
  readonly killed: Promise<"killed">;
  readonly die: () => void;
}

interface Process {
  readonly by: string;
  readonly engine: Engine;
  /** The computes of the lists that it got, as the last one showed each. */
  readonly listed: Map<string, Wire>;
}

type Request = typeof undiciRequest;
type Answer = Awaited<ReturnType<Request>>;

interface NetworkOptions {
  readonly emulator: Emulator;
  readonly clock: FakeClock;
  readonly projectId: string;
  readonly met: Met;
}

export function openNetwork({ emulator, clock, projectId, met }: NetworkOptions): Network {
  const undici = jest.requireActual<{ request: Request }>("undici");
  const send = undici.request;
  const processes = new AsyncLocalStorage<Process>();
  const past = createPast(emulator, projectId);
  const sent: Sent[] = [];
  let troubles: readonly Trouble[] = [];
  let later: { readonly act: () => Promise<unknown>; left: number }[] = [];
  let acts: { readonly act: () => void; left: number }[] = [];
  let showing: Showing = asItIs;
  let engine = newEngine();
  const underWay = new Set<Promise<unknown>>();

  /** Lets others act, in the moment after a request. */
  const after = async (): Promise<void> => {
    for (const one of [...acts, ...later]) one.left -= 1;
    const [dueActs, dueLater] = [acts.filter(isDue), later.filter(isDue)];
    acts = acts.filter((one) => !isDue(one));
    later = later.filter((one) => !isDue(one));
    for (const { act } of dueActs) act();
    for (const { act } of dueLater) await act();
    past.note();
  };
  const take = (method: string): Trouble | undefined => {
    const found = troubles.find((one) => one.method === method);
    troubles = troubles.filter((one) => one !== found);
    return found;
  };
  const isDead = (): boolean => processes.getStore()?.engine.isDead === true;
  const network: Network = {
    clock: { ...clock, sleep: (...how) => (isDead() ? forever() : clock.sleep(...how)) },
    sent,
    onPatch: () => undefined,
    onLateDelete: () => undefined,
    begin: (diesAfter) => {
      engine = newEngine(diesAfter);
    },
    end: async () => {
      const due = later;
      later = [];
      for (const { act } of due) await act();
    },
    run: (by, act) => {
      const process = { by, engine, listed: new Map<string, Wire>() };
      const ended = Promise.race([processes.run(process, act), engine.killed]);
      // What a killed run has sent is carried out in its time, not in a later one.
      return ended.finally(() => Promise.allSettled([...underWay]));
    },
    spoil: (trouble) => {
      troubles = [...troubles, trouble];
    },
    between: (requests, act) => {
      acts.push({ act, left: requests });
    },
    show: (next) => {
      showing = next;
    },
    listsLateMs: () => showing.lateMs,
    note: past.note,
    heal: () => {
      troubles = [];
      acts = [];
      later = [];
      showing = asItIs;
    },
    close: () => {
      spy.mockRestore();
    },
  };

  /** Sends a request as it is, and keeps what the service did with it. */
  const carryOut = async (args: Parameters<Request>, write: Sent | undefined): Promise<Answer> => {
    const done = serve(args, write);
    underWay.add(done);
    const { answer, text } = await done.finally(() => underWay.delete(done));
    const isList = write === undefined && isOfEndpoints(args[0]) && answer.statusCode < 300;
    return { ...answer, body: inPieces(isList ? shown(text) : text) };
  };
  const serve = async (
    args: Parameters<Request>,
    write: Sent | undefined,
  ): Promise<{ readonly answer: Answer; readonly text: string }> => {
    const answer = await send(...args);
    const text = await answer.body.text();
    if (write !== undefined && answer.statusCode < 300)
      write.endpointId = write.targetId ?? (JSON.parse(text) as { endpoint: { id: string } }).endpoint.id;
    past.note();
    return { answer, text };
  };
  const shown = (text: string): string => {
    const { lateMs, hasUnknownStates } = showing;
    const now = (JSON.parse(text) as { endpoints: readonly Wire[] }).endpoints;
    const late = past.shown(now, lateMs);
    if (JSON.stringify(late) !== JSON.stringify(now)) countLate(met, lateMs);
    if (hasUnknownStates && late.length > 0) met.count("a state nobody has heard of");
    const endpoints = hasUnknownStates ? late.map(withUnknownState) : late;
    const listed = processes.getStore()?.listed;
    for (const one of endpoints) listed?.set(String(one["id"]), one);
    return JSON.stringify({ endpoints });
  };
  /** What a sender gets that waits in vain, or that a gateway answers. */
  const inPlace = async (
    args: Parameters<Request>,
    trouble: Trouble,
    write: Sent | undefined,
  ): Promise<Answer> => {
    const { answer, done } = trouble;
    if (done === "yes") await carryOut(args, write);
    const process = processes.getStore()!;
    const act = async (): Promise<void> => {
      await processes.run(process, () => carryOut(withoutSignal(args), write));
      if (write?.method === "DELETE") network.onLateDelete(write);
    };
    if (done === "later") later.push({ act, left: 2 });
    countTrouble(met, trouble);
    if (answer !== "none")
      return { statusCode: answer, headers: {}, body: inPieces("") } as unknown as Answer;
    clock.advance(longestRequestMs / 2);
    throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
  };
  const spy = jest.spyOn(undici, "request").mockImplementation(async (...args: Parameters<Request>) => {
    const process = processes.getStore();
    if (process === undefined) return send(...args);
    if (isDead()) return forever();
    const method = args[1]?.method ?? "GET";
    const write = method === "GET" ? undefined : writeOf(process, method, args);
    if (write !== undefined) sent.push(write);
    // What is carried out later was made from what its sender had seen by now.
    if (write?.method === "PATCH") network.onPatch(write, process.listed.get(write.targetId ?? ""));
    const trouble = take(method);
    const answer = await (
      trouble === undefined ? carryOut(args, write) : inPlace(args, trouble, write)
    ).finally(() => {
      if (write !== undefined) write.endedAtMs = emulator.clock.now();
      process.engine.left -= 1;
    });
    await after();
    if (process.engine.left >= 0) {
      if (write !== undefined) write.isAnswered = trouble === undefined;
      return answer;
    }
    if (write !== undefined) write.endedAtMs += longestRequestMs;
    met.count("killed between two requests");
    process.engine.die();
    return forever();
  });
  const writeOf = ({ by }: Process, method: string, [url, options]: Parameters<Request>): Sent => {
    const nowMs = emulator.clock.now();
    const isCreate = method === "POST" && isOfEndpoints(url);
    const text = typeof options?.body === "string" ? options.body : "{}";
    const { endpoint: body = {} } = JSON.parse(text) as { endpoint?: Wire };
    const targetId = targetOf(url);
    const times = { atMs: nowMs, endedAtMs: nowMs };
    return { by, method, isCreate, ...times, body, targetId, endpointId: undefined, isAnswered: false };
  };
  return network;
}

const asItIs: Showing = { lateMs: 0, hasUnknownStates: false };

function newEngine(left = Number.POSITIVE_INFINITY): Engine {
  let die: () => void = () => undefined;
  const killed = new Promise<"killed">((resolve) => {
    die = () => {
      engine.isDead = true;
      resolve("killed");
    };
  });
  const engine: Engine = { left, isDead: false, killed, die };
  return engine;
}

/** A killed process gets no answer any more. */
function forever(): Promise<never> {
  return new Promise(() => undefined);
}

/** The provider's client writes its addresses as text. */
function isOfEndpoints(url: Parameters<Request>[0]): boolean {
  return typeof url === "string" && url.endsWith("/endpoints");
}

function targetOf(url: Parameters<Request>[0]): string | undefined {
  return typeof url === "string" ? /\/endpoints\/([^/?]+)/.exec(url)?.[1] : undefined;
}

function isDue({ left }: { readonly left: number }): boolean {
  return left <= 0;
}

/** What is carried out later has no sender that could give up. */
function withoutSignal([url, options]: Parameters<Request>): Parameters<Request> {
  return [url, { ...options, signal: null }];
}

function withUnknownState(endpoint: Wire): Wire {
  return { ...endpoint, current_state: `${String(endpoint["current_state"])}ish` };
}

function countLate(met: Met, lateMs: number): void {
  if (lateMs === 3_000) met.count("a list 3 s late");
  if (lateMs === 10_000) met.count("a list 10 s late");
  if (lateMs === 25_000) met.count("a list 25 s late");
}

function countTrouble(met: Met, { answer, done, method }: Trouble): void {
  if (method === "GET") return;
  if (done === "later") met.count("done after its answer");
  else if (answer === "none")
    met.count(done === "yes" ? "hung after it was done" : "hung before it was done");
  else met.count(done === "yes" ? `${answer} for what was done` : `${answer} for what was not done`);
}

function inPieces(text: string): Answer["body"] {
  return [Buffer.from(text)] as unknown as Answer["body"];
}
