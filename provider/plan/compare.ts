/**
 * Compares a declaration with the values that the compute has at this moment. Diff, adoption and update all use this, so that
 * an update does what its preview announced. Pure: `live.ts` asks the service.
 */
import type { Arguments } from "../model/changes";
import { argumentNames } from "../model/fields";
import { changeOf, type Circumstances, type PlannedChange } from "../model/interruption";
import { asFound, fieldsOf, ownOf } from "../model/state";
import type { LiveCompute } from "./live";

/** The service whose figures a notice shows, the arguments whose values it hides, and what the program ignores. */
type Telling = Pick<Circumstances, "secrets" | "service" | "ignores">;

/**
 * The change of a compute that is in the state. What the change interrupts depends on the live compute, which may differ from
 * the state. An argument is sent if it differs from either the compute or the state, since a list may be late.
 *
 * @param ofState - the change as compared with the state.
 */
export function compareLive<Inputs extends Arguments>(
  ofState: PlannedChange<Inputs>,
  { endpoint, now }: LiveCompute,
  telling: Telling,
): PlannedChange<Inputs> {
  const { inputs } = ofState;
  const before = { ...ofState.before, ...fieldsOf(endpoint, inputs) };
  const ofLive = changeOf(before, inputs, { ...telling, now });
  const sides = [ofState, ofLive];
  return {
    ...ofLive,
    changed: argumentNames.filter((name) => sides.some(({ changed }) => changed.includes(name))),
  };
}

/**
 * The change of an existing compute that the resource does not have in its state yet.
 *
 * @param live - undefined if the service cannot be asked: any declared value may then differ from the compute's.
 */
export function compareFound<Inputs extends Arguments>(
  inputs: Inputs,
  live: LiveCompute | undefined,
  telling: Telling,
): PlannedChange<Inputs> {
  const { projectId, branchId, type, regionId } = inputs;
  // The compute is the declared one, so a part of its place that the service does not return counts as equal.
  const place = { projectId, branchId, type, regionId };
  if (live !== undefined)
    return changeOf({ ...place, ...asFound(live.endpoint, inputs) }, inputs, { ...telling, now: live.now });
  const before = { ...ownOf(inputs), ...place, managed: [] };
  return changeOf(before, inputs, { ...telling, isGuess: true });
}
