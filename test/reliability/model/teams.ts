/**
 * Random lives of two teams that share a project: with their own machines, journals and backends or with one of them,
 * with people who act between two requests, and with a network that loses, delays and repeats. What is promised of any
 * of them: nobody touches what another holds, nothing is doubled or left without a word, and previews tell the truth.
 */
import * as fc from "fast-check";
import { deleteByHand } from "../../support/byHand";
import type { RunOptions, Stored } from "../../support/miniEngine";
import { nameIn } from "../../support/miniEngineSteps";
import { urnOf } from "../../support/variants";
import { countIngredients, type Ingredient, type Met } from "./ingredients";
import { expectCalm } from "./programCalm";
import type { Name, Parts } from "./programCommands";
import { runTogether, type What } from "./programInvariants";
import { possible } from "./programWorld";
import { teamLives, type Deed, type TeamCommand, type TeamLife } from "./teamCommands";
import {
  beforeRun,
  expectAsPreviewed,
  expectDestroyed,
  expectOwnStates,
  expectOwnWrites,
  expectSettingsKept,
  interruptionsOf,
  noteMakers,
  settingByHand,
  watchSettings,
} from "./teamInvariants";
import { countClocks, openTeams, type Process, type Teams } from "./teamWorld";

export interface TeamsLived {
  readonly lives: number;
  readonly commands: number;
  readonly met: Met;
}

/** @throws with the line that replays the failing life. */
export async function runTeamLives({
  count,
  seed: given,
}: {
  readonly count: number;
  readonly seed: number;
}): Promise<TeamsLived> {
  const { MODEL_SEED: replayed, MODEL_PATH: path } = process.env;
  const seed = replayed === undefined ? given : Number(replayed);
  const met = countIngredients();
  let [lives, commands] = [0, 0];
  const result = await fc.check(
    fc.asyncProperty(teamLives, async (life) => {
      lives += 1;
      commands += life.commands.length;
      await live(life, met);
    }),
    {
      seed,
      numRuns: count,
      endOnFailure: process.env["MODEL_QUICK"] !== undefined,
      ...(path === undefined ? {} : { path }),
    },
  );
  if (!result.failed) return { lives, commands, met };
  const replay = `MODEL_SEED=${result.seed} MODEL_PATH=${result.counterexamplePath ?? ""} npx jest test/reliability/model/teams.test`;
  throw new Error(`${fc.defaultReportMessage(result) ?? ""}\n\nReplay with:\n${replay}`, {
    cause: result.errorInstance,
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
        if (process.env["MODEL_TRACE"] !== undefined) trace(world, command);
      });
      world.clock.advance(5_000);
      world.network.note();
    }
    world.network.begin();
    removeFromTheWay(world);
    await expectCalm(world);
    noteMakers(world);
    expectSettingsKept(world);
  } finally {
    await world.close();
  }
}

function trace(world: Teams, command: TeamCommand): void {
  const states = world.sides.map(({ engine }) => engine.state().map((one) => `${nameIn(one)}=${one.id}`));
  process.stderr.write(
    `${JSON.stringify(command)}\n  ${JSON.stringify(states)} service ${world.computes().join(" ")}\n  ${world.said.slice(-4).join("\n  ")}\n`,
  );
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

function teamOf({ sides }: Teams, team: 0 | 1): readonly Process[] {
  return sides.filter((side) => side.team === team);
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
    declare(team, command.parts);
  for (const one of command.disturbances) {
    if (one.kind === "trouble") network.spoil(one.trouble);
    else
      network.between(one.after, () => {
        act(world, one.deed, one.which);
      });
  }
  countClocks(world, life, command.team);
  const isQuiet = command.disturbances.length === 0 && network.isQuiet() && !network.isLate();
  if (command.run === "up after a preview" && isQuiet) return upAsPreviewed(world, team);
  const isKilled = command.run === "killed up";
  network.begin(isKilled ? command.diesAfter : undefined);
  const kind = command.run === "refresh" || command.run === "destroy" ? command.run : "up";
  const results = await held(world, team, { kind, options: { isKilled, endsProcess: command.endsProcess } });
  if (kind === "destroy" && results.every(({ failures }) => failures.length === 0))
    for (const side of team) side.parts = {};
}

/** Runs a command of a team, and holds it to what is promised. */
async function held(
  world: Teams,
  team: readonly Process[],
  what: What,
  adopted: readonly string[] = [],
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

/** Each process has the resources of two names. */
function declare(team: readonly Process[], declared: Parts): void {
  const entries = Object.entries(possible(declared));
  for (const [index, side] of team.entries()) {
    const own = entries.filter(
      ([name]) => team.length === 1 || ["ada", "bob"].includes(name) === (index === 0),
    );
    side.parts = Object.fromEntries(own);
  }
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

const deedCounts: Readonly<Record<Deed, Ingredient>> = {
  create: "console created between two requests",
  "create a primary": "console created between two requests",
  delete: "console deleted between two requests",
  resize: "console resized between two requests",
  "set a setting": "console set a setting between two requests",
  restart: "console restarted between two requests",
  suspend: "suspended between two requests",
  "check availability": "availability checked between two requests",
};

/** What somebody else does, between two requests of a run. */
function act(world: Teams, deed: Deed, which: number): void {
  const { emulator, projectId, sharedBranchId, strangers, met } = world;
  if (deed === "check availability") emulator.checkAvailability(projectId);
  else if (deed === "create" || deed === "create a primary") {
    const branches = [sharedBranchId, ...world.sides.flatMap(({ branchIds }) => branchIds)];
    const size = [0.25, 1, 4][which % 3]!;
    const type = deed === "create" ? "read_only" : "read_write";
    const wanted = {
      branch_id: nth(type === "read_write" ? branches.slice(1) : branches, which)!,
      type,
      autoscaling_limit_min_cu: size,
      autoscaling_limit_max_cu: size,
    };
    try {
      strangers.add(emulator.createEndpoint(projectId, wanted).endpoint.id);
    } catch {
      // That branch has its primary.
      return;
    }
  } else if (!changeByHand(world, deed, nth(world.computes(), which))) return;
  met.count(deedCounts[deed]);
  world.network.note();
}

/** @returns whether there was something to change. */
function changeByHand(
  { emulator, drifted, deletedByHand, unheldSince, strangers, settingsByHand }: Teams,
  deed: "delete" | "resize" | "set a setting" | "restart" | "suspend",
  id: string | undefined,
): boolean {
  if (id === undefined) return false;
  const { endpoint } = emulator.endpoint(id);
  if (deed === "restart" || deed === "suspend") {
    if (endpoint.current_state !== "active") return false;
    if (deed === "restart") emulator.restartEndpoint(id);
    else emulator.suspendEndpoint(id);
    return true;
  }
  drifted.add(id);
  if (deed === "resize")
    emulator.updateEndpoint(id, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
  else if (deed === "set a setting") {
    const { pg_settings: settings = {}, ...rest } = endpoint.settings as { pg_settings?: object };
    emulator.updateEndpoint(id, {
      settings: { ...rest, pg_settings: { ...settings, [settingByHand.name]: settingByHand.value } },
    });
    settingsByHand.add(id);
  } else {
    emulator.deleteEndpoint(id);
    deletedByHand.add(id);
    unheldSince.delete(id);
    strangers.delete(id);
  }
  return true;
}

function nth<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(list.length, 1)];
}

/** `pulumi stack rename`: the states have new URNs, and what this package wrote into them the old ones. */
function renameStack(world: Teams, team: 0 | 1): void {
  for (const side of teamOf(world, team)) {
    const [, , was = "dev"] = side.engine.state()[0]?.urn.split(/::|:/) ?? [];
    const name = was.endsWith("-renamed") ? was : `${was}-renamed`;
    const old = side.engine;
    side.engine = side.openAs(name);
    side.engine.restore(old.state().map((one) => ({ ...one, urn: urnOf(side.variant, nameIn(one), name) })));
    if (old.state().length > 0) world.met.count("stack renamed");
    // What a killed run made is written down under the name that the stack had then.
    for (const [id, key] of world.makers)
      if (key === side.key && world.holders(id).length === 0) world.forgotten.add(id);
  }
}

/** `pulumi state rename`, and the program with it. */
function renameInState(
  world: Teams,
  { team, which, to }: Extract<TeamCommand, { kind: "rename in the state" }>,
): void {
  const sides = teamOf(world, team);
  const side = nth(sides, which)!;
  const stored = nth(side.engine.state(), which);
  if (
    stored === undefined ||
    sides.some(({ parts, engine }) => to in parts || engine.stored(to) !== undefined)
  )
    return;
  const name = nameIn(stored) as Name;
  const { [name]: part, ...rest } = side.parts;
  if (part === undefined) return;
  side.parts = { ...rest, [to]: part };
  side.engine.restore(replaced(side.engine.state(), stored, `${stored.urn.slice(0, -name.length)}${to}`));
  world.met.count("resource renamed in the state");
}

function replaced(state: readonly Stored[], stored: Stored, urn: string): readonly Stored[] {
  return state.map((one) => (one === stored ? { ...one, urn } : one));
}

/** `pulumi state move`, and the program with it. */
function move(world: Teams, { team, which }: Extract<TeamCommand, { kind: "move" }>): void {
  const from = nth(teamOf(world, team), which)!;
  const to = teamOf(world, team === 0 ? 1 : 0).find(({ variant }) => variant === from.variant);
  const stored = nth(from.engine.state(), which);
  if (to === undefined || stored === undefined || stored.isToBeDeleted) return;
  const name = nameIn(stored) as Name;
  const { [name]: part, ...rest } = from.parts;
  if (
    part === undefined ||
    part.isPrimary ||
    !part.isShared ||
    to.engine.state().some((one) => nameIn(one) === name)
  )
    return;
  if (name in to.parts) return;
  from.parts = rest;
  to.parts = { ...to.parts, [name]: part };
  const [stack = ""] = to.engine.state().map(({ urn }) => urn.split("::")[0]);
  const urn = stack === "" ? stored.urn : [stack, ...stored.urn.split("::").slice(1)].join("::");
  from.engine.restore(from.engine.state().filter((one) => one !== stored));
  to.engine.restore([...to.engine.state(), { ...stored, urn }]);
  if (world.makers.has(stored.id)) world.makers.set(stored.id, to.key);
  world.met.count("resource moved to the other stack");
}

/** The program moves a resource from one of its providers to the other, as docs/ownership.md says: with `adopt`. */
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
  to.parts = { ...to.parts, [free]: part };
  const lines: What["lines"] = (side) => (side === to ? { adopt: { [free]: stored.id } } : {});
  world.network.begin();
  const results = await held(world, [from, to], { kind: "up", lines }, [stored.id]);
  if (to.engine.stored(free)?.id === stored.id) {
    world.makers.set(stored.id, to.key);
    world.met.count("handed over from one process to the other");
  } else if (results.some(({ failures }) => failures.length > 0)) [from.parts, to.parts] = before;
}
