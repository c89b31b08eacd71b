/**
 * Judges a change: what it interrupts, and what the policy makes of that. Check, diff, create and update all ask here, and what
 * they say is built from the judgement (`said.ts`).
 */
import type { PlannedInputs } from "../model/inputs";
import { changeOf, mayInterrupt, type PlannedChange } from "../model/interruption";
import { decideOn, type Decision, type Situation } from "../model/policy";
import type { EndpointState } from "../model/state";
import { compareFound, compareLive } from "./compare";
import type { LiveCompute, LiveRead } from "./live";

/** What a change does to a compute, and what the policy decides about it. */
export interface Judgement extends Decision {
  readonly change: PlannedChange<PlannedInputs>;
  /** What the service answered about the compute; undefined if it was not asked. */
  readonly read?: LiveRead | undefined;
  /** True for a compute that the resource does not have yet. */
  readonly isAdoption?: boolean | undefined;
}

/** What a judgement depends on besides the change: the moment and the configuration, and what the program says of arguments. */
export interface Moment extends Omit<Situation, "nowMs"> {
  readonly secrets: readonly string[];
  /** Paths that the program ignores. */
  readonly ignores?: readonly string[];
  /** Wall time in milliseconds. It is asked after the service was, since that can take long. */
  readonly now: () => number;
}

/**
 * Judges a change of a compute that is in the state.
 *
 * @param readNow - asks the service about the compute, and is called only if the change may interrupt. Its result is undefined
 * if nobody asks.
 */
export async function judgeHeld(
  state: EndpointState,
  inputs: PlannedInputs,
  {
    readNow,
    ...moment
  }: Moment & { readonly readNow: (change: PlannedChange) => Promise<LiveRead | undefined> },
): Promise<Judgement & { readonly ofState: PlannedChange<PlannedInputs> }> {
  const { liveFacts, service } = moment.config;
  const { secrets, ignores = [] } = moment;
  const telling = { secrets, ignores, service };
  const ofState = changeOf(state, inputs, telling);
  // Without live facts, the change is compared with the state alone. The service only tells whether the compute runs.
  const ofLive = (live: LiveCompute): PlannedChange<PlannedInputs> =>
    liveFacts ? compareLive(ofState, live, telling) : changeOf(state, inputs, { ...telling, now: live.now });
  const read = mayInterrupt(ofState) ? await readNow(ofState) : undefined;
  const live = read?.kind === "found" ? read : undefined;
  const change = live === undefined ? ofState : ofLive(live);
  return { ofState, change, read, ...decideOn(change, { ...moment, nowMs: moment.now() }) };
}

/**
 * Judges the takeover of a compute that exists already. It cannot wait, because there is no old state to keep.
 *
 * @param read - undefined if the service was not asked.
 */
export function judgeFound(inputs: PlannedInputs, read: LiveRead | undefined, moment: Moment): Judgement {
  const live: LiveCompute | undefined = read?.kind === "found" ? read : undefined;
  const { secrets, config } = moment;
  return judged(compareFound(inputs, live, { secrets, service: config.service }), read, moment);
}

/** Judges a change at a compute that the resource does not have yet. */
export function judged(
  change: PlannedChange<PlannedInputs>,
  read: LiveRead | undefined,
  moment: Moment,
): Judgement {
  return {
    change,
    read,
    isAdoption: true,
    ...decideOn(change, { ...moment, nowMs: moment.now(), isAdoption: true }),
  };
}
