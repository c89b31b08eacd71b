/**
 * What the package is to reach, and whether a run reached it.
 */
import type { BenchOptions, Mode } from "./options";
import type { Row } from "./summary";
import { operationMs } from "./stack";
import type { StepName } from "./life";

export interface Verdict {
  readonly goal: string;
  readonly where: string;
  readonly value: number;
  readonly limit: number;
  readonly isMet: boolean;
}

interface Goal {
  readonly goal: string;
  readonly modes: readonly Mode[];
  readonly steps: readonly StepName[];
  /** Undefined where the goal says nothing of a row. */
  readonly measure: (row: Row) => { readonly value: number; readonly limit: number } | undefined;
}

const allSteps: readonly StepName[] = ["create", "preview", "empty up", "resize", "refresh", "destroy"];

const ratio = (row: Row, limit: number): { value: number; limit: number } | undefined =>
  row.floorMs === undefined ? undefined : { value: row.wallMs / row.floorMs, limit };

const goals: readonly Goal[] = [
  {
    goal: "wall time, × floor",
    modes: ["plain"],
    steps: allSteps,
    measure: (row) => ratio(row, 1.1),
  },
  {
    goal: "requests for each create",
    modes: ["plain"],
    steps: ["create"],
    measure: ({ count, requests }) =>
      count > 1 && count < 50 ? undefined : { value: requests.total / count, limit: count === 1 ? 4 : 2.2 },
  },
  {
    goal: "requests without a change",
    modes: ["plain", "lock", "rate"],
    steps: ["preview", "empty up"],
    measure: ({ requests }) => ({ value: requests.total, limit: 0 }),
  },
  {
    goal: "requests of a refresh",
    modes: ["plain"],
    steps: ["refresh"],
    measure: ({ count, requests }) => ({ value: requests.total, limit: 1 + count / 100 }),
  },
  {
    goal: "wall time under the lock, × N operations",
    modes: ["lock"],
    steps: ["create"],
    measure: (row) => ({ value: row.wallMs / (row.count * operationMs), limit: 1.1 }),
  },
  {
    goal: "answers of 423",
    modes: ["lock"],
    steps: ["create"],
    measure: ({ requests }) => ({ value: requests.locked, limit: 5 }),
  },
  {
    goal: "answers of 429, share",
    modes: ["rate"],
    steps: allSteps,
    measure: ({ requests }) =>
      requests.total === 0 ? undefined : { value: requests.limited / requests.total, limit: 0.01 },
  },
  {
    goal: "wall time under the rate limit, × what it allows",
    modes: ["rate"],
    steps: allSteps,
    measure: (row) => ratio(row, 1.25),
  },
  {
    goal: "state for each compute, KB",
    modes: ["plain"],
    steps: ["create"],
    // Below, the frame of the file is most of it.
    measure: ({ stateBytes, count }) =>
      count < 10 ? undefined : { value: stateBytes / count / 1000, limit: 3 },
  },
];

/** The goals that apply to a run, each at its worst. */
export function judge(rows: readonly Row[], { mode }: Pick<BenchOptions, "mode">): readonly Verdict[] {
  const own = rows.filter(({ contender }) => contender === "ours");
  const judged = goals
    .filter(({ modes }) => modes.includes(mode))
    .flatMap((goal) =>
      goal.steps.flatMap((step) =>
        worst(
          goal,
          own.filter((row) => row.step === step),
        ),
      ),
    );
  return [...judged, ...memoryGrowth(own)];
}

function worst({ goal, measure }: Goal, rows: readonly Row[]): readonly Verdict[] {
  const verdicts = rows.flatMap((row): readonly Verdict[] => {
    const measured = measure(row);
    if (measured === undefined) return [];
    const where = `${row.step}, N = ${row.count}, --parallel ${row.parallel ?? "default"}`;
    return [{ goal, where, ...measured, isMet: measured.value <= measured.limit }];
  });
  return worstOf(verdicts);
}

/** The one that is furthest above its limit, or else closest to it. */
function worstOf(verdicts: readonly Verdict[]): readonly Verdict[] {
  const left = ({ limit, value }: Verdict): number => limit - value;
  return [...verdicts].sort((a, b) => left(a) - left(b)).slice(0, 1);
}

/** Memory from the smallest run of 50 computes or more to the largest, in the step where it grows most. */
function memoryGrowth(own: readonly Row[]): readonly Verdict[] {
  const verdicts = allSteps.flatMap((step): readonly Verdict[] => {
    const runs = own
      .filter((row) => row.step === step && row.count >= 50 && row.providerBytes !== undefined)
      .sort((a, b) => a.count - b.count);
    const [small, large] = [runs.at(0), runs.at(-1)];
    if (small === undefined || large === undefined || small.count === large.count) return [];
    const value = ((large.providerBytes ?? 0) - (small.providerBytes ?? 0)) / 1024 / 1024;
    const where = `${step}, N = ${small.count} to ${large.count}`;
    const goal = "memory of the provider process, growth in MiB";
    return [{ goal, where, value, limit: 20, isMet: value <= 20 }];
  });
  return worstOf(verdicts);
}
