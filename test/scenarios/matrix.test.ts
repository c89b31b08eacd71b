/**
 * Every fault at every step. Each cell runs twice: with a fault that passes after one request, and with one that stays
 * until the run gives up. `npm run test:long -- matrix` prints every cell. `npm test` runs every thirteenth cell, which covers
 * each fault and each step with each variant.
 *
 * Both variants send the same requests, by the same code (`provider/host/`). So the plugin (`native`) runs each cell
 * only once: with the fault that stays, and with the step's first `Way` that the fault strikes. That run tests the plugin's
 * own code, which passes the failure on and stores the state for the next run.
 */
import { isExplained } from "../support/miniEngineSteps";
import { ofThisPart } from "../support/extent";
import { variants, type Variant } from "../support/variants";
import { report, untruths, type Seen } from "./check";
import { faults, type Fault } from "./matrixFaults";
import { columns, type Column, type Way } from "./matrixRows";
import type { Step } from "./row";
import { runStep } from "./scenarios";
import { openWorld, type World } from "./world";

/** Limits in seconds of the fake clock: for a step, for a read, for the last answer, and for a run that is throttled. */
const mostSeconds = { ofTheStep: 60, ofARead: 120, lastAnswer: 5, whileThrottled: 1_200 };
/** Steps that are a read or begin with one. */
const reading: readonly string[] = ["read", "read before a change"];
/** A fault that stays: more requests than any step sends. */
const always = 100_000;

/** Every thirteenth cell of each row and column. The other variant's cells are shifted, so the two variants run different cells. */
function isInEveryRun(variant: Variant, fault: Fault, column: Column): boolean {
  return (faults.indexOf(fault) + 2 * columns.indexOf(column) + variants.indexOf(variant)) % 13 === 0;
}

describe.each(variants)("with the %s variant", (variant) => {
  const own = columns.filter((column) => column.variant === undefined || column.variant === variant);
  describe.each(faults)("where $name", (fault) => {
    const meeting = own.filter(({ meets }) => meets(fault));
    for (const column of ofThisPart(meeting, (each) => isInEveryRun(variant, fault, each)))
      it(`${column.name}: the run succeeds or says what to do, and the next run leaves nothing to repair`, async () => {
        let struck = 0;
        const lengths = column.isLasting === true || variant === "native" ? [always] : [1, always];
        for (const way of column.ways) {
          if (variant === "native" && struck > 0) break;
          for (const times of lengths)
            if (await inWorld({ variant, fault, column, way, times }, runCell)) struck += 1;
        }
        expect(struck).toBeGreaterThan(0);
      });
  });
});

interface Cell {
  readonly variant: Variant;
  readonly fault: Fault;
  readonly column: Column;
  readonly way: Way;
  readonly times: number;
}

async function inWorld<T>(cell: Cell, act: (world: World, cell: Cell) => Promise<T>): Promise<T> {
  const { variant, column } = cell;
  const engine = { readsFirst: column.variant === "native" };
  const world = await openWorld({ variant, switches: column.service, engine, hasLine: true });
  try {
    return await act(world, cell);
  } finally {
    await world.close();
  }
}

/**
 * The deadline of an answer that several calls share is in real time, and hardly any real time passes while the fake clock
 * advances. So each list of a throttled service can take minutes of the fake clock, and an update that interrupts the compute
 * lists again.
 */
function limitOf(column: Column, { name }: Fault): number {
  if (/^the answer is 429( with Retry-After)?$/.test(name)) return mostSeconds.whileThrottled;
  const readSeconds = reading.includes(column.name) ? mostSeconds.ofARead : 0;
  return readSeconds + mostSeconds.ofTheStep + mostSeconds.lastAnswer;
}

/** For a fault that meets one request: checks how often the write was sent, and whether it succeeded. @returns what is wrong. */
function writesOf(
  { requests, result }: Seen,
  { kind, write = "done" }: Fault,
  { column, way }: Pick<Cell, "column" | "way">,
): readonly string[] {
  if (!column.countsWrites || kind === "line") return [];
  const isAgain = write === "again" && !(way.neverAgain === true && kind === "answer");
  const sent = requests.filter(({ method }) => method === way.target.method).length;
  const isWell = result.failures.length === 0;
  return [
    ...(sent === (isAgain ? 2 : 1) ? [] : [`${sent} ${way.target.method ?? ""} were sent`]),
    ...(isWell === (isAgain || write === "done") ? [] : [isWell ? "it ended well" : "it failed"]),
  ];
}

/** @returns whether the fault struck: not every way of a step sends the request that the fault is meant for. */
async function runCell(world: World, { fault, column, way, times }: Cell): Promise<boolean> {
  const { emulator, line, heal, idOf } = world;
  const run = async (step: Step): Promise<Seen> => {
    const { seen, wrong } = await runStep(world, {}, step);
    if (wrong.length > 0) throw new Error(report(world, seen, wrong));
    return seen;
  };
  for (const step of way.before ?? []) await run(step);
  const operations = emulator.operations(idOf("project")).length;
  const strike = (): void => {
    fault.strike({ emulator, line: line! }, { ...way.target, times });
    for (const event of way.meanwhile ?? []) event(world);
  };
  const expect = { mayFail: true as const, within: limitOf(column, fault) };
  const seen = await run({ strike, do: way.do, expect });
  const isStruck =
    fault.kind === "operation"
      ? emulator.operations(idOf("project")).length > operations
      : line!.met() > 0 || seen.requests.some((request) => request.fault !== undefined);
  const isWell = seen.result.failures.length === 0;
  if (times === 1) expectTrue(seen, writesOf(seen, fault, { column, way }));
  // Whatever went wrong, there is at most one compute and at most one restart.
  const left = (): number => emulator.endpoints(idOf("project")).length - world.others.size;
  expectTrue(seen, left() > 1 ? [`${left()} computes`] : []);
  expectTrue(seen, seen.restarts > 1 ? [`${seen.restarts} restarts`] : []);
  // A refresh is allowed to believe an old answer.
  expectTrue(seen, isWell && fault.kind !== "stale" ? untruths(world) : []);
  if (column.isLasting) expectTrue(seen, isExplained(seen.result.failures[0]) ? [] : ["it did not fail"]);

  heal();
  const healed = await run({ do: way.do });
  expectTrue(healed, [
    ...untruths(world),
    ...(left() === (way.isGone ? 0 : 1) ? [] : [`${left()} computes`]),
  ]);
  // After that repair, the same command changes nothing.
  await run({ do: way.do, expect: { sent: [] } });
  return isStruck;

  function expectTrue(of: Seen, wrong: readonly string[]): void {
    if (wrong.length > 0) throw new Error(report(world, of, wrong));
  }
}
