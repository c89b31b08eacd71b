/**
 * Random lives of two stacks of one project, with programs of several resources. What is promised of any of them: a
 * compute is held by one resource, deleted by that one alone, and none runs on unsaid.
 */
import { deleteByHand } from "../../support/byHand";
import type { RunOptions, RunResult } from "../../support/miniEngine";
import { nameIn } from "../../support/miniEngineSteps";
import { runOn } from "./programInvariants";
import { adviceIn, expectCalm, isHeldTwice, without } from "./programCalm";
import {
  programLives,
  type ByHand,
  type HowToUp,
  type Name,
  type ProgramCommand,
  type ProgramLife,
} from "./programCommands";
import { checkLives, trace, type Lived } from "./lives";
import {
  nth,
  openTwoStacks,
  possible,
  type Lines,
  type Side,
  type TwoStacks,
  type World,
} from "./programWorld";

export interface Runs extends Omit<TwoStacks, "isOneName"> {
  readonly count: number;
  readonly seed: number;
}

/** @throws with the line that replays the failing life. */
export function runProgramLives({ count, seed, ...where }: Runs): Promise<Lived> {
  return checkLives({
    of: programLives,
    live: (life) => live(where, life),
    count,
    seed,
    command: `TEST_VARIANT=${where.variant} npx jest test/reliability/model/programs.test -t "on ${where.service}"`,
  });
}

async function live(
  where: Omit<TwoStacks, "isOneName">,
  { isOneName, commands }: ProgramLife,
): Promise<void> {
  const world = await openTwoStacks({ ...where, isOneName });
  try {
    for (const command of commands) {
      await carryOut(world, command);
      trace(world, command);
      // Time goes by between two commands: nobody takes what came minutes later for their own.
      world.clock.advance(5_000);
    }
    await expectCalm(world);
  } finally {
    await world.close();
  }
}

async function carryOut(world: World, command: ProgramCommand): Promise<void> {
  const { emulator, clock } = world;
  switch (command.kind) {
    case "run": {
      const side = sideOf(world, command.stack);
      if (command.parts !== undefined) side.parts = possible(command.parts);
      await up(world, side, command.how);
      return;
    }
    case "rename":
      return rename(world, command);
    case "follow advice":
      return followAdvice(world, command);
    case "copy a line":
      return copyLine(world, command);
    case "refresh":
      await runOn(world, sideOf(world, command.stack), { kind: "refresh" });
      return;
    case "destroy": {
      const side = sideOf(world, command.stack);
      const targets = command.isTargeted
        ? [nth(side.engine.state(), command.which)].flatMap((one) => (one === undefined ? [] : nameIn(one)))
        : undefined;
      const { failures } = await runOn(world, side, {
        kind: "destroy",
        options: targets === undefined ? {} : { targets },
      });
      if (targets === undefined && failures.length === 0) side.parts = {};
      return;
    }
    case "see a stranger": {
      clock.advance(20 * 60_000);
      const { endpoint } = emulator.createEndpoint(world.projectId, {
        branch_id: command.stack === 0 ? world.sharedBranchId : sideOf(world, 0).branchIds[0],
        type: "read_only",
      });
      world.strangers.add(endpoint.id);
      clock.advance(5_000);
      return;
    }
    case "change by hand": {
      const id = nth(world.computes(), command.which);
      if (id === undefined) return;
      changeByHand(world, id, command.what);
      if (command.what === "delete") world.unheldSince.delete(id);
      if (command.what !== "suspend" && command.what !== "restart") world.drifted.add(id);
      clock.advance(5_000);
      return;
    }
    case "fault":
      emulator.addFault({
        ...command.effect,
        method: command.method,
        after: command.after,
        times: command.times,
      });
      return;
    case "timeline":
      emulator.setTimeline(command.rule);
  }
}

function changeByHand(world: World, id: string, what: ByHand): void {
  const { emulator } = world;
  if (what === "delete") deleteByHand(world, id);
  if (what === "resize")
    emulator.updateEndpoint(id, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
  if (what === "disable") emulator.updateEndpoint(id, { disabled: true });
  if (what === "suspend") emulator.suspendEndpoint(id);
  if (what === "restart") emulator.restartEndpoint(id);
}

function sideOf({ sides }: World, stack: number): Side {
  return sides[stack]!;
}

async function rename(
  world: World,
  { how, to, hasAlias, stack }: Extract<ProgramCommand, { kind: "rename" }>,
): Promise<void> {
  const side = sideOf(world, stack);
  const from = nth(Object.keys(side.parts) as Name[], how.which);
  if (from === undefined || side.parts[to] !== undefined) return;
  const renamed = Object.entries(side.parts).map(
    ([name, part]) => [name === from ? to : name, part] as const,
  );
  side.parts = Object.fromEntries(renamed);
  await up(world, side, { ...how, lines: hasAlias ? { aliases: { [to]: [from] } } : {} });
}

/** As the refusal of a create says: the line `adopt: "ep-…"`, unless the compute is a stranger's. */
async function followAdvice(
  world: World,
  { how, stack }: Extract<ProgramCommand, { kind: "follow advice" }>,
): Promise<void> {
  const side = sideOf(world, stack);
  const adopt = adviceIn(world, side);
  if (Object.keys(adopt).length > 0) await up(world, side, { ...how, lines: { adopt } });
}

async function copyLine(
  world: World,
  { how, to, stack }: Extract<ProgramCommand, { kind: "copy a line" }>,
): Promise<void> {
  const side = sideOf(world, stack);
  const from = nth(side.engine.state(), how.which);
  const name = from === undefined ? undefined : (nameIn(from) as Name);
  const part = name === undefined ? undefined : side.parts[name];
  if (from === undefined || part === undefined || name === to) return;
  const before = side.parts;
  side.parts = { ...side.parts, [to]: part };
  // With --target the engine asks nothing about the holder: docs/ownership.md says so.
  const whole = { ...how, isTargeted: false };
  const { failures } = await up(world, side, { ...whole, lines: { adopt: { [to]: from.id } } });
  // Whoever is refused takes the line out again.
  if (failures.some(isHeldTwice)) side.parts = without(side.parts, to);
  else if (side.engine.stored(to)?.id !== from.id) side.parts = before;
}

async function up(
  world: World,
  side: Side,
  { lines = {}, ...how }: HowToUp & { readonly lines?: Lines },
): Promise<RunResult> {
  if (how.refreshesFirst) await runOn(world, side, { kind: "refresh" });
  const one = nth(Object.keys(side.parts), how.which);
  const options: RunOptions = {
    isKilled: how.kind === "killed up",
    isPreview: how.kind === "preview",
    ...(how.isTargeted && one !== undefined ? { targets: [one] } : {}),
    ...(how.isReplaced && one !== undefined ? { replace: [one] } : {}),
  };
  return runOn(world, side, { kind: "up", options, lines });
}
