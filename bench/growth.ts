/**
 * How a stack's time, requests, state and memory grow with the number of computes: one life of a stack for each
 * contender, from the first create to the destroy. Contenders take turns within each step, so that other load on the
 * machine affects all of them alike: compare the figures of one line.
 */
import type { Tally } from "./meter";
import { switchesOf, type BenchOptions } from "./options";
import { createBenchStack, stepNames, steps, type BenchStack, type Contender, type StepName } from "./stack";

/** What one step of one contender took. */
export interface Row {
  readonly contender: Contender;
  readonly count: number;
  readonly step: StepName;
  readonly wallMs: number;
  readonly requests: Tally;
  /** Size of the file with the stack's state, after the step. */
  readonly stateBytes: number;
}

/** @param tell - called with each row as soon as it is measured. */
export async function measureGrowth(options: BenchOptions, tell: (row: Row) => void): Promise<void> {
  for (const count of options.counts) {
    const stacks: (readonly [Contender, BenchStack])[] = [];
    try {
      for (const contender of options.contenders)
        stacks.push([contender, await createBenchStack(contender, switchesOf(options))]);
      for (const step of options.steps)
        for (const [contender, stack] of stacks)
          tell({ contender, count, step, ...(await runStep(stack, { count, step }, options)) });
    } finally {
      for (const [, stack] of stacks) await stack.close();
    }
  }
}

async function runStep(
  stack: BenchStack,
  { count, step }: Pick<Row, "count" | "step">,
  { parallel, requestsPerMinute }: BenchOptions,
): Promise<Omit<Row, "contender" | "count" | "step">> {
  const { words, cu } = steps[step];
  stack.declare({ count, cu });
  stack.requests.take();
  const rate = requestsPerMinute === undefined ? {} : { COMPUTE_REQUESTS_PER_MINUTE: requestsPerMinute };
  const wallMs = await stack.pulumi([...words, "--parallel", String(parallel)], rate);
  return { wallMs, requests: stack.requests.take(), stateBytes: stack.stateBytes() };
}

/**
 * A Markdown table with a line for each step: each contender's seconds, its requests for each compute and its refusals.
 */
export function tableOf(rows: readonly Row[]): string {
  const contenders = [...new Set(rows.map(({ contender }) => contender))];
  const head = ["N", "step", ...contenders.map((name) => `${name}: s`), "requests each", "state KB each"];
  const lines = stepNames.flatMap((step) =>
    [...new Set(rows.map(({ count }) => count))].flatMap((count) => {
      const own = rows.filter((row) => row.step === step && row.count === count);
      if (own.length === 0) return [];
      const each = (cell: (row: Row) => string): string => own.map(cell).join(" / ");
      const cells = [
        String(count),
        step,
        ...contenders.map((name) => secondsOf(own.find(({ contender }) => contender === name))),
        each(({ requests: { total, limited, locked } }) => {
          const refused = [limited > 0 ? ` ${limited} × 429` : "", locked > 0 ? ` ${locked} × 423` : ""];
          return `${(total / count).toFixed(2)}${refused.join("")}`;
        }),
        each(({ stateBytes }) => (stateBytes / count / 1000).toFixed(1)),
      ];
      return [cells];
    }),
  );
  return aligned([head, ...lines]);
}

function secondsOf(row: Row | undefined): string {
  return row === undefined ? "" : (row.wallMs / 1000).toFixed(1);
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => (cells[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}
