/**
 * What must be true after each run of a team besides what programInvariants.ts asks: every write is known with its
 * sender, so whose a compute is need not be guessed.
 */
import { noticeParts } from "../../../provider/model/notice";
import type { RunResult, Stored } from "../../support/miniEngine";
import { nameIn } from "../../support/miniEngineSteps";
import type { Wire } from "./past";
import type { Process, Teams } from "./teamWorld";

/** The setting that somebody makes in the console; no program declares it. */
export const settingByHand = { name: "console.note", value: "kept" } as const;

/** What each process had in its state before a run, and how much had been sent. */
export interface Before {
  readonly sent: number;
  readonly stored: ReadonlyMap<Process, readonly Stored[]>;
}

export function beforeRun({ sides, network }: Teams): Before {
  return {
    sent: network.sent.length,
    stored: new Map(sides.map((side) => [side, side.engine.state()])),
  };
}

/** Learns whose create made what. What is carried out later counts as soon as it is. */
export function noteMakers({ network, makers, met }: Teams): void {
  for (const { isCreate, endpointId, by } of network.sent)
    if (isCreate && endpointId !== undefined) makers.set(endpointId, by);
  if (new Set([...makers.values()].map((key) => key.split(" process")[0])).size > 1)
    met.count("both teams wrote");
}

/**
 * Each write changed a compute of its own process: one that it held, that its create made, or that it adopts in this run.
 */
export function expectOwnWrites(
  world: Teams,
  { sent, stored }: Before,
  adopted: readonly string[] = [],
): void {
  for (const write of world.network.sent.slice(sent)) {
    const { targetId: id, by, method } = write;
    if (id === undefined) continue;
    const mayTouch = (side: Process): boolean =>
      stored.get(side)!.some((one) => one.id === id) || (side.key === by && adopted.includes(id));
    const others = world.sides.filter(({ key }) => key !== by);
    const own = world.sides.find(({ key }) => key === by)!;
    const isOwn = mayTouch(own) || world.makers.get(id) === by || world.isTwin(id);
    if (!isOwn)
      throw new Error(`${by} sent ${method} for ${id}, which ${world.makers.get(id) ?? "a person"} made`);
    const isHeldElsewhere = others.some(({ engine, parts }) =>
      engine.state().some((one) => one.id === id && nameIn(one) in parts),
    );
    if (isHeldElsewhere && !adopted.includes(id))
      throw new Error(`${by} sent ${method} for ${id}, which another one holds`);
  }
}

/** What a process has newly in its state, its own create made, or the run adopted. */
export function expectOwnStates(world: Teams, { stored }: Before, adopted: readonly string[] = []): void {
  for (const side of world.sides) {
    const before = stored.get(side)!.map(({ id }) => id);
    for (const { id } of side.engine.state()) {
      if (before.includes(id) || adopted.includes(id) || world.makers.get(id) === side.key) continue;
      if (!world.isTwin(id))
        throw new Error(`${side.key} took ${id} over, which ${world.makers.get(id) ?? "a person"} made`);
      world.met.count("a stranger's compute that nothing tells from one's own");
      world.makers.set(id, side.key);
      world.strangers.delete(id);
    }
  }
}

/** After a destroy without a failure, what the stack held is gone, unless another one holds it. */
export function expectDestroyed(world: Teams, { stored }: Before, team: readonly Process[]): void {
  const left = team
    .flatMap((side) => stored.get(side)!.map(({ id }) => id))
    .filter((id) => world.computes().includes(id) && world.holders(id).length === 0);
  if (left.length > 0) throw new Error(`a destroy ended well, and left ${left.join(", ")}`);
}

/** A setting that nobody declared is sent along; only a person who sets it at that very moment may lose it. */
export function watchSettings(world: Teams): void {
  world.network.onPatch = (write, seen) => {
    const { body } = write;
    if (body["settings"] === undefined) return;
    if (seen === undefined) {
      world.broken.push(`${write.by} sent settings of a compute that it had not seen`);
      return;
    }
    if (!hasSetting(seen)) return;
    world.met.count("a setting of the console's met a change of settings");
    if (!hasSetting(body)) world.broken.push(`${write.by} dropped a setting that nobody declared`);
  };
}

/** Outside of those changes, nobody loses one. */
export function expectSettingsKept(world: Teams): void {
  for (const id of world.settingsByHand) {
    if (!world.computes().includes(id)) world.settingsByHand.delete(id);
    else if (!hasSetting({ ...world.emulator.endpoint(id).endpoint })) world.settingsByHand.delete(id);
  }
  const [broken] = world.broken;
  if (broken !== undefined) throw new Error(broken);
}

function hasSetting(endpoint: Wire): boolean {
  const settings = endpoint["settings"] as
    { readonly pg_settings?: Wire; readonly note?: unknown } | undefined;
  return settings?.pg_settings?.[settingByHand.name] === settingByHand.value;
}

/** Nothing happened in between, so an `up` does what its preview said, and interrupts what it said. */
export function expectAsPreviewed(
  world: Teams,
  [preview, up]: readonly [RunResult, RunResult],
  { side, before }: { readonly side: Process; readonly before: ReadonlyMap<string, number> },
): void {
  if (preview.failures.length > 0 || up.failures.length > 0) return;
  const planned = Object.entries(preview.steps).filter(([, step]) => step !== "deleted");
  for (const [name, step] of planned) {
    if (up.steps[name] !== step)
      throw new Error(`${name}: the preview said ${step}, and it was ${up.steps[name] ?? "nothing"}`);
    const stored = side.engine.stored(name);
    // A compute that somebody had deleted by then was interrupted before.
    const earlier = before.get(stored?.id ?? "");
    if (step !== "updated" || stored === undefined || earlier === undefined) continue;
    const wasInterrupted = interruptionsOf(world, stored.id) > earlier;
    // The row counts, as docs/interruptions.md says: a dynamic provider's check knows no id, and says nothing of what the
    // state alone has otherwise, nor what runs where two computes of a branch may be meant.
    const { effect, certain } = noticeParts(preview.notices[name] ?? "");
    if (wasInterrupted && effect === undefined)
      throw new Error(`${name}: interrupted, and the preview did not say so`);
    if (certain === true && !wasInterrupted)
      throw new Error(`${name}: the preview said that it is interrupted (${effect ?? ""}), and it was not`);
    const verdict = preview.verdicts[name];
    if (verdict?.endpointId === stored.id && verdict.effect !== (effect ?? "none"))
      throw new Error(`${name}: its row said ${effect ?? "nothing"}, and its verdict ${verdict.effect}`);
    world.met.count("a change as its preview said");
  }
}

export function interruptionsOf({ emulator }: Teams, id: string): number {
  return emulator.counters(id).interruptions;
}
