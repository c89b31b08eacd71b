/**
 * What `pulumi stack rename`, `pulumi state rename` and `pulumi state move` do to states, and people to their programs then.
 */
import type { Stored } from "../../support/miniEngine";
import { nameIn } from "../../support/miniEngineSteps";
import { urnOf } from "../../support/variants";
import type { Name } from "./programCommands";
import { nth } from "./programWorld";
import type { TeamCommand } from "./teamCommands";
import { mayName, teamOf, type Teams } from "./teamWorld";

/** `pulumi stack rename`: the states have new URNs, and what this package wrote into them the old ones. */
export function renameStack(world: Teams, team: 0 | 1): void {
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
export function renameInState(
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
  if (part === undefined || !mayName(sides, side, to)) return;
  side.parts = { ...rest, [to]: part };
  side.engine.restore(replaced(side.engine.state(), stored, `${stored.urn.slice(0, -name.length)}${to}`));
  world.met.count("resource renamed in the state");
}

function replaced(state: readonly Stored[], stored: Stored, urn: string): readonly Stored[] {
  return state.map((one) => (one === stored ? { ...one, urn } : one));
}

/** `pulumi state move`, and the program with it. */
export function move(world: Teams, { team, which }: Extract<TeamCommand, { kind: "move" }>): void {
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
  const others = teamOf(world, to.team);
  if (others.some(({ parts }) => name in parts) || !mayName(others, to, name)) return;
  from.parts = rest;
  to.parts = { ...to.parts, [name]: part };
  const [stack = ""] = to.engine.state().map(({ urn }) => urn.split("::")[0]);
  const urn = stack === "" ? stored.urn : [stack, ...stored.urn.split("::").slice(1)].join("::");
  from.engine.restore(from.engine.state().filter((one) => one !== stored));
  to.engine.restore([...to.engine.state(), { ...stored, urn }]);
  if (world.makers.has(stored.id)) world.makers.set(stored.id, to.key);
  world.met.count("resource moved to the other stack");
}
