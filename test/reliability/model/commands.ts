/** Carries out each command of a random life. */
import type { RunOptions, RunResult } from "../../support/miniEngine";
import { nameIn } from "../../support/miniEngineSteps";
import { urnOf } from "../../support/variants";
import { adviceFor } from "./calm";
import { disturb } from "./disturb";
import { expectAsPreviewed, interruptionsOf } from "./asPreviewed";
import { runTogether, type What } from "./invariants";
import { names, type Command, type Edit, type Name, type Part, type Parts, type Run } from "./life";
import type { Lines } from "./program";
import { mayName, nth, teamOf, type Side, type World } from "./world";

export async function carryOut(world: World, command: Command): Promise<void> {
  switch (command.kind) {
    case "up":
      return onMachine(world, command, () => up(world, command));
    case "refresh":
    case "destroy":
      return onMachine(world, command, () => refreshOrDestroy(world, command));
    case "show":
      world.network.showLate(command.lateMs);
      return;
    case "rename the stack":
      renameStack(world, command.team);
      return;
    case "give away":
      return giveAway(world, command);
    case "wait":
      world.clock.advance(command.minutes * 60_000);
  }
}

/** Runs a command on a machine whose clock may be off. */
async function onMachine(
  { clock, met }: World,
  { how: { clockOffHours } }: Run,
  act: () => Promise<void>,
): Promise<void> {
  clock.setWallClockOffBy(clockOffHours * 3_600_000);
  if (clockOffHours !== 0) met.count("a clock that is off");
  await act().finally(() => {
    clock.setWallClockOffBy(0);
  });
}

async function refreshOrDestroy(world: World, command: Run): Promise<void> {
  const { team, how, kind, disturbances } = command;
  const sides = teamOf(world, team);
  await disturb(world, disturbances);
  const stored = nth(
    sides.flatMap(({ engine }) => engine.state()),
    how.which,
  );
  const isTargeted = kind === "destroy" && how.isTargeted && stored !== undefined;
  const options = isTargeted ? { targets: [nameIn(stored)] } : {};
  const results = await runTogether(world, sides, { kind, options });
  if (kind === "destroy" && !isTargeted && results.every(isGood)) for (const side of sides) side.parts = {};
}

function isGood({ failures }: RunResult): boolean {
  return failures.length === 0;
}

async function up(world: World, command: Extract<Command, { kind: "up" }>): Promise<void> {
  const { team, how, disturbances } = command;
  const { network, met } = world;
  const sides = teamOf(world, team);
  // Between a preview and its update, nothing happens.
  if (how.ends === "as its preview said") {
    network.heal();
    world.emulator.clearTimelines();
  } else await disturb(world, disturbances);
  if (how.refreshesFirst) await runTogether(world, sides, { kind: "refresh" });
  const lines = linesOf(world, sides, command);
  const names = sides.flatMap(({ parts }) => Object.keys(parts));
  const one = nth(names, how.which);
  const isTargeted = how.isTargeted && one !== undefined;
  const isReplaced = how.isReplaced && one !== undefined;
  const options: RunOptions = {
    ...(isTargeted ? { targets: [one] } : {}),
    ...(isReplaced ? { replace: [one] } : {}),
    isPreview: how.ends === "in a preview",
    isKilled: how.ends === "killed between two requests" || how.ends === "killed at its end",
  };
  met.count(how.ends);
  for (const { ignores } of sides.flatMap(({ parts }) => Object.values(parts)))
    met.count(`ignores ${ignores}`);
  if (isTargeted) met.count("a target");
  if (isReplaced) met.count("a replacement");
  const hasAlias = sides.some((side) => Object.keys(lines(side).aliases ?? {}).length > 0);
  if (hasAlias && isTargeted) met.count("an alias and a target");
  if (hasAlias && isReplaced) met.count("an alias and a replacement");
  const diesAfter = how.ends === "killed between two requests" ? how.diesAfter : undefined;
  const what: What = { kind: "up", options, lines, diesAfter };
  if (how.ends === "as its preview said") await upAsPreviewed(world, sides, what);
  else await runTogether(world, sides, what);
}

async function upAsPreviewed(world: World, sides: readonly Side[], what: What): Promise<void> {
  const isPreview = true;
  const previews = await runTogether(world, sides, { ...what, options: { ...what.options, isPreview } });
  const before = new Map(world.computes().map((id) => [id, interruptionsOf(world, id)]));
  const ups = await runTogether(world, sides, what);
  for (const [index, side] of sides.entries())
    expectAsPreviewed(world, [previews[index]!, ups[index]!], { side, before });
}

/** The adopt lines that a program has for one run. */
type LinesOf = (side: Side) => Lines;

const none: LinesOf = () => ({});

/** Edits a program. @returns its adopt lines for this run. */
function linesOf(
  world: World,
  sides: readonly Side[],
  { edit, parts, how: { which } }: Extract<Command, { kind: "up" }>,
): LinesOf {
  const isEmpty = sides.every((side) => Object.keys(side.parts).length === 0);
  if (isEmpty || edit.kind === "another program") declare(world, sides, parts);
  switch (edit.kind) {
    case "none":
    case "another program":
      return none;
    case "follow advice":
      return followAdvice(world, sides);
    case "change":
      return change(sides, edit.part, which);
    case "rename":
      return rename(world, sides, { ...edit, which });
  }
}

function change(sides: readonly Side[], { sizeCu, settings, disabled }: Part, which: number): LinesOf {
  const side = nth(sides, which)!;
  const [name, part] = nth(Object.entries(side.parts), which) ?? [];
  if (name !== undefined && part !== undefined)
    side.parts = { ...side.parts, [name]: { ...part, sizeCu, settings, disabled } };
  return none;
}

function declare(world: World, sides: readonly Side[], declared: Parts): void {
  const entries = Object.entries(possible(declared));
  // After a handover that failed half-way, resources of two processes hold one compute: a program declares one of them.
  const gaveUp = (side: Side, name: string): boolean =>
    world
      .holders(side.engine.stored(name)?.id ?? "")
      .some(({ side: other, stored }) => other !== side && nameIn(stored) in declared);
  for (const side of sides)
    side.parts = Object.fromEntries(
      entries.filter(([name]) => mayName(sides, side, name) && (name in side.parts || !gaveUp(side, name))),
    );
}

/** A branch holds one primary, so any further part is a replica. */
function possible(parts: Parts): Parts {
  const taken = new Set<number>();
  const entries = Object.entries(parts).map(([name, part]) => {
    const isPrimary = part.isPrimary && !taken.has(part.place);
    if (isPrimary) taken.add(part.place);
    return [name, { ...part, isPrimary }] as const;
  });
  return Object.fromEntries(entries);
}

/** Follows the refusal of a create: adds the line `adopt: "ep-…"`, unless another resource holds the compute. */
function followAdvice(world: World, sides: readonly Side[]): LinesOf {
  const lines = adviceFor(world, sides);
  if (sides.some((side) => Object.keys(lines(side).adopt ?? {}).length > 0))
    world.met.count("advice followed");
  return lines;
}

function rename(
  world: World,
  sides: readonly Side[],
  { to, which, by }: Extract<Edit, { kind: "rename" }> & { readonly which: number },
): LinesOf {
  const side = nth(
    sides.filter(({ parts }) => Object.keys(parts).length > 0),
    which,
  );
  const from = nth(Object.keys(side?.parts ?? {}) as Name[], which);
  if (side === undefined || from === undefined || isTaken(sides, to) || !mayName(sides, side, to))
    return none;
  const stored = side.engine.stored(from);
  if (by === "pulumi state rename") {
    if (stored === undefined || side.engine.stored(to) !== undefined) return none;
    const urn = urnOf(side.variant, to, side.stackName);
    side.engine.restore(side.engine.state().map((one) => (one === stored ? { ...one, urn } : one)));
  }
  const renamed = Object.entries(side.parts).map(([name, part]) => [name === from ? to : name, part]);
  side.parts = Object.fromEntries(renamed) as Parts;
  world.met.count(`rename by ${by}`);
  return (one) => (by === "an alias" && one === side ? { aliases: { [to]: [from] } } : {});
}

function isTaken(sides: readonly Side[], name: Name): boolean {
  return sides.some(({ parts }) => parts[name] !== undefined);
}

/** `pulumi stack rename`: the state has new URNs, but what this package wrote into it still has the old ones. */
function renameStack(world: World, team: 0 | 1): void {
  for (const side of teamOf(world, team)) {
    const old = side.engine.state();
    side.stackName = `${side.stackName}-renamed`;
    side.engine = side.openAs(side.stackName);
    side.engine.restore(
      old.map((one) => ({ ...one, urn: urnOf(side.variant, nameIn(one), side.stackName) })),
    );
    if (old.length > 0) world.met.count("stack renamed");
    // The engine's pending creates are lost here.
    for (const [id, key] of world.makers)
      if (key === side.key && world.holders(id).length === 0) world.forgotten.add(id);
  }
}

/**
 * Hands a resource over to another provider process, as docs/what-happens-when.md says: with `pulumi state move` to the other team's
 * stack, or with `pulumi state delete` and an adopt line to another provider of the same stack.
 */
async function giveAway(
  world: World,
  { team, which }: { readonly team: 0 | 1; readonly which: number },
): Promise<void> {
  const from = nth(teamOf(world, team), which)!;
  const to = nth(
    world.sides.filter((side) => side !== from && (side.team === team || side.variant === from.variant)),
    which,
  );
  const stored = nth(from.engine.state(), which);
  if (to === undefined || stored === undefined || stored.isToBeDeleted) return;
  const isMove = to.team !== team;
  const others = teamOf(world, to.team);
  const name = nameIn(stored) as Name;
  const isFree = (one: Name): boolean =>
    !isTaken(others, one) && mayName(others, to, one) && to.engine.stored(one) === undefined;
  const as = (isMove ? [name] : names).find(isFree);
  const { [name]: part, ...rest } = from.parts;
  if (part === undefined || as === undefined || !world.computes().includes(stored.id)) return;
  // The other team would move a compute that is on this team's own branch.
  const { branch_id: branchId, type } = world.emulator.endpoint(stored.id).endpoint;
  const isOnOwnBranch = type === "read_write" || branchId !== world.sharedBranchId;
  if (isMove && (part.isPrimary || !part.isShared || isOnOwnBranch)) return;
  const before = [from.parts, to.parts] as const;
  from.parts = rest;
  from.engine.restore(from.engine.state().filter((one) => one !== stored));
  to.parts = { ...to.parts, [as]: part };
  if (isMove) {
    to.engine.restore([...to.engine.state(), { ...stored, urn: urnOf(to.variant, as, to.stackName) }]);
    if (world.makers.has(stored.id)) world.makers.set(stored.id, to.key);
    world.met.count("a resource of the other team");
    return;
  }
  const lines = (side: Side): Lines => (side === to ? { adopt: { [as]: stored.id } } : {});
  const results = await runTogether(world, [from, to], { kind: "up", lines });
  if (to.engine.stored(as)?.id === stored.id) world.met.count("a resource of the team's other provider");
  else if (!results.every(isGood)) {
    [from.parts, to.parts] = before;
    from.engine.restore([...from.engine.state(), stored]);
  }
}
