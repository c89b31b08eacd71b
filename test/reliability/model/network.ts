/**
 * The network between the provider processes and the service. It records which process sent what and what the
 * service did, spoils answers, holds requests back, shows lists late, and lets other people act between two requests.
 */
import type { request as undiciRequest } from "undici";
import type { Emulator } from "../../../emulator";
import { longestRequestMs } from "../../../provider/model/timing";
import { createFakeClock, type FakeClock } from "../../support/fakeClock";
import type { Life, Met, Trouble } from "./life";
import { createPast, type Wire } from "./past";
import { spoiled, type Given } from "./spoiled";

/** A write, and what the service did with it. */
export interface Sent {
  /** The key of the side whose process sent it. */
  readonly by: string;
  readonly method: string;
  readonly isCreate: boolean;
  readonly body: Wire;
  /** When it was sent, on the monotonic clock; 0 if lists were late then. */
  readonly knownAtMs: number;
  /** The compute that it names; undefined for a create. */
  readonly targetId: string | undefined;
  /** The compute that the service created, changed or deleted; undefined while it has done nothing. */
  endpointId: string | undefined;
}

/** The settings that the service took over from a PATCH. */
export interface SentSettings {
  readonly endpointId: string;
  readonly settings: Wire;
  /** When it was sent, on the monotonic clock; 0 if lists were late then. */
  readonly knownAtMs: number;
}

interface Told {
  readonly met: Met;
  readonly sizeAnswer: Life["sizeAnswer"];
  readonly onSettings: (sent: SentSettings) => void;
  /** Is called for each compute that was deleted after the sender of the DELETE had given up. */
  readonly onLateDelete: (id: string) => void;
  /** Whether a list may be late in this life: only then are earlier moments kept. */
  readonly remembers: boolean;
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
}

type Request = typeof undiciRequest;
type Answer = Awaited<ReturnType<Request>>;

/** How many provider processes the lives of this test have had so far: no two have the same key. */
let opened = 0;

export type Network = ReturnType<typeof networkOf>;

export function openNetwork(emulator: Emulator, projectId: string, told: Told): Network {
  return networkOf(emulator, projectId, told);
}

/** The network's type is what this returns, so that each member is described once. */
function networkOf(
  emulator: Emulator,
  projectId: string,
  { met, onLateDelete, onSettings, remembers, sizeAnswer }: Told,
) {
  const undici = jest.requireActual<{ request: Request }>("undici");
  const send = undici.request;
  /** By API key: each process has a key of its own, by which its requests are recognised. */
  const processes = new Map<string, Process>();
  const past = createPast(emulator, { projectId, remembers });
  const clock = createFakeClock(past);
  const sent: Sent[] = [];
  let troubles: { readonly trouble: Trouble; after: number; times: number }[] = [];
  /** Actions of others, and requests that the service carries out late. */
  let acts: { readonly act: () => unknown; readonly isLate: boolean; left: number }[] = [];
  let colleague: (endpointId: string) => void = () => undefined;
  /** How late lists are now, in milliseconds. */
  let lateMs = 0;
  let engine = newEngine();
  const underWay = new Set<Promise<unknown>>();

  /** Lets others act, in the moment after a request. */
  const after = async (): Promise<void> => {
    for (const one of acts) one.left -= 1;
    const due = acts.filter(({ left }) => left <= 0);
    acts = acts.filter(({ left }) => left > 0);
    for (const { act } of due) {
      await act();
    }
  };
  const open = (by: string, its: Engine): { readonly apiKey: string; readonly clock: FakeClock } => {
    const process = { by, engine: its };
    const apiKey = `${emulator.apiKey}-${++opened}`;
    processes.set(apiKey, process);
    const sleep: FakeClock["sleep"] = (...how) => (its.isDead ? forever() : clock.sleep(...how));
    return { apiKey, clock: { ...clock, sleep } };
  };
  const take = (method: string): Trouble | undefined => {
    const found = troubles.find(({ trouble }) => trouble.method === method);
    if (found === undefined || found.after-- > 0) return undefined;
    found.times -= 1;
    if (found.times === 0) troubles = troubles.filter((one) => one !== found);
    const { answer, done } = found.trouble;
    met.count(`${answer}, done: ${done}`);
    met.count(method === "GET" ? "a read in trouble" : "a write in trouble");
    return found.trouble;
  };
  const network = {
    clock,
    /** The key and the clock of a new provider process of this run: a killed process sleeps for ever. */
    newProcess: (by: string) => open(by, engine),
    /** The same for a run on another machine, which nothing kills. */
    newProcessElsewhere: (by: string) => open(`${by} elsewhere`, newEngine()),
    sent: sent as readonly Sent[],
    /** Begins a run of the engine. @param diesAfter - the number of requests after which it is killed with all its processes. */
    begin: (diesAfter?: number) => {
      engine = newEngine(diesAfter);
    },
    /** Whether the run is killed between two requests. */
    isToDie: () => engine.left !== Number.POSITIVE_INFINITY,
    /** Carries out what is left after a run. */
    end: async () => {
      const due = acts.filter(({ isLate }) => isLate);
      acts = acts.filter(({ isLate }) => !isLate);
      for (const { act } of due) await act();
    },
    /** Runs the work of one provider process. */
    run: <T>(act: () => Promise<T>): Promise<T | "killed"> => {
      const ended = Promise.race([act(), engine.killed]);
      // Requests of a killed run are carried out during that run, not during a later one.
      return ended.finally(() => Promise.allSettled([...underWay]));
    },
    /** Spoils later requests. */
    spoil: (trouble: Trouble) => {
      troubles.push({ trouble, after: trouble.after, times: trouble.times });
    },
    /** Has somebody act after this many more requests. */
    between: (requests: number, act: () => unknown) => {
      acts.push({ act, isLate: false, left: requests });
    },
    /** @param act - changes a compute by hand: is called when a PATCH for it has failed. */
    onColleague: (act: (endpointId: string) => void) => {
      colleague = act;
    },
    showLate: (byMs: number) => {
      lateMs = byMs;
    },
    listsLateMs: () => lateMs,
    heal: () => {
      troubles = [];
      acts = [];
      lateMs = 0;
    },
    close: () => {
      spy.mockRestore();
    },
  };

  /** Sends a request as it is, and records what the service did with it. */
  const carryOut = async (args: Parameters<Request>, write: Sent | undefined): Promise<Given> => {
    const done = serve(args, write);
    underWay.add(done);
    const given = await done.finally(() => underWay.delete(done));
    const isList = write === undefined && isOfEndpoints(args[0]) && given.statusCode < 300;
    return isList ? { ...given, text: shown(given.text) } : given;
  };
  const serve = async (args: Parameters<Request>, write: Sent | undefined): Promise<Given> => {
    const { statusCode, headers, body } = await send(...args);
    const text = await body.text();
    if (write === undefined || statusCode >= 300) return { statusCode, headers, text };
    write.endpointId = write.targetId ?? (JSON.parse(text) as { endpoint: { id: string } }).endpoint.id;
    const { endpointId, knownAtMs, method } = write;
    const { pg_settings: settings } = (write.body["settings"] ?? {}) as { readonly pg_settings?: Wire };
    if (settings !== undefined) onSettings({ endpointId, settings, knownAtMs });
    const isSize = method === "PATCH" && "autoscaling_limit_max_cu" in write.body;
    return { statusCode, headers, text: isSize ? answerToSize(text) : text };
  };
  const answerToSize = (text: string): string => {
    if (sizeAnswer === "its operations") return text;
    met.count(`a size change that names ${sizeAnswer}`);
    const { operations: _, ...others } = JSON.parse(text) as Wire;
    return JSON.stringify(sizeAnswer === "nothing" ? others : { ...others, operations: [] });
  };
  const shown = (text: string): string => {
    const now = (JSON.parse(text) as { endpoints: readonly Wire[] }).endpoints;
    const seen = lateMs === 0 ? now : past.before(lateMs);
    if (JSON.stringify(seen) !== JSON.stringify(now)) met.count(`a list ${lateMs / 1_000} s late`);
    return JSON.stringify({ endpoints: seen });
  };
  /** What a sender gets instead of the answer. */
  const inPlace = async (
    args: Parameters<Request>,
    { answer, done, meanwhile }: Trouble,
    write: Sent | undefined,
  ): Promise<Given> => {
    const real = done === "yes" ? await carryOut(args, write) : undefined;
    const act = async (): Promise<void> => {
      await carryOut(withoutSignal(args), write);
      if (write?.method === "DELETE") onLateDelete(write.targetId!);
    };
    if (done === "later" && write !== undefined) acts.push({ act, isLate: true, left: 2 });
    if (meanwhile !== "nothing" && write?.method === "PATCH") colleague(write.targetId!);
    if (answer === "none") clock.advance(longestRequestMs / 2);
    return spoiled(answer, real);
  };
  const spy = jest.spyOn(undici, "request").mockImplementation(async (...given: Parameters<Request>) => {
    const [apiKey, args] = withKeyOf(emulator, given);
    const process = processes.get(apiKey);
    // A killed process of an earlier life may still be at work.
    if (process === undefined || process.engine.isDead) return forever();
    const method = args[1]?.method ?? "GET";
    const write = method === "GET" ? undefined : writeOf(process, method, args);
    if (write !== undefined) sent.push(write);
    const trouble = take(method);
    const answer = await (
      trouble === undefined ? carryOut(args, write) : inPlace(args, trouble, write)
    ).finally(() => {
      process.engine.left -= 1;
    });
    await after();
    if (process.engine.left >= 0) {
      const { text, ...head } = answer;
      return { ...head, body: [Buffer.from(text)] } as unknown as Answer;
    }
    process.engine.die();
    return forever();
  });
  const writeOf = ({ by }: Process, method: string, [url, options]: Parameters<Request>): Sent => {
    const isCreate = method === "POST" && isOfEndpoints(url);
    const text = typeof options?.body === "string" ? options.body : "{}";
    const { endpoint: body = {} } = JSON.parse(text) as { endpoint?: Wire };
    const targetId = typeof url === "string" ? /\/endpoints\/([^/?]+)/.exec(url)?.[1] : undefined;
    const knownAtMs = lateMs === 0 ? clock.monotonicMs() : 0;
    return { by, method, isCreate, body, knownAtMs, targetId, endpointId: undefined };
  };
  return network;
}

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

/** A killed process gets no more answers. */
function forever(): Promise<never> {
  return new Promise(() => undefined);
}

/** The provider's client passes addresses as strings. */
function isOfEndpoints(url: Parameters<Request>[0]): boolean {
  return typeof url === "string" && url.endsWith("/endpoints");
}

/** A request with the key that the service knows. @returns the sender's own key as well */
function withKeyOf(
  { apiKey }: Emulator,
  [url, options]: Parameters<Request>,
): [ownKey: string, args: Parameters<Request>] {
  const headers = options?.headers as Readonly<Record<string, string>>;
  const ownKey = headers["authorization"]?.replace("Bearer ", "") ?? "";
  return [ownKey, [url, { ...options, headers: { ...headers, authorization: `Bearer ${apiKey}` } }]];
}

/** A request that is carried out late has no sender that could give up. */
function withoutSignal([url, options]: Parameters<Request>): Parameters<Request> {
  return [url, { ...options, signal: null }];
}
