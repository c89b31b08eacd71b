/**
 * Random lives of two teams that share a project: with their own machines and backends or with one of them,
 * with people who act between two requests, and with a network that loses, delays and repeats. What is promised of any
 * of them: nobody touches what another holds, nothing is doubled or left without a word, and previews tell the truth.
 */
import { messageOf } from "../../../provider/model/errors";
import { deleteByHand } from "../../support/byHand";
import type { RunOptions } from "../../support/miniEngine";
import { nameIn } from "../../support/miniEngineSteps";
import { act } from "./deeds";
import type { Met } from "./ingredients";
import { checkLives, trace, type Lived } from "./lives";
import { adviceIn, expectCalm, forgetCreates } from "./programCalm";
import type { Name, Parts } from "./programCommands";
import { runTogether, type What } from "./programInvariants";
import { nth, possible, type Lines, type Side } from "./programWorld";
import { move, renameInState, renameStack } from "./stateMoves";
import { lifeWithMove, teamLives, type Disturbance, type TeamCommand, type TeamLife } from "./teamCommands";
import {
  beforeRun,
  expectAsPreviewed,
  expectDestroyed,
  expectOwnStates,
  expectOwnWrites,
  expectSettingsKept,
  interruptionsOf,
  noteMakers,
  watchSettings,
} from "./teamInvariants";
import { countClocks, mayName, openTeams, teamOf, type Process, type Teams } from "./teamWorld";

/** @throws with the line that replays the failing life. */
export function runTeamLives({
  count,
  seed,
  met,
}: {
  readonly count: number;
  readonly seed: number;
  readonly met: Met;
}): Promise<Lived> {
  return checkLives({
    of: teamLives,
    live: (life) => live(life, met),
    count,
    seed,
    first: [lifeWithMove],
    command: "npx jest test/reliability/model/teams.test",
  });
}

async function live(life: TeamLife, met: Met): Promise<void> {
  const world = await openTeams(life, met);
  try {
    watchSettings(world);
    world.network.onLateDelete = ({ targetId }) => {
      world.deletedByHand.add(targetId!);
      world.drifted.add(targetId!);
    };
    for (const command of life.commands) {
      await carryOut(world, life, command).finally(() => {
        trace(world, command);
      });
      world.clock.advance(5_000);
      world.network.note();
    }
    world.network.begin();
    removeFromTheWay(world);
    await makeWay(world);
    await expectCalm(world);
    noteMakers(world);
    expectSettingsKept(world);
  } finally {
    await world.close();
  }
}

/** Another team that has a primary on this one's branch is asked to remove it; with it, no `up` could end well. */
function removeFromTheWay(world: Teams): void {
  world.heal();
  for (const id of world.strangers) {
    if (!world.computes().includes(id) || world.emulator.endpoint(id).endpoint.type !== "read_write")
      continue;
    deleteByHand(world, id);
    world.strangers.delete(id);
  }
  world.clock.advance(10 * 60_000);
}

/** Of two processes of one stack, the one may wait for a branch that the other leaves: the run after the next has it. */
async function makeWay(world: Teams): Promise<void> {
  const team = teamOf(world, 0);
  if (team.length < 2) return;
  await runTogether(world, team, { kind: "refresh" });
  const up = async (lines: What["lines"] = {}): Promise<boolean> => {
    const results = await runTogether(world, team, {
      kind: "up",
      lines,
      options: { meetOthers: meeting(team.length) },
    });
    for (const [index, side] of team.entries())
      if (Object.keys(adviceIn(world, side)).length === 0)
        forgetCreates(side, results[index]!.failures.map(messageOf));
    return results.every(({ failures }) => failures.length === 0);
  };
  if (await up()) return;
  const declared = team.map(({ parts }) => parts);
  for (const side of team)
    side.parts = Object.fromEntries(Object.entries(side.parts).filter(([, part]) => !part.isPrimary));
  // While one of them fails, the engine deletes nothing: each does first what its failures say.
  for (let tries = 0; tries < 3; tries++) {
    const told = new Map<Side, NonNullable<Lines["adopt"]>>();
    for (const side of team) told.set(side, adviceIn(world, side, [...told.values()].flatMap(Object.values)));
    if (await up((side) => ({ adopt: told.get(side) ?? {} }))) break;
  }
  for (const [index, side] of team.entries()) side.parts = declared[index]!;
}

async function carryOut(world: Teams, life: TeamLife, command: TeamCommand): Promise<void> {
  const { network, emulator, met, clock } = world;
  switch (command.kind) {
    case "run":
      return runTeam(world, life, command);
    case "show":
      network.show(command);
      return;
    case "operation":
      emulator.setTimeline({
        times: 1,
        ...(command.becomes === "vanished" ? { vanished: true } : { endStatus: "parked" }),
      });
      met.count(
        command.becomes === "vanished" ? "an operation that vanished" : "an operation in an unknown status",
      );
      return;
    case "rename the stack":
      renameStack(world, command.team);
      return;
    case "rename in the state":
      renameInState(world, command);
      return;
    case "move":
      move(world, command);
      return;
    case "hand over":
      return handOver(world, command.which);
    case "wait":
      clock.advance(command.minutes * 60_000);
  }
}

type Run = Extract<TeamCommand, { kind: "run" }>;

async function runTeam(world: Teams, life: TeamLife, command: Run): Promise<void> {
  const { network } = world;
  const team = teamOf(world, command.team);
  if (command.parts !== undefined && command.run !== "destroy" && command.run !== "refresh")
    declare(world, team, command.parts);
  // Between a preview and its update, nothing happens.
  if (command.run === "up after a preview") network.heal();
  else disturb(world, command.disturbances);
  countClocks(world, life, command.team);
  if (command.run === "up after a preview") return upAsPreviewed(world, team);
  const isKilled = command.run === "killed up";
  network.begin(isKilled ? command.diesAfter : undefined);
  const kind = command.run === "refresh" || command.run === "destroy" ? command.run : "up";
  const results = await held(world, team, { kind, options: { isKilled } });
  if (kind === "destroy" && results.every(({ failures }) => failures.length === 0))
    for (const side of team) side.parts = {};
}

function disturb(world: Teams, disturbances: readonly Disturbance[]): void {
  const { network } = world;
  for (const one of disturbances) {
    if (one.kind === "trouble") network.spoil(one.trouble);
    else
      network.between(one.after, () => {
        act(world, one.deed, one.which);
      });
  }
}

/** Runs a command of a team, and holds it to what is promised. */
async function held(
  world: Teams,
  team: readonly Process[],
  { adopted = [], ...what }: What & { readonly adopted?: readonly string[] },
): Promise<Awaited<ReturnType<typeof runTogether>>> {
  const before = beforeRun(world);
  const options: RunOptions = { ...what.options, meetOthers: meeting(team.length) };
  try {
    const results = await runTogether(world, team, { ...what, options });
    const isGood = results.every(({ failures }) => failures.length === 0);
    countProcesses(world, team, before.sent);
    noteMakers(world);
    expectOwnStates(world, before, adopted);
    expectOwnWrites(world, before, adopted);
    expectSettingsKept(world);
    if (what.kind === "destroy" && isGood) expectDestroyed(world, before, team);
    return results;
  } finally {
    await world.network.end();
    noteMakers(world);
  }
}

/** For the provider processes of one run: none deletes before all have made what they make. */
function meeting(count: number): (isGood: boolean) => Promise<boolean> {
  const arrived: boolean[] = [];
  let open: (isGood: boolean) => void = () => undefined;
  const all = new Promise<boolean>((resolve) => {
    open = resolve;
  });
  return (isGood) => {
    arrived.push(isGood);
    if (arrived.length === count) open(arrived.every((one) => one));
    return all;
  };
}

function countProcesses({ network, met }: Teams, team: readonly Process[], since: number): void {
  const writers = new Set(network.sent.slice(since).map(({ by }) => by));
  if (writers.size < 2) return;
  const isMixed = new Set(team.map(({ variant }) => variant)).size > 1;
  met.count(isMixed ? "dynamic and plugin at once" : "two explicit providers at once");
}

function declare(world: Teams, team: readonly Process[], declared: Parts): void {
  const entries = Object.entries(possible(declared));
  // Of two processes' resources that have one compute after a handover which failed half-way, a program declares one.
  const gaveUp = (side: Process, name: string): boolean =>
    world
      .holders(side.engine.stored(name)?.id ?? "")
      .some(({ side: other, stored }) => other !== side && nameIn(stored) in declared);
  for (const side of team)
    side.parts = Object.fromEntries(
      entries.filter(([name]) => mayName(team, side, name) && (name in side.parts || !gaveUp(side, name))),
    );
}

async function upAsPreviewed(world: Teams, team: readonly Process[]): Promise<void> {
  world.network.begin();
  const previews = await held(world, team, { kind: "up", options: { isPreview: true } });
  const before = new Map(world.computes().map((id) => [id, interruptionsOf(world, id)]));
  world.network.begin();
  const ups = await held(world, team, { kind: "up" });
  for (const [index, side] of team.entries())
    expectAsPreviewed(world, [previews[index]!, ups[index]!], { side, before });
}

/** The program moves a resource from one of its providers to the other, as docs/ownership.md says: `state delete`, then `adopt`. */
async function handOver(world: Teams, which: number): Promise<void> {
  const [from, to] = teamOf(world, 0);
  const stored = from === undefined ? undefined : nth(from.engine.state(), which);
  if (from === undefined || to === undefined || stored === undefined || stored.isToBeDeleted) return;
  const name = nameIn(stored) as Name;
  const { [name]: part, ...rest } = from.parts;
  const free = (["cyd", "dee"] as const).find(
    (one) => !(one in to.parts) && to.engine.stored(one) === undefined,
  );
  if (part === undefined || free === undefined || !world.computes().includes(stored.id)) return;
  const before = [from.parts, to.parts] as const;
  from.parts = rest;
  from.engine.restore(from.engine.state().filter((one) => one !== stored));
  to.parts = { ...to.parts, [free]: part };
  const lines: What["lines"] = (side) => (side === to ? { adopt: { [free]: stored.id } } : {});
  world.network.begin();
  const results = await held(world, [from, to], { kind: "up", lines, adopted: [stored.id] });
  if (to.engine.stored(free)?.id === stored.id) {
    world.makers.set(stored.id, to.key);
    world.met.count("handed over from one process to the other");
  } else if (results.some(({ failures }) => failures.length > 0)) {
    [from.parts, to.parts] = before;
    from.engine.restore([...from.engine.state(), stored]);
  }
}
