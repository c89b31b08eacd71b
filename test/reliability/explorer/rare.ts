/**
 * States that are rare, and must be reached: an exploration that misses one has proven less than it seems.
 */
import type { Command, Ended } from "./command";
import { isTwin, unheld } from "./promises";
import { alive, historyOf, isPrimary, type SmallWorld } from "./smallWorld";

interface Moment {
  readonly ended: Ended;
  readonly command: Command;
  readonly before: SmallWorld;
  /** What this run said and did. */
  readonly lines: readonly string[];
}

type IsReached = (moment: Moment) => boolean;

const said =
  (text: RegExp): IsReached =>
  ({ lines }) =>
    lines.some((line) => text.test(line));

const wasKilled: IsReached = ({ before }) => historyOf(before).some((line) => line.includes("is killed"));
const fails: IsReached = ({ ended }) => ended.result.failures.length > 0;
const takesOver = said(/it is taken over, not created again/);
const carriesOutLate = said(/carries the POST out that it had not answered: ep-/);
const strangersOf = ({ ended }: Moment): ReturnType<typeof alive> => alive(ended.world, "stranger");

export const rareStates = {
  "a killed run's compute is taken over": (one) => wasKilled(one) && takesOver(one),
  "a killed run's POST is carried out while the next run looks": (one) =>
    wasKilled(one) && carriesOutLate(one) && takesOver(one),
  "a POST is carried out after its answer was lost, and found": (one) =>
    !wasKilled(one) && carriesOutLate(one) && one.ended.world.states.ours.length > 0,
  "a primary's POST is sent again, and was carried out the first time": (one) =>
    isPrimary(one.before) && carriesOutLate(one) && said(/POST is answered 409/)(one),
  "a replica's outcome stays unknown": (one) => fails(one) && said(/the outcome is unknown/)(one),
  "two computes fit, and none is taken": (one) => said(/ep-\w+-1, ep-\w+-1 appeared .* not certain/)(one),
  "a compute that was made after the request is in doubt": (one) =>
    fails(one) && said(/: a create got no answer, and ep-stranger-1 appeared/)(one),
  "a stranger's compute of another size stays, and ours is made beside it": (one) =>
    !isPrimary(one.before) &&
    !fails(one) &&
    strangersOf(one).some(({ sizeCu }) => sizeCu !== 1) &&
    alive(one.ended.world, "ours").length === 1,
  "a stranger's primary is refused by its name": (one) => fails(one) && said(/adopt: "ep-stranger-1"/)(one),
  "a stranger's compute cannot be told from ours": ({ ended, before }) =>
    before.states.ours.length === 0 &&
    ended.world.states.ours.some(({ id }) => isTwin(ended.world, "ours", id)),
  "ours shows up beside a stranger's that was taken, and is named": (one) =>
    takesOver(one) && unheld(one.ended.world, "ours").some(({ id }) => one.ended.world.said.has(id)),
  "without its journal, a primary of ours is refused by its name": (one) =>
    one.before.journal === "lost" && said(/adopt: "ep-ours-1"/)(one),
  "without its journal, a replica of ours is named": (one) =>
    one.before.journal === "lost" && !fails(one) && said(/Compute ep-ours-1 is a replica/)(one),
  "a journal of another user is not believed": (one) =>
    one.before.journal === "another user's" && !takesOver(one) && alive(one.before, "ours").length > 0,
  "another checkout leaves ours alone": ({ ended, command }) =>
    command.by === "theirs" &&
    alive(ended.world, "ours").length > 0 &&
    alive(ended.world, "theirs").length > 0,
  "a create is found after everything else failed": (one) =>
    takesOver(one) && historyOf(one.before).some((line) => line.includes("502 to everything")),
  "a refresh keeps a compute that no list shows yet": (one) =>
    one.command.verb === "refresh" && said(/not listed yet/)(one),
  "a create waits for a compute that its answer had named": (one) =>
    fails(one) && said(/created one already, and compute ep-ours-1 is not listed yet/)(one),
  "a list shows what was made at the last look": (one) =>
    one.before.setting.lagMs === 14_000 &&
    !wasKilled(one) &&
    said(/and it was carried out$/)(one) &&
    one.ended.world.states.ours.length > 0,
  "the service says no time, and ours is found": (one) => !one.before.setting.saysDate && takesOver(one),
  "a clock is hours off, and ours is found": (one) =>
    Math.abs(one.before.setting.machineAheadMs) > 3_600_000 && takesOver(one),
} as const satisfies Readonly<Record<string, IsReached>>;

export type RareState = keyof typeof rareStates;

/** Only where lists are late or clocks differ. */
export const rareInTime: readonly RareState[] = [
  "a refresh keeps a compute that no list shows yet",
  "a create waits for a compute that its answer had named",
  "a list shows what was made at the last look",
  "the service says no time, and ours is found",
  "a clock is hours off, and ours is found",
];

/** @param known - those that need not be looked for any more. */
export function reachedBy(known: ReadonlySet<string>, moment: Omit<Moment, "lines">): readonly string[] {
  const lines = historyOf(moment.ended.world).slice(historyOf(moment.before).length);
  return Object.entries<IsReached>(rareStates)
    .filter(([name, isReached]) => !known.has(name) && isReached({ ...moment, lines }))
    .map(([name]) => name);
}
