/** What an update does, compared with what its preview said. */
import { verdictOnRow } from "../../../provider/model/notice";
import type { RunResult } from "../../support/miniEngine";
import type { Side, World } from "./world";

/** Nothing happened in between, so an `up` does and interrupts exactly what its preview said. */
export function expectAsPreviewed(
  world: World,
  [preview, up]: readonly [RunResult, RunResult],
  { side, before }: { readonly side: Side; readonly before: ReadonlyMap<string, number> },
): void {
  if (preview.failures.length > 0 || up.failures.length > 0) return;
  const planned = Object.entries(preview.steps).filter(([, step]) => step !== "deleted");
  for (const [name, step] of planned) {
    if (up.steps[name] !== step)
      throw new Error(`${name}: the preview said ${step}, and it was ${up.steps[name] ?? "nothing"}`);
    const stored = side.engine.stored(name);
    // A compute that somebody deleted before the run was already interrupted.
    const earlier = before.get(stored?.id ?? "");
    if (step !== "updated" || stored === undefined || earlier === undefined) continue;
    const wasInterrupted = interruptionsOf(world, stored.id) > earlier;
    const { effect, certain } = verdictOnRow(preview.notices[name] ?? "") ?? {};
    if (wasInterrupted && effect === undefined)
      throw new Error(`${name}: interrupted, and the preview did not say so`);
    // Without live facts, a preview compares with the state, and others may have made the change already.
    const isOfState = !world.liveFacts && world.drifted.has(stored.id);
    if (effect !== undefined && certain && !wasInterrupted && !isOfState)
      throw new Error(`${name}: the preview said that it is interrupted (${effect}), and it was not`);
    const verdict = preview.verdicts[name];
    if (verdict !== undefined && verdict.deferred === undefined && verdict.effect !== (effect ?? "none"))
      throw new Error(`${name}: its row said ${effect ?? "nothing"}, and its verdict ${verdict.effect}`);
    world.met.count("a change as its preview said");
  }
}

export function interruptionsOf({ emulator }: World, id: string): number {
  return emulator.counters(id).interruptions;
}
