/**
 * Runs one command of the engine in a small world: the provider's real handlers, with every request, every wait and
 * every file in our hands. Whatever may happen at each point is a choice; a script says what is chosen.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../../provider/clock";
import type { FakeClock } from "../../support/fakeClock";
import { createMiniEngine, type MiniEngine, type Program, type RunResult } from "../../support/miniEngine";
import { messageOf } from "../../../provider/errors";
import { asTheServiceDoes, quickMs, type PostOutcome } from "./answers";
import { meanwhile, outcomesFor, type Option } from "./chances";
import { useDisk } from "./disk";
import { branch, project, routeOf, serve } from "./service";
import {
  copyOf,
  declaredCu,
  historyOf,
  keyOf,
  note,
  use,
  type SentPost,
  type SmallWorld,
  type Trouble,
} from "./smallWorld";
import { useSockets, type Arrival, type WireAnswer } from "./sockets";

/** Whose engine runs. */
export type Runner = "ours" | "theirs";

export interface Command {
  readonly by: Runner;
  readonly verb: "up" | "refresh" | "destroy";
  /** What is chosen at each point; behind its end nothing goes wrong. */
  readonly script: readonly number[];
}

export interface Ended {
  readonly world: SmallWorld;
  /** What each choice of each point costs, in order. */
  readonly points: readonly (readonly (Trouble | undefined)[])[];
  readonly result: RunResult;
  /** The worlds in which the run was killed, one for each moment. */
  readonly killed: readonly SmallWorld[];
  /** What it asked, in order. */
  readonly asked: readonly string[];
  /** What it said on rows. */
  readonly told: readonly string[];
  /** The states that it went through at its points. */
  readonly states: readonly string[];
}

interface Timer {
  readonly atMs: number;
  readonly wake: () => void;
}

const stackName = "dev";
export const journalFolder = "/journal";
const stepsAtMost = 5_000;

function declared(type: string): Program {
  const size = { autoscalingLimitMinCu: declaredCu, autoscalingLimitMaxCu: declaredCu };
  return { db: { args: { projectId: project, branchId: branch, type, ...size } } };
}

export async function run(before: SmallWorld, { by, verb, script }: Command): Promise<Ended> {
  const world = copyOf(before);
  const points: (readonly (Trouble | undefined)[])[] = [];
  const killed: SmallWorld[] = [];
  const arrivals: Arrival[] = [];
  let timers: Timer[] = [];
  const states: string[] = [];
  const asked: string[] = [];
  const seen = createHash("sha1").update(JSON.stringify([by, verb]));
  let isOut = false;

  const kill = (text: string, change: (killed: SmallWorld) => void = () => undefined): void => {
    if (world.left.kill === 0) return;
    const left = copyOf(world);
    use(left, "kill");
    note(left, `the run is killed ${text}`);
    change(left);
    killed.push(left);
  };
  const choose = (options: readonly Option[]): void => {
    const chosen = options[script[points.length] ?? 0]!;
    states.push(seen.copy().update(keyOf(world)).digest("base64"));
    points.push(options.map(({ costs }) => costs));
    if (chosen.costs !== undefined) use(world, chosen.costs);
    chosen.act();
  };
  const at = (atMs: number, wake: () => void): Timer => {
    const timer = { atMs, wake };
    timers.push(timer);
    return timer;
  };
  const clock = clockOf(world, at, (timer) => (timers = timers.filter((one) => one !== timer)));

  const arrived = (arrival: Arrival): void => {
    const route = routeOf(arrival);
    asked.push(route);
    const isPost = route === "POST /endpoints";
    const isAsked = isPost || route === "GET /endpoints";
    kill(`with its ${route} under way`, (left) => {
      if (isPost) left.posts = [...left.posts, { by, sentAtMs: left.nowMs, isOpen: true }];
    });
    if (isAsked) choose(meanwhile(world));
    let outcome = asTheServiceDoes;
    if (isAsked && !isOut)
      choose(outcomesFor(world, { isPost, set: (one) => (outcome = one), breakDown: () => (isOut = true) }));
    const sent = world.posts.length;
    if (isPost)
      world.posts = [
        ...world.posts,
        { by, sentAtMs: world.nowMs, isOpen: !isOut && outcome.work === "open" },
      ];
    if (isOut) {
      at(world.nowMs + quickMs, () => {
        seen.update("502");
        if (isPost) ended(world, sent, { endedAtMs: world.nowMs });
        arrival.answer(textOf(world, { status: 502 }));
      });
      return;
    }
    const answer = answerTo(world, { by, arrival, outcome });
    if (isPost && outcome.work === "done") kill(`before the answer to its POST`);
    at(world.nowMs + Math.min(outcome.afterMs, arrival.limitMs), () => {
      if (isPost) ended(world, sent, isLost(outcome) ? { endedAtMs: world.nowMs } : { isKnown: true });
      seen.update(answer());
    });
  };

  /** Time passes until the next waiter wakes. */
  const pass = (): void => {
    const next = timers.reduce((one, other) => (other.atMs < one.atMs ? other : one));
    timers = timers.filter((one) => one !== next);
    world.nowMs = Math.max(world.nowMs, next.atMs);
    next.wake();
  };

  useDisk(world, () => {
    kill("before a file changes", (left) => {
      // What it has learned since is in no file.
      left.posts = left.posts.map((one, at) =>
        at === left.posts.length - 1 ? { ...one, isKnown: false } : one,
      );
    });
  });
  useSockets((arrival) => arrivals.push(arrival));
  const engine = engineOf(world, { by, clock });
  note(world, `${by === "ours" ? "the stack" : "the other checkout"} runs ${verb}`);
  const over: { result?: RunResult } = {};
  const done = command(engine, verb, declared(world.setting.type)).then((one) => (over.result = one));
  await turn();
  for (let steps = 0; over.result === undefined; steps++) {
    if (steps > stepsAtMost || (arrivals.length === 0 && timers.length === 0))
      await Promise.race([done, hangs(world)]);
    const [arrival] = arrivals.splice(0, 1);
    if (arrival === undefined) pass();
    else arrived(arrival);
    await turn();
  }
  const { result } = over;
  const words = [...engine.said, ...result.failures.map(messageOf)];
  world.states = { ...world.states, [by]: engine.state() };
  world.said = new Set([...world.said, ...words.flatMap((text) => text.match(/\bep-\w+-\d+/g) ?? [])]);
  for (const text of words) note(world, `it says: ${text}`);
  const held = engine.state().map(({ id }) => id);
  note(world, `it ends, with ${held.length === 0 ? "nothing" : held.join(", ")} in its state`);
  return { world, points, result, killed, asked, told: engine.said, states };
}

/** Nothing may wait for ever. */
async function hangs(world: SmallWorld): Promise<never> {
  await turn();
  throw new Error(`the run has no end:\n${historyOf(world).join("\n")}`);
}

/** Everything that can run without time or an answer has run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function command(engine: MiniEngine, verb: Command["verb"], said: Program): Promise<RunResult> {
  if (verb === "up") return engine.up(said, { endsProcess: true });
  return verb === "refresh" ? engine.refresh({ endsProcess: true }) : engine.destroy({ endsProcess: true });
}

function clockOf(
  world: SmallWorld,
  at: (atMs: number, wake: () => void) => Timer,
  drop: (timer: Timer) => void,
): Clock {
  return {
    now: () => world.nowMs + world.setting.machineAheadMs,
    monotonicMs: () => world.nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = at(world.nowMs + Math.max(ms, 0), resolve);
        signal?.addEventListener("abort", () => {
          drop(timer);
          reject(signal.reason as Error);
        });
      }),
  };
}

/** The other checkout has its folder of states where ours has its own: the text of the address is the same. */
function engineOf(
  world: SmallWorld,
  { by, clock }: { readonly by: Runner; readonly clock: Clock },
): MiniEngine {
  process.cwd = () => `/${by}`;
  const engine = createMiniEngine({
    baseUrl: "https://small.example",
    apiKey: "local-key",
    clock: clock as FakeClock,
    journalFolder,
    stackName,
    backend: "file://./state",
  });
  engine.restore(world.states[by]);
  return engine;
}

interface Request {
  readonly by: Runner;
  readonly arrival: Arrival;
  readonly outcome: PostOutcome;
}

/** The service does what is asked; what is returned tells its sender. */
function answerTo(world: SmallWorld, { by, arrival, outcome }: Request): () => string {
  const served =
    outcome.work === "done" ? serve(world, by, arrival) : { status: outcome.status ?? 0, body: undefined };
  if (routeOf(arrival) === "POST /endpoints" && outcome === asTheServiceDoes)
    note(world, `its POST is answered ${served.status}`);
  return () => {
    const { code, syscall, text, status = served.status } = outcome;
    if (code !== undefined) {
      arrival.fail(code, syscall);
      return code;
    }
    const isTold = status === served.status && text === undefined;
    const answer = textOf(world, isTold ? served : { status });
    arrival.answer(text === undefined ? answer : { ...answer, text });
    return `${status} ${text ?? answer.text}`;
  };
}

function textOf(
  { setting, nowMs }: SmallWorld,
  { status, body }: { readonly status: number; readonly body?: unknown },
): WireAnswer {
  const error = { code: "spoiled", message: `the answer is ${status}` };
  return {
    status,
    headers: setting.saysDate ? { date: new Date(nowMs).toUTCString() } : {},
    text: JSON.stringify(body ?? error),
  };
}

/** Whether the answer tells nothing. */
function isLost({ work, code, status, text }: PostOutcome): boolean {
  return work !== "never" && (code !== undefined || status !== undefined || text !== undefined);
}

/** The sender has its answer, or knows that none comes any more. */
function ended(world: SmallWorld, index: number, how: Pick<SentPost, "endedAtMs" | "isKnown">): void {
  world.posts = world.posts.map((one, at) => (at === index ? { ...one, ...how } : one));
}
