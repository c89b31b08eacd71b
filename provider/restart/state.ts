/**
 * What a state holds of an EndpointRestart, and how a declaration differs from it.
 */
import { isDeepStrictEqual } from "node:util";
import { restartArguments, type PlannedRestart, type RestartInputs, type Triggers } from "./arguments";
import { changedTriggers } from "../pure/restartCause";

/**
 * The declaration as it was carried out. While a restart waits, `triggers` are those of the last restart that did not
 * wait, so that the next diff finds the difference again; absent if there was none.
 */
export interface RestartState extends Omit<RestartInputs, "triggers"> {
  readonly triggers?: Triggers | undefined;
}

export type RestartArgument = keyof RestartInputs;

export function changedRestartArguments(
  state: Partial<RestartState>,
  inputs: PlannedRestart | RestartInputs,
): readonly RestartArgument[] {
  return restartArguments.filter((name) => !isDeepStrictEqual(state[name], inputs[name]));
}

/**
 * The state while a restart waits.
 *
 * @param secrets - names of the arguments that are or were secret. A dynamic provider's output is marked as secret only where
 * the current declaration has a secret, so old values are left out then: their names count as new in the next run.
 */
export function waitingState(
  { triggers }: Partial<RestartState>,
  inputs: RestartInputs,
  secrets: readonly string[],
): RestartState {
  if (triggers === undefined || !secrets.includes("triggers")) return { ...inputs, triggers };
  const due = changedTriggers(triggers, inputs.triggers);
  const done = Object.entries(inputs.triggers).filter(([name]) => !due.includes(name));
  return { ...inputs, triggers: Object.fromEntries(done) };
}
