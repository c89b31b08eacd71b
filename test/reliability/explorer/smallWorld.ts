/**
 * The explorer's world as plain data: one branch of one project, the computes that were made there, the disk of one
 * machine, and what may still go wrong. A copy of it is a world of its own.
 */
import type { Stored } from "../../support/miniEngine";

/** Whose a compute is: the stack's, that of another checkout with the same names, or a stranger's. */
export type Maker = "ours" | "theirs" | "stranger";

/** What stays the same through a history. */
export interface Setting {
  readonly type: "read_write" | "read_only";
  /** How long a list does not show a new compute. */
  readonly lagMs: number;
  /** How far this machine's clock is ahead of the service's. */
  readonly machineAheadMs: number;
  /** How far the clock that stamps computes is ahead of the one that stamps answers. */
  readonly stampsAheadMs: number;
  /** Whether answers say the service's time. */
  readonly saysDate: boolean;
  /** Whether every kind of answer is tried, or one of each meaning. */
  readonly allAnswers: boolean;
}

export interface SmallCompute {
  readonly id: string;
  readonly maker: Maker;
  readonly sizeCu: number;
  /** On the clock of the world. */
  readonly madeAtMs: number;
  readonly isDeleted: boolean;
}

/** A POST that reached the service. */
export interface SentPost {
  readonly by: Maker;
  readonly sentAtMs: number;
  /** When its sender learned that there is no answer; undefined where the sender was killed before. */
  readonly endedAtMs?: number;
  /** The service has not carried it out, and may still do so. */
  readonly isOpen: boolean;
  /** Its sender has learned what it made, or that it made nothing. */
  readonly isKnown?: boolean;
  /** The compute that it made. */
  readonly made?: string;
}

/** A run changed or deleted a compute that another made. */
export interface Wrong {
  readonly by: Maker;
  readonly how: string;
  readonly id: string;
}

export interface SmallFile {
  readonly text: string;
  readonly isAnotherUsers: boolean;
}

/** What may still go wrong, and how often. */
export type Trouble = "kill" | "spoiled" | "stranger" | "journal" | "outage";

/** One event of a history, behind those before it. */
export interface Happening {
  readonly text: string;
  readonly before: Happening | undefined;
}

export interface SmallWorld {
  readonly setting: Setting;
  /** On the service's clock, which is the world's. */
  nowMs: number;
  computes: readonly SmallCompute[];
  posts: readonly SentPost[];
  files: ReadonlyMap<string, SmallFile>;
  /** What the state of the stack holds, and that of the other checkout. */
  states: Readonly<Record<"ours" | "theirs", readonly Stored[]>>;
  left: Readonly<Record<Trouble, number>>;
  /** What has happened to the journal between runs. */
  journal: "kept" | "lost" | "another user's";
  /** Changes and deletions of what somebody else made. */
  wronged: readonly Wrong[];
  /** Ids that a row or an error has named. */
  said: ReadonlySet<string>;
  log: Happening | undefined;
}

const startMs = Date.UTC(2026, 0, 5, 8);

export function worldOf(setting: Setting, left: SmallWorld["left"]): SmallWorld {
  return {
    setting,
    nowMs: startMs,
    computes: [],
    posts: [],
    files: new Map(),
    states: { ours: [], theirs: [] },
    left,
    journal: "kept",
    wronged: [],
    said: new Set(),
    log: undefined,
  };
}

/** Its members are replaced, never changed, so a shallow copy is enough. */
export function copyOf(world: SmallWorld): SmallWorld {
  return { ...world };
}

export function note(world: SmallWorld, text: string): void {
  const seconds = ((world.nowMs - startMs) / 1000).toFixed(1);
  world.log = { text: `${seconds} s: ${text}`, before: world.log };
}

/** What has happened, in order. */
export function historyOf({ log }: SmallWorld): readonly string[] {
  const lines: string[] = [];
  for (let one = log; one !== undefined; one = one.before) lines.unshift(one.text);
  return lines;
}

export function use(world: SmallWorld, trouble: Trouble): void {
  world.left = { ...world.left, [trouble]: world.left[trouble] - 1 };
}

export function alive({ computes }: Pick<SmallWorld, "computes">, maker?: Maker): readonly SmallCompute[] {
  return computes.filter((one) => !one.isDeleted && (maker === undefined || one.maker === maker));
}

export function isPrimary({ setting }: SmallWorld): boolean {
  return setting.type === "read_write";
}

/** A compute comes to be, unless the branch has its one primary already. */
export function make(world: SmallWorld, maker: Maker, sizeCu: number): SmallCompute | undefined {
  if (isPrimary(world) && alive(world).length > 0) return undefined;
  const number = world.computes.filter((one) => one.maker === maker).length + 1;
  const made = { id: `ep-${maker}-${number}`, maker, sizeCu, madeAtMs: world.nowMs, isDeleted: false };
  world.computes = [...world.computes, made];
  return made;
}

/** The service carries out a POST. */
export function carryOut(world: SmallWorld, index: number): SmallCompute | undefined {
  const post = world.posts[index]!;
  const made = make(world, post.by, declaredCu);
  const done = { ...post, isOpen: false, ...(made === undefined ? {} : { made: made.id }) };
  world.posts = world.posts.map((one, at) => (at === index ? done : one));
  return made;
}

/** What programs declare, and what a stranger asks for who wants the same. */
export const declaredCu = 1;
export const otherCu = 4;

const requestMs = 60_000;
const graceMs = 60_000;
/** How long after the end of a request a list has to show what the request made. */
const showsMs = 15_000;

/**
 * The POST that the service may carry out at this moment, if there is one: one whose sender was killed for as long as a
 * request lasts, any other as long as its sender looks for it.
 */
export function openPost(world: SmallWorld): number {
  return world.posts.findIndex((post) => post.isOpen && world.nowMs <= inTimeUntil(world, post));
}

/** The POST that a slow service may still carry out: nobody waits that long. */
export function overduePost({ posts, nowMs }: SmallWorld): number {
  return posts.findIndex(
    (post) => post.isOpen && nowMs <= (post.endedAtMs ?? post.sentAtMs + requestMs) + graceMs,
  );
}

function inTimeUntil({ setting }: SmallWorld, { sentAtMs, endedAtMs }: SentPost): number {
  return endedAtMs === undefined ? sentAtMs + requestMs : endedAtMs + showsMs - setting.lagMs;
}

/** Whether a compute was made later than anybody waits for. */
export function isOverdue(world: SmallWorld, { id, madeAtMs }: SmallCompute): boolean {
  const post = world.posts.find(({ made }) => made === id);
  return post !== undefined && madeAtMs > inTimeUntil(world, post);
}

/**
 * Two worlds with one key have the same future: times count from now, drafts of files and what happened do not count.
 */
export function keyOf(world: SmallWorld): string {
  const { nowMs, setting, computes, posts, files, states, left, journal, wronged, said } = world;
  const since = (atMs: number | undefined): number | undefined =>
    atMs === undefined ? undefined : nowMs - atMs;
  const entries = [...files]
    .filter(([name]) => name.endsWith(".json"))
    .map(([name, { text, isAnotherUsers }]) => [name, timeless(text, nowMs), isAnotherUsers]);
  const held = [...states.ours, ...states.theirs].map((one) => [
    one.id,
    one.urn,
    one.isUnfinished,
    one.outs["__operations"],
  ]);
  return JSON.stringify([
    setting,
    computes.map(({ madeAtMs, ...one }) => [one, since(madeAtMs)]),
    posts.map(({ sentAtMs, endedAtMs, ...one }) => [one, since(sentAtMs), since(endedAtMs)]),
    entries,
    held,
    left,
    journal,
    wronged,
    [...said].sort(),
  ]);
}

/** An entry with times that count from now. */
function timeless(text: string, nowMs: number): unknown {
  const { intentAtMs, window, ...entry } = JSON.parse(text) as {
    readonly intentAtMs: number;
    readonly window?: { readonly fromMs: number; readonly toMs: number };
  };
  return [entry, nowMs - intentAtMs, window && [nowMs - window.fromMs, nowMs - window.toMs]];
}
