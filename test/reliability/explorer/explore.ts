/**
 * Visits every order of events of a small world: each run with each choice at each of its points, and killed at each; behind
 * it everything that may happen until the next run; and at the end a run in which nothing goes wrong, and a destroy. What
 * has gone wrong less often comes first, so that the first order that breaks a promise is a shortest one.
 */
import { lateWork, stranger } from "./chances";
import { run, type Command, type Ended, type Runner } from "./command";
import { broken, deadEnd, wrongRest } from "./promises";
import { reachedBy } from "./rare";
import {
  alive,
  copyOf,
  declaredCu,
  historyOf,
  isPrimary,
  keyOf,
  note,
  openPost,
  overduePost,
  otherCu,
  use,
  worldOf,
  type Setting,
  type SmallWorld,
} from "./smallWorld";

export interface Exploration {
  readonly states: number;
  readonly transitions: number;
  readonly runs: number;
  /** Names of the rare states that were reached. */
  readonly reached: ReadonlySet<string>;
  /** The first order of events that breaks a promise. */
  readonly found: Finding | undefined;
}

export interface Finding {
  readonly what: string;
  readonly history: readonly string[];
}

interface Node {
  readonly world: SmallWorld;
  /** Undefined between two runs. */
  readonly command?: Command;
  /** Runs that have ended. */
  readonly runs: number;
}

/** Runs in which something may go wrong; one more follows in which nothing does. */
const troubledRuns = 2;

export interface Bounds {
  readonly settings: readonly Setting[];
  readonly left: SmallWorld["left"];
  /** How much may go wrong in one history. */
  readonly troubles: number;
}

export async function explore({ settings, left, troubles }: Bounds): Promise<Exploration> {
  const states = new Set<string>();
  const transitions = new Set<string>();
  const reached = new Set<string>();
  const known = new Set<string>();
  const byTroubles: Node[][] = Array.from({ length: troubles + 1 }, () => []);
  let runs = 0;
  const push = (node: Node, used: number): void => void byTroubles[used]?.push(node);
  const carry = async (world: SmallWorld, command: Command): Promise<Ended> => {
    runs += 1;
    const ended = await run(world, command);
    for (const name of reachedBy(reached, { ended, command, before: world })) reached.add(name);
    ended.states.forEach((state, index) => {
      states.add(state);
      transitions.add(`${state} ${command.script[index] ?? 0}`);
    });
    return ended;
  };
  const pushOnce = (node: Node, used: number): void => {
    const key = JSON.stringify([node.command, keyOf(node.world)]);
    if (known.has(key)) return;
    known.add(key);
    push(node, used);
  };
  const found = await (async (): Promise<Finding | undefined> => {
    for (const setting of settings) push({ world: worldOf(setting, left), command: up([]), runs: 0 }, 0);
    for (let used = 0; used <= troubles; used++) {
      for (let node = byTroubles[used]!.shift(); node !== undefined; node = byTroubles[used]!.shift()) {
        const finding =
          node.command === undefined
            ? await between(node, used, { push: pushOnce, carry, known })
            : await within({ ...node, command: node.command }, used, { push, carry });
        if (finding !== undefined) return finding;
      }
    }
    return undefined;
  })();
  return { states: states.size, transitions: transitions.size, runs, reached, found };
}

function up(script: readonly number[], by: Runner = "ours"): Command {
  return { by, verb: "up", script };
}

interface Hands {
  readonly push: (node: Node, used: number) => void;
  readonly carry: (world: SmallWorld, command: Command) => Promise<Ended>;
}

async function within(
  { world, command, runs }: Node & { readonly command: Command },
  used: number,
  { push, carry }: Hands,
): Promise<Finding | undefined> {
  const ended = await carry(world, command);
  const what = broken(ended, command, world);
  if (what !== undefined) return { what, history: historyOf(ended.world) };
  const { script, by } = command;
  ended.points.slice(script.length).forEach((options, index) => {
    const before = [...script, ...Array<number>(index).fill(0)];
    options.forEach((costs, choice) => {
      if (choice > 0)
        push(
          { world, runs, command: { ...command, script: [...before, choice] } },
          used + (costs === undefined ? 0 : 1),
        );
    });
  });
  const next = { runs: by === "theirs" ? troubledRuns : runs + 1 };
  push({ world: ended.world, ...next }, used);
  for (const killed of ended.killed) push({ world: killed, ...next }, used + 1);
  return undefined;
}

async function between(
  { world, runs }: Node,
  used: number,
  { push, carry, known }: Hands & { readonly known: Set<string> },
): Promise<Finding | undefined> {
  const key = `${runs} ${keyOf(world)}`;
  if (known.has(key)) return undefined;
  known.add(key);
  if (runs >= troubledRuns) return close(world, carry);
  for (const { world: later, costs } of meantimes(world))
    for (const { world: next, command, costs: more } of starts(later))
      push({ world: next, command, runs }, used + costs + more);
  return undefined;
}

/** What may happen until the next run begins. */
function meantimes(world: SmallWorld): readonly { readonly world: SmallWorld; readonly costs: number }[] {
  const all: { world: SmallWorld; costs: number }[] = [];
  const add = (costs: number, ...acts: readonly (number | ((later: SmallWorld) => void))[]): void => {
    const later = copyOf(world);
    for (const act of acts) {
      if (typeof act === "number") later.nowMs += act;
      else act(later);
    }
    all.push({ world: later, costs });
  };
  const work = (later: SmallWorld): void => {
    const index = overduePost(later);
    if (index >= 0) lateWork(later, index);
  };
  for (const waitMs of [1_000, 20_000, 90_000, 360_000]) add(0, waitMs);
  const isOpen = overduePost(world) >= 0;
  if (isOpen)
    for (const [beforeMs, afterMs] of [
      [1_000, 1_000],
      [1_000, 20_000],
      [50_000, 1_000],
    ] as const)
      add(0, beforeMs, work, afterMs);
  // A list shows what has come, or not yet.
  const shownMs = world.setting.lagMs === 0 ? [1_000] : [1_000, world.setting.lagMs + 1_000];
  if (world.left.stranger === 0 || (isPrimary(world) && alive(world).length > 0)) return all;
  for (const sizeCu of [declaredCu, otherCu]) {
    const come = (later: SmallWorld): void => {
      use(later, "stranger");
      stranger(later, sizeCu);
    };
    for (const beforeMs of [5_000, 90_000, 300_000])
      for (const afterMs of shownMs) add(1, beforeMs, come, afterMs);
    if (isOpen) add(1, 1_000, come, 1_000, work, 1_000);
    if (isOpen) add(1, 1_000, work, 1_000, come, 1_000);
  }
  return all;
}

/** The next run: what it finds of the journal, and whose it is. */
function starts(
  world: SmallWorld,
): readonly { readonly world: SmallWorld; readonly command: Command; readonly costs: number }[] {
  const isHeld = world.states.ours.length > 0;
  const kept = [{ world, command: up([]), costs: 0 }];
  const refreshed = isHeld ? [{ world, command: { ...up([]), verb: "refresh" as const }, costs: 0 }] : [];
  if (world.left.journal === 0 || world.files.size === 0) return [...kept, ...refreshed];
  const spoiled = (text: string, change: (other: SmallWorld) => void): SmallWorld => {
    const other = copyOf(world);
    use(other, "journal");
    note(other, text);
    change(other);
    return other;
  };
  const lost = spoiled("the journal is lost", (other) => {
    other.files = new Map();
    other.journal = "lost";
  });
  const anothers = spoiled("the journal's files are another user's", (other) => {
    other.files = new Map([...world.files].map(([name, file]) => [name, { ...file, isAnotherUsers: true }]));
    other.journal = "another user's";
  });
  const foreign = spoiled("the journal is that of another checkout with the same names", () => undefined);
  return [
    ...kept,
    ...refreshed,
    ...[lost, anothers].map((other) => ({ world: other, command: up([]), costs: 1 })),
    { world: foreign, command: up([], "theirs"), costs: 1 },
  ];
}

/** Much later nothing goes wrong any more; what the service had still to do, it has done, or never does. */
async function close(world: SmallWorld, carry: Hands["carry"]): Promise<Finding | undefined> {
  const open = openPost(world);
  if (open >= 0) {
    const done = copyOf(world);
    done.nowMs += 1_000;
    lateWork(done, open);
    const finding = await closeQuietly(done, carry);
    if (finding !== undefined) return finding;
  }
  return closeQuietly(world, carry);
}

async function closeQuietly(world: SmallWorld, carry: Hands["carry"]): Promise<Finding | undefined> {
  const quiet = copyOf(world);
  quiet.nowMs += 2 * 360_000;
  quiet.left = { kill: 0, spoiled: 0, stranger: 0, journal: 0, outage: 0 };
  const by: Runner =
    world.posts.some((post) => post.by === "theirs") || world.states.theirs.length > 0 ? "theirs" : "ours";
  const command = up([], by);
  const ended = await carry(quiet, command);
  const what = broken(ended, command, world) ?? deadEnd(ended, command);
  if (what !== undefined) return { what, history: historyOf(ended.world) };
  if (ended.result.failures.length > 0) return undefined;
  const destroy: Command = { by, verb: "destroy", script: [] };
  const gone = await carry(ended.world, destroy);
  const wrong = broken(gone, destroy, ended.world) ?? wrongRest(ended.world, gone, destroy);
  return wrong === undefined ? undefined : { what: wrong, history: historyOf(gone.world) };
}
