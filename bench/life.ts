/**
 * One life of a stack, from the first create to the destroy, with what each step took.
 */
import { loadavg } from "node:os";
import { watchProviderMemory, type Tally } from "./meter";
import { switchesOf, type BenchOptions } from "./options";
import { createBenchStack, type BenchStack, type Contender } from "./stack";

interface StepPlan {
  readonly words: readonly string[];
  /** Size of every compute in the program. */
  readonly cu: number;
  /** Operations that the service does for each compute, one after the other: a delete answers with none. */
  readonly operations: number;
}

const up = ["up", "--yes", "--skip-preview"];

export const stepPlans = {
  create: { words: up, cu: 0.25, operations: 1 },
  preview: { words: ["preview"], cu: 0.25, operations: 0 },
  "empty up": { words: up, cu: 0.25, operations: 0 },
  resize: { words: up, cu: 1, operations: 2 },
  refresh: { words: ["refresh", "--yes", "--skip-preview"], cu: 1, operations: 0 },
  destroy: { words: ["destroy", "--yes", "--skip-preview"], cu: 1, operations: 0 },
} as const satisfies Record<string, StepPlan>;

export type StepName = keyof typeof stepPlans;

export const stepNames = Object.keys(stepPlans) as readonly StepName[];

/** What is measured together: one contender, so many computes, one parallelism. */
export interface Cell {
  readonly contender: Contender;
  readonly count: number;
  readonly parallel: number | undefined;
}

export interface StepFigures {
  readonly wallMs: number;
  readonly requests: Tally;
  /** Most memory of the provider process; undefined where it was not seen. */
  readonly providerBytes: number | undefined;
}

export interface Life extends Cell {
  /** Load of the machine when it began, over a minute: what else ran there. */
  readonly load: number;
  /** Of the stack after the creates or the size changes, whichever is more. */
  readonly stateBytes: number;
  readonly steps: Readonly<Record<StepName, StepFigures>>;
}

export async function liveThrough(cell: Cell, options: BenchOptions): Promise<Life> {
  const stack = await createBenchStack(cell.contender, switchesOf(options));
  const [load = 0] = loadavg();
  const steps: Partial<Record<StepName, StepFigures>> = {};
  let stateBytes = 0;
  try {
    for (const name of stepNames) {
      steps[name] = await runStep(stack, { ...cell, ...options }, stepPlans[name]);
      if (name === "create" || name === "resize") stateBytes = Math.max(stateBytes, stack.stateBytes());
    }
  } finally {
    await stack.close();
  }
  return { ...cell, load, stateBytes, steps: steps as Record<StepName, StepFigures> };
}

type Setting = Pick<BenchOptions, "requestsPerMinute">;

async function runStep(stack: BenchStack, cell: Cell & Setting, plan: StepPlan): Promise<StepFigures> {
  stack.declare({ count: cell.count, cu: plan.cu });
  stack.requests.take();
  const memory = watchProviderMemory(stack.folder);
  const parallel = cell.parallel === undefined ? [] : ["--parallel", String(cell.parallel)];
  try {
    const rate =
      cell.requestsPerMinute === undefined ? {} : { COMPUTE_REQUESTS_PER_MINUTE: cell.requestsPerMinute };
    const wallMs = await stack.pulumi([...plan.words, ...parallel], rate);
    return { wallMs, requests: stack.requests.take(), providerBytes: memory() };
  } finally {
    memory();
  }
}
