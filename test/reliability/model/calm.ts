/**
 * The end of a random life: somebody reads each failure and does what it says, until nothing is left to do.
 */
import { messageOf } from "../../../provider/model/errors";
import { deleteByHand } from "../../support/byHand";
import type { RunResult } from "../../support/miniEngine";
import { nameIn } from "../../support/miniEngineSteps";
import type { Values } from "../../support/providerHandlers";
import { runTogether, type What } from "./invariants";
import { names, type Name, type Part, type Parts } from "./life";
import type { Lines } from "./program";
import { mayName, teamOf, type Side, type World } from "./world";

/** Once nothing is broken, runs bring up what the programs declare, a second run has nothing to do, and no compute is left unreported. */
export async function expectCalm(world: World): Promise<void> {
  world.heal();
  removeFromTheWay(world);
  const teams = ([0, 1] as const).map((team) => teamOf(world, team));
  for (const team of teams) {
    // For an empty stack the engine starts no provider, so nobody could name what a killed run left.
    for (const side of team) {
      const name = names.find((one) => mayName(team, side, one))!;
      if (Object.keys(side.parts).length === 0) side.parts = { [name]: lastPart };
    }
    await expectGood(world, team, { kind: "refresh" });
    await upAsTold(world, team);
    await expectNothingToDo(world, team);
  }
  for (const team of teams) {
    await expectGood(world, team, { kind: "destroy" });
    expect(team.flatMap(({ engine }) => engine.state())).toEqual([]);
  }
  const unsaid = world
    .computes()
    .filter((id) => !world.strangers.has(id) && !world.forgotten.has(id))
    .filter((id) => !isSaid(world, id));
  if (unsaid.length > 0) throw new Error(`running on in the end without a word: ${unsaid.join(", ")}`);
}

async function expectNothingToDo(world: World, team: readonly Side[]): Promise<void> {
  const { results, routes } = await upQuietly(world, team);
  if (routes === "settings kept") return;
  const steps = results.flatMap((result) => Object.values(result.steps));
  expect(steps.filter((step) => step !== "same")).toEqual([]);
  // With the plugin, the engine reads each compute first, which takes one list. One more list is allowed, for what an earlier run left
  // unfinished.
  const least = team.filter(({ variant }) => variant === "native").length;
  const more = team.filter(({ engine }) => engine.exported().includes('"creating"')).length;
  expect(routes.length).toBeGreaterThanOrEqual(least);
  expect(routes.length).toBeLessThanOrEqual(least + more);
}

/**
 * Brings up what is up already: only lists are sent.
 *
 * @returns the routes of the requests; "settings kept" at a service that merges settings, if one was to be removed: each run tries
 * that again, and says that the service kept the setting.
 */
async function upQuietly(
  world: World,
  team: readonly Side[],
): Promise<{
  readonly results: readonly RunResult[];
  readonly routes: readonly unknown[] | "settings kept";
}> {
  const { emulator, said } = world;
  const [requests, texts] = [emulator.requests().length, said.length];
  const results = await expectGood(world, team, { kind: "up" });
  const isKept = said.slice(texts).some((text) => text.includes("the service kept settings.pgSettings"));
  if (isKept && emulator.switches.settingsPatch === "merges") return { results, routes: "settings kept" };
  const routes = emulator
    .requests()
    .slice(requests)
    .map(({ route }) => route);
  expect(routes.filter((route) => route !== "listEndpoints")).toEqual([]);
  return { results, routes };
}

/** Other people remove their primary from a team's own branch on request: no `up` could succeed with it. */
function removeFromTheWay(world: World): void {
  for (const id of world.strangers) {
    if (!world.computes().includes(id) || world.emulator.endpoint(id).endpoint.type !== "read_write")
      continue;
    deleteByHand(world, id);
    world.strangers.delete(id);
  }
  world.clock.advance(10 * 60_000);
}

/** Whether rows have named a compute since it left the states; on a secret branch, they name only the resource. */
function isSaid(world: World, id: string): boolean {
  const { branch_id: branchId } = world.emulator.endpoint(id).endpoint;
  const isSecret = world.sides.some(({ branchIds }) => branchIds[2] === branchId);
  return world.said
    .slice(world.unheldSince.get(id) ?? 0)
    .some((text) => text.includes(id) || (isSecret && text.includes("Its project or branch is secret")));
}

const lastPart: Part = {
  isPrimary: false,
  place: 0,
  isShared: false,
  sizeCu: 1,
  settings: "none",
  disabled: false,
  ignores: "nothing",
};

async function expectGood(world: World, team: readonly Side[], what: What): Promise<readonly RunResult[]> {
  const results = await runTogether(world, team, what);
  const [first, ...more] = results.flatMap(({ failures }) => failures);
  if (first === undefined) return results;
  const texts = [first, ...more].map(messageOf);
  throw new Error(`${what.kind} of a healthy project: ${texts.join(" | ")}`, { cause: first });
}

/** Brings up what the programs declare, and acts on each failure. */
async function upAsTold(world: World, team: readonly Side[]): Promise<void> {
  const lines = await upWithLines(world, team);
  if (lines === undefined) return;
  // The adopt lines are removed again, which is an update with the dynamic provider.
  await upQuietly(world, team);
}

/** @returns the adopt lines that were needed. */
async function upWithLines(world: World, team: readonly Side[]): Promise<What["lines"]> {
  let lines: What["lines"];
  for (let tries = 0; tries < 6; tries++) {
    if (await isUp(world, team, lines)) return lines;
    lines = adviceFor(world, team);
    if (tries !== 2) continue;
    // Two primaries swap places, or one is in the way of a move: bring everything but the primaries up first, then all.
    const declared = team.map(({ parts }) => parts);
    for (const side of team) side.parts = withoutPrimaries(side.parts);
    for (let ups = 0; ups < 3; ups++) {
      if (await isUp(world, team, lines)) break;
      lines = adviceFor(world, team);
    }
    for (const [index, side] of team.entries()) side.parts = declared[index]!;
    lines = undefined;
  }
  await expectGood(world, team, { kind: "up", lines });
  return lines;
}

/** Runs `up`, and does what its failures say, except for adding lines with `adopt`. */
async function isUp(world: World, team: readonly Side[], lines: What["lines"]): Promise<boolean> {
  const results = await runTogether(world, team, { kind: "up", lines });
  const advice = adviceFor(world, team);
  for (const [index, side] of team.entries()) {
    const texts = results[index]!.failures.map(messageOf);
    const [, second] = texts
      .filter(isHeldTwice)
      .flatMap((text) => /resource "\w+" and resource "(\w+)"/.exec(text) ?? []);
    if (second !== undefined) side.parts = without(side.parts, second);
    // None of the named computes is ours: the message says how to create another one.
    if (Object.keys(advice(side).adopt ?? {}).length === 0) forgetCreates(world, side, texts);
  }
  return results.every(({ failures }) => failures.length === 0);
}

/** Tells Pulumi, as messages say, that no compute came from the earlier creates. */
function forgetCreates(world: World, side: Side, texts: readonly string[]): void {
  if (!texts.some((text) => text.includes("pulumi refresh --clear-pending-creates"))) return;
  for (const id of world.computes())
    if (world.makers.get(id) === side.key && world.holders(id).length === 0 && mayBeUnnamed(world, side, id))
      world.forgotten.add(id);
  side.engine.clearPendingCreates();
}

/** True if docs/what-happens-when.md lets a compute go unreported: two providers, a secret branch, a replica whose resource is now a primary. */
function mayBeUnnamed(world: World, side: Side, id: string): boolean {
  const { branch_id: branchId } = world.emulator.endpoint(id).endpoint;
  if (teamOf(world, side.team).length > 1 || branchId === side.branchIds[2]) return true;
  const { deployment } = JSON.parse(side.engine.exported()) as Exported;
  return deployment.pending_operations.some(
    ({ resource: { urn, inputs } }) =>
      inputs["type"] === "read_only" &&
      inputs["branchId"] === branchId &&
      side.parts[nameIn({ urn }) as Name]?.isPrimary === true,
  );
}

interface Exported {
  readonly deployment: {
    readonly pending_operations: readonly { readonly resource: { urn: string; inputs: Values } }[];
  };
}

/** The adopt lines that the last failures asked for; no two processes of a run get the same line. */
export function adviceFor(world: World, sides: readonly Side[]): (side: Side) => Lines {
  const told = new Map<Side, NonNullable<Lines["adopt"]>>();
  for (const side of sides) told.set(side, adviceIn(world, side, [...told.values()].flatMap(Object.values)));
  return (side) => ({ adopt: told.get(side) ?? {} });
}

/** @param taken - computes that another process of the run adopts: neither process would hear of the other. */
function adviceIn(
  world: World,
  side: Side,
  taken: readonly string[] = [],
): Readonly<Partial<Record<Name, string>>> {
  const isFree = (held: string): boolean =>
    world
      .holders(held)
      .every((one) => one.side === side || one.side.parts[nameIn(one.stored) as Name] === undefined);
  // A user knows which computes the team's own creates made.
  const isOthers = (id: string): boolean => world.makers.get(id)?.startsWith(`team ${side.team}`) === false;
  const mayAdopt = (id: string): boolean =>
    !taken.includes(id) &&
    !world.strangers.has(id) &&
    !isOthers(id) &&
    world.computes().includes(id) &&
    isFree(id);
  const lines = Object.entries(side.last.failed).flatMap(([name, failure]) => {
    const message = messageOf(failure);
    // Nobody puts the old branch back here, so the message's other choice is taken.
    if (message.includes("put the earlier project, branch and type back")) return [];
    const named = [...message.matchAll(/adopt: "(ep-[^"]+)"/g)].flatMap(([, id]) => id ?? []);
    const id = named.find(mayAdopt);
    return id !== undefined && side.parts[name as Name] !== undefined ? [[name, id] as const] : [];
  });
  return Object.fromEntries(lines);
}

function isHeldTwice(message: string): boolean {
  return / of this program both (hold|declare) it/.test(message);
}

function without(parts: Parts, name: string): Parts {
  return Object.fromEntries(Object.entries(parts).filter(([one]) => one !== name));
}

function withoutPrimaries(parts: Parts): Parts {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => !part.isPrimary));
}
