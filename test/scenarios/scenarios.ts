/**
 * Runs tables of rows: each row with both variants.
 */
import { messageOf } from "../../provider/model/errors";
import { ofThisPart } from "../support/extent";
import { variants } from "../support/variants";
import { differences, report, untruths, type Seen } from "./check";
import type { Expected, Row, Step } from "./row";
import { up } from "./commands";
import { openWorld, routes, type Route, type World } from "./world";

/**
 * Creates a test for each row and variant. If a row expects the same of both variants, only the host's calls differ.
 * `npm test` runs such a row with one variant, alternating from row to row, and `npm run test:full` with the other.
 */
export function scenarios(topic: string, rows: readonly Row[]): void {
  describe.each(variants)(`${topic}, with the %s variant`, (variant) => {
    const inTurn = (row: Row): boolean => variants[rows.indexOf(row) % variants.length] === variant;
    const own = ofThisPart(
      rows.filter((row) => row.variants?.includes(variant) ?? true),
      (row) => isOfOneVariant(row) || inTurn(row),
    );
    for (const row of own)
      it(titleOf(row), async () => {
        const { service, operationMs, engine } = row.given ?? {};
        const world = await openWorld({ variant, switches: service, operationMs, engine });
        try {
          await play(world, row);
        } finally {
          await world.close();
        }
      });
  });
}

/** Whether a row says something about one variant only. */
function isOfOneVariant({ variants: named, then = [], ...first }: Row): boolean {
  const steps: readonly Step[] = [first, ...then];
  return named !== undefined || steps.some(({ native, dynamic }) => (native ?? dynamic) !== undefined);
}

function titleOf({ promise, reason }: Row): string {
  return reason === undefined ? promise : `${promise}: ${reason}`;
}

async function play(world: World, row: Row): Promise<void> {
  const { given = {}, then = [] } = row;
  if (given.db !== undefined || given.more !== undefined) {
    const made = await runStep(world, row, { do: up() });
    if (made.wrong.length > 0)
      throw new Error(`What is given fails. ${report(world, made.seen, made.wrong)}`);
  }
  const steps = [row, ...then];
  for (const step of steps) {
    const { seen, wrong } = await runStep(world, row, step);
    const isLast = step === steps.at(-1);
    const isTrue = isLast && row.behind === undefined && isSettled(seen);
    const untrue = isTrue ? untruths(world, step.expect?.computes) : [];
    const all = [...wrong, ...untrue];
    if (all.length > 0) throw new Error(`Step ${steps.indexOf(step) + 1}: ${report(world, seen, all)}`);
  }
}

/** The state must match the service only after a run that succeeded. */
function isSettled({ result, command }: Seen): boolean {
  return result.failures.length === 0 && command.kind !== "preview" && command.isKilled !== true;
}

/** Runs one command. @returns what it did, and what is not as expected. */
export async function runStep(
  world: World,
  { given = {} }: Pick<Row, "given">,
  step: Step,
): Promise<{ readonly seen: Seen; readonly wrong: readonly string[] }> {
  const { engine, emulator, clock, variant } = world;
  for (const event of step.meanwhile ?? []) event(world);
  emulator.clearFaults();
  emulator.clearTimelines();
  emulator.clearRequests();
  spoil(world, step);
  step.strike?.();
  const [rows, shown, startMs] = [engine.rows.length, engine.shown.length, clock.monotonicMs()];
  const restartsBefore = restartsOf(world);
  const expected: Expected = { ...step.expect, ...step[variant] };
  const result = await step.do.run(world, given);
  await untilSaid(() => engine.rows.length - rows >= (expected.rows ?? expected.said ?? []).length);
  nameComputes(world);
  const seen: Seen = {
    command: step.do,
    result,
    requests: emulator.requests(),
    rows: engine.rows.slice(rows).map(world.named),
    shown: engine.shown.slice(shown).map(world.named),
    errors: result.failures.map((failure) => world.named(messageOf(failure))),
    seconds: (clock.monotonicMs() - startMs) / 1_000,
    restarts: restartsOf(world) - restartsBefore,
  };
  return { seen, wrong: differences(world, seen, expected) };
}

function spoil(world: World, { faults = {}, operations = [], during = {} }: Step): void {
  const { emulator } = world;
  for (const rule of operations) emulator.setTimeline(world.resolved(rule));
  for (const [on, all] of Object.entries(faults)) {
    for (const one of [all].flat()) {
      const { since, ...fault } = typeof one === "function" ? one(world) : one;
      const rule = on === "ANY" ? fault : { ...fault, route: routes[on as Route] };
      const act = (): void => {
        emulator.addFault(world.resolved(rule));
      };
      if (since === undefined) act();
      else world.before(since, act);
    }
  }
  for (const [route, what] of Object.entries(during)) {
    const [after, event] = typeof what === "function" ? [0, what] : what;
    const act = (): void => {
      event(world);
    };
    world.before(route as Route, act, after);
  }
}

function restartsOf({ engine, emulator }: World): number {
  const stored = engine.stored("db");
  return stored === undefined ? 0 : emulator.counters(stored.id).restarts;
}

/** Messages that do not belong to a step can arrive after the run's steps. */
async function untilSaid(isAll: () => boolean): Promise<void> {
  for (let turns = 0; !isAll() && turns < 1_000; turns++) await new Promise(setImmediate);
}

/** Names each compute after its resource. The name stays when the compute is gone, so the resource's second compute is `<db 2>`. */
function nameComputes(world: World): void {
  const { engine, emulator, ids } = world;
  const ofResources = engine.state().map(({ urn, id }) => [urn.split("::").at(-1) ?? "", id] as const);
  const all = emulator.endpoints(world.idOf("project")).map(({ endpoint }) => ["left", endpoint.id] as const);
  for (const [name, id] of [...ofResources, ...all]) {
    if ([...ids.values()].includes(id)) continue;
    let free: string = name;
    for (let count = 2; ids.has(free); count++) free = `${name} ${count}`;
    world.name(free, id);
  }
}
