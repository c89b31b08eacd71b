/**
 * The end of a random life: a person reads each failure and does what it says, until nothing is left to do.
 */
import { messageOf } from "../../../provider/model/errors";
import type { RunResult } from "../../support/miniEngine";
import { nameIn } from "../../support/miniEngineSteps";
import type { Name, Part, Parts } from "./programCommands";
import { runOn, type What } from "./programInvariants";
import type { Lines, Side, World } from "./programWorld";

/** Once nothing is broken, everything becomes true, a second run has nothing to do, and in the end nothing runs on unsaid. */
export async function expectCalm(world: World): Promise<void> {
  world.heal();
  for (const [index, side] of world.sides.entries()) {
    // For a stack that has nothing, the engine starts no provider, and nobody could name what a killed run left.
    if (Object.keys(side.parts).length === 0) side.parts = { [lastNames[index]!]: lastPart };
    await expectGood(world, side, { kind: "refresh" });
    await upAsTold(world, side);
    const sent = world.emulator.requests().length;
    const again = await expectGood(world, side, { kind: "up" });
    expect(Object.values(again.steps).filter((step) => step !== "same")).toEqual([]);
    // A plugin has the engine read each compute first: one list. Of what an earlier run did not finish, one more may tell.
    const routes = world.emulator
      .requests()
      .slice(sent)
      .map(({ route }) => route);
    const expected = side.variant === "native" ? ["listEndpoints"] : [];
    const hasPending = side.engine.exported().includes('"creating"');
    expect(routes).toEqual(
      hasPending && routes.length > expected.length ? [...expected, "listEndpoints"] : expected,
    );
  }
  for (const side of world.sides) {
    await expectGood(world, side, { kind: "destroy" });
    expect(side.engine.state()).toEqual([]);
  }
  const unsaid = world
    .computes()
    .filter((id) => !world.strangers.has(id) && !world.forgotten.has(id))
    .filter((id) => !isSaid(world, id));
  if (unsaid.length > 0) throw new Error(`running on in the end without a word: ${unsaid.join(", ")}`);
}

/** Whether rows have named a compute since no state holds it; on a secret branch, they name the resource alone. */
function isSaid(world: World, id: string): boolean {
  const { branch_id: branchId } = world.emulator.endpoint(id).endpoint;
  const isSecret = world.sides.some(({ branchIds }) => branchIds[2] === branchId);
  return world.said
    .slice(world.unheldSince.get(id) ?? 0)
    .some((text) => text.includes(id) || (isSecret && text.includes("Its project or branch is a secret")));
}

/** Two provider processes of one stack have no name in common: see `mayName`. */
const lastNames = ["bob", "dee", "dee"] as const;

const lastPart: Part = {
  isPrimary: false,
  place: 0,
  isShared: false,
  sizeCu: 1,
  settings: "none",
  disabled: false,
};

async function expectGood(world: World, side: Side, what: What): Promise<RunResult> {
  const result = await runOn(world, side, what);
  if (result.failures.length > 0)
    throw new Error(`${what.kind} of a healthy project: ${result.failures.map(messageOf).join(" | ")}`, {
      cause: result.failures[0],
    });
  return result;
}

/** Brings up what the program says, as somebody does who reads each failure. */
async function upAsTold(world: World, side: Side): Promise<void> {
  let lines: Lines = {};
  for (let tries = 0; tries < 6; tries++) {
    const { failures } = await runOn(world, side, {
      kind: "up",
      lines,
    });
    if (failures.length === 0) return;
    const [, second] = failures
      .filter(isHeldTwice)
      .flatMap((one) => /resource "\w+" and resource "(\w+)"/.exec(messageOf(one)) ?? []);
    if (second !== undefined) side.parts = without(side.parts, second);
    if (process.env["MODEL_TRACE"] !== undefined)
      process.stderr.write(`  told: ${failures.map(messageOf).join("\n        ")}\n`);
    lines = { adopt: adviceIn(world, side) };
    // Nothing of what the message names is ours: it says how to create another one.
    if (Object.values(lines.adopt ?? {}).length === 0) forgetCreates(side, failures.map(messageOf));
    // Two that change places, and the one in the way of a move: first without, then with them.
    if (tries === 2) {
      const declared = side.parts;
      side.parts = Object.fromEntries(Object.entries(declared).filter(([, part]) => !part.isPrimary));
      for (let told: What["lines"] = {}, ups = 0; ups < 3; ups++) {
        const without = await runOn(world, side, { kind: "up", lines: told });
        if (without.failures.length === 0) break;
        told = { adopt: adviceIn(world, side) };
      }
      side.parts = declared;
      lines = {};
    }
  }
  await expectGood(world, side, { kind: "up", lines });
}

/** Says that no compute is that of an earlier create, as the messages tell. */
export function forgetCreates({ engine }: Side, texts: readonly string[]): void {
  for (const text of texts) {
    if (text.includes("pulumi refresh --clear-pending-creates")) engine.clearPendingCreates();
  }
}

/** @param taken - what another process of the run adopts: neither of the two would hear of it. */
export function adviceIn(
  world: World,
  side: Side,
  taken: readonly string[] = [],
): Readonly<Partial<Record<Name, string>>> {
  const lines = Object.entries(side.failed).flatMap(([name, failure]) => {
    const message = messageOf(failure);
    // Nobody puts the old branch back here: the other way on is taken.
    const named = message.includes("put the earlier project, branch and type back")
      ? []
      : [...message.matchAll(/adopt: "(ep-[^"]+)"/g)].flatMap(([, id]) => id ?? []);
    const isFree = (held: string): boolean =>
      world
        .holders(held)
        .every((one) => one.side === side || one.side.parts[nameIn(one.stored) as Name] === undefined);
    const id = named.find(
      (one) =>
        !taken.includes(one) &&
        !world.strangers.has(one) &&
        !world.isOthers(one, side) &&
        world.computes().includes(one) &&
        isFree(one),
    );
    return id !== undefined && side.parts[name as Name] !== undefined ? [[name, id] as const] : [];
  });
  return Object.fromEntries(lines);
}

export function isHeldTwice(failure: unknown): boolean {
  return / of this program both (hold|declare) it/.test(messageOf(failure));
}

export function without(parts: Parts, name: string): Parts {
  return Object.fromEntries(Object.entries(parts).filter(([one]) => one !== name));
}
