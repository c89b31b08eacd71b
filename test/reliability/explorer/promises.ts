/**
 * What must be true after each run of the small world, as docs/ownership.md says it, judged by what the world knows and no
 * provider can.
 */
import { isExplained } from "../../support/miniEngineSteps";
import { messageOf } from "../../../provider/errors";
import type { Command, Ended, Runner } from "./command";
import { alive, declaredCu, isOverdue, isPrimary, type SmallCompute, type SmallWorld } from "./smallWorld";

/** Of docs/ownership.md: the longest that a request may take, and how exactly clocks are known. */
const requestMs = 60_000;
const graceMs = 60_000;
const clocksMs = { said: 4_000, unsaid: 5 * 60_000 };
/** How late a list may be, for a compute whose id nobody knows. */
const lateMs = 15_000;

/** @returns what is wrong; undefined where all is well. */
export function broken({ world, result }: Ended, { by }: Command, before: SmallWorld): string | undefined {
  const unexplained = result.failures.find((failure) => !isExplained(failure));
  if (unexplained !== undefined) return `it fails without words of its own: ${messageOf(unexplained)}`;
  return (
    strangers(world, by) ??
    forgotten(world, by, before) ??
    doubled(world, by) ??
    (result.failures.length === 0 ? leftUnsaid(world, by, before) : undefined)
  );
}

function strangers(world: SmallWorld, by: Runner): string | undefined {
  const wrong = world.wronged.find(({ id }) => !isTwin(world, by, id));
  if (wrong !== undefined) return `it sends ${wrong.how} to ${wrong.id}, which it did not make`;
  const held = world.states[by].find(
    ({ id }) => world.computes.every((one) => one.id !== id || one.maker !== by) && !isTwin(world, by, id),
  );
  return held && `it holds ${held.id}, which it did not make`;
}

/**
 * What nobody can tell from one's own: as declared, made while a POST was under way whose answer was lost.
 */
export function isTwin(world: SmallWorld, by: Runner, id: string): boolean {
  return world.computes.some(
    (one) => one.id === id && isLike(one) && isOfTime(world, by, { one, graceMs: 0 }),
  );
}

function isLike({ maker, sizeCu }: SmallCompute): boolean {
  return maker === "stranger" && sizeCu === declaredCu;
}

/** Whether it was made while a POST without an answer was under way, or a while after it. */
function isOfTime(
  world: SmallWorld,
  by: Runner,
  { one, graceMs: afterMs }: { readonly one: SmallCompute; readonly graceMs: number },
): boolean {
  const slackMs = world.setting.saysDate ? clocksMs.said : clocksMs.unsaid;
  return world.posts.some((post) => {
    const endMs = post.endedAtMs ?? post.sentAtMs + requestMs;
    return (
      post.by === by &&
      post.isKnown !== true &&
      one.madeAtMs >= post.sentAtMs - slackMs &&
      one.madeAtMs <= endMs + slackMs + afterMs
    );
  });
}

/** Computes of the runner's own that its state does not hold. */
export function unheld(world: SmallWorld, by: Runner): readonly SmallCompute[] {
  const held = world.states[by].map(({ id }) => id);
  return alive(world, by).filter(({ id }) => !held.includes(id));
}

/** What exists stays in the state. */
function forgotten(world: SmallWorld, by: Runner, before: SmallWorld): string | undefined {
  const gone = before.states[by].find(
    ({ id }) => alive(world).some((one) => one.id === id) && world.states[by].every((one) => one.id !== id),
  );
  return gone && `it forgets ${gone.id}, which exists`;
}

/**
 * With its journal, a resource has one compute, unless the service was slower, or its list later, than anybody waits for.
 */
function doubled(world: SmallWorld, by: Runner): string | undefined {
  const own = alive(world, by);
  const isExcused =
    world.journal !== "kept" || world.setting.lagMs > lateMs || own.some((one) => isOverdue(world, one));
  const isTaken = world.states[by].some(({ id }) => isTwin(world, by, id));
  return own.length < 2 || isExcused || isTaken
    ? undefined
    : `it makes ${own.map(({ id }) => id).join(" and ")}`;
}

/** A run that ends well leaves nothing behind that it did not name, unless no list showed it. */
function leftUnsaid(world: SmallWorld, by: Runner, before: SmallWorld): string | undefined {
  // Without the journal, a run that creates nothing has no reason to ask.
  if (world.journal !== "kept" && before.states[by].length > 0) return undefined;
  if (alive(world, by).some((one) => isOverdue(world, one))) return undefined;
  // What was taken for its own is in its place.
  if ([...before.states[by], ...world.states[by]].some(({ id }) => isTwin(world, by, id))) return undefined;
  const { lagMs } = world.setting;
  const left = unheld(world, by).find((one) => {
    const { id, madeAtMs } = one;
    const wasShown = madeAtMs + lagMs < world.nowMs - 1_000;
    return !world.said.has(id) && (world.journal === "kept" ? lagMs <= lateMs : wasShown);
  });
  return left && `it ends well, and leaves ${left.id} behind without a word`;
}

/** Whether the last run of all, in which nothing goes wrong, may fail as it did. */
export function deadEnd({ world, result }: Ended, { by }: Command): string | undefined {
  const [failure] = result.failures;
  if (failure === undefined) return undefined;
  const text = messageOf(failure);
  const others = alive(world).filter(({ id }) => world.states[by].every((one) => one.id !== id));
  if (isPrimary(world)) {
    const [primary] = others;
    if (primary !== undefined && text.includes(`adopt: "${primary.id}"`)) return undefined;
  }
  const isUnclear = others.some((one) => isLike(one) && isOfTime(world, by, { one, graceMs }));
  const isLate = others.some((one) =>
    world.posts.some(
      ({ made, sentAtMs, endedAtMs }) =>
        made === one.id && one.madeAtMs > (endedAtMs ?? sentAtMs + requestMs),
    ),
  );
  // Of two computes of its own that no list showed in time, it names both.
  const isHidden =
    world.setting.lagMs > lateMs && others.length > 1 && others.every(({ id }) => text.includes(id));
  return (isUnclear || isLate || isHidden) && text.includes("not certain")
    ? undefined
    : `nothing is wrong any more, and it fails: ${text}`;
}

/** After `destroy`: nothing of others is gone, and nothing that was held is left. */
export function wrongRest(before: SmallWorld, { world, result }: Ended, { by }: Command): string | undefined {
  if (result.failures.length > 0) return `destroy fails: ${messageOf(result.failures[0])}`;
  const held = before.states[by].map(({ id }) => id);
  const kept = alive(world).find(({ id }) => held.includes(id));
  return kept && `destroy leaves ${kept.id}`;
}
