/**
 * From lives to rows: medians, their spread, and the ratio to what the engine and the service cost alone.
 */
import { stepNames, stepPlans, type Cell, type Life, type StepName } from "./life";
import type { Tally } from "./meter";
import { burst, parallelismOf, type BenchOptions } from "./options";
import { operationMs } from "./stack";

export interface Row extends Cell {
  readonly step: StepName;
  readonly runs: number;
  /** Median, and what the runs lie between. */
  readonly wallMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
  /** The floor's median and the operations' own time; undefined where no floor was measured. */
  readonly floorMs: number | undefined;
  /** Of the run with the median number of requests. */
  readonly requests: Tally;
  readonly providerBytes: number | undefined;
  readonly stateBytes: number;
}

export function summarise(lives: readonly Life[], options: BenchOptions): readonly Row[] {
  const groups = new Map<string, Life[]>();
  for (const life of lives) {
    const cell = [life.count, life.parallel, life.contender].join("/");
    groups.set(cell, [...(groups.get(cell) ?? []), life]);
  }
  return [...groups.values()].flatMap((group) =>
    stepNames.map((step) => rowOf(step, group, { lives, options })),
  );
}

interface Measured {
  readonly lives: readonly Life[];
  readonly options: BenchOptions;
}

function rowOf(step: StepName, group: readonly Life[], { lives, options }: Measured): Row {
  const [first] = group;
  if (first === undefined) throw new Error("a group has at least one life");
  const { contender, count, parallel } = first;
  const walls = group.map(({ steps }) => steps[step].wallMs);
  const tallies = group.map(({ steps }) => steps[step].requests);
  const floors = lives
    .filter((life) => life.contender === "floor" && life.count === count && life.parallel === parallel)
    .map(({ steps }) => steps[step].wallMs);
  const memory = group.flatMap(({ steps }) => steps[step].providerBytes ?? []);
  return {
    contender,
    count,
    parallel,
    step,
    runs: group.length,
    wallMs: median(walls),
    leastMs: Math.min(...walls),
    mostMs: Math.max(...walls),
    floorMs: floors.length === 0 ? undefined : median(floors) + serviceMs(step, first, options),
    requests: middle(tallies, ({ total }) => total),
    providerBytes: memory.length === 0 ? undefined : median(memory),
    stateBytes: median(group.map((life) => life.stateBytes)),
  };
}

/** How long the service needs for a step, whoever asks: its operations, and what its limits let through. */
export function serviceMs(
  step: StepName,
  { count, parallel }: Pick<Cell, "count" | "parallel">,
  { mode, perMinute }: Pick<BenchOptions, "mode" | "perMinute">,
): number {
  const { operations } = stepPlans[step];
  const atOnce = mode === "lock" ? 1 : parallelismOf(parallel);
  const waveMs = operations * operationMs;
  const wavesMs = Math.ceil(count / atOnce) * waveMs;
  const writes = operations > 0 || step === "destroy" ? count : 0;
  if (mode !== "rate" || writes === 0) return wavesMs;
  const fullMinutes = Math.ceil(writes / perMinute) - 1;
  const fullSeconds = Math.ceil((writes - fullMinutes * perMinute) / burst) - 1;
  // Waiting for a window of the limit and for operations goes on side by side.
  return Math.max(wavesMs, fullMinutes * 60_000 + fullSeconds * 1_000 + waveMs);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return (low + high) / 2;
}

function middle<T>(values: readonly T[], by: (value: T) => number): T {
  const sorted = [...values].sort((a, b) => by(a) - by(b));
  const found = sorted[Math.floor((sorted.length - 1) / 2)];
  if (found === undefined) throw new Error("there is no middle of nothing");
  return found;
}
