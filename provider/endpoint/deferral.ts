/**
 * Changes that wait for a window (`onInterruption: "defer"`): what interrupts the compute stays as it is, the rest is
 * applied. What is left is owed: the next check finds it again.
 *
 * Moves and replacements do not wait, they are refused: other resources of the same run may count on them, such as the
 * branch that a compute is to leave and that is deleted next, with every compute on it.
 */
import type { ProviderConfig } from "../config";
import { effectOf, type ArgumentName } from "../fields";
import { momentText, nextOpening } from "../interruptionWindow";
import { settings } from "../settings/table";
import { changedArguments, type Stored } from "./changes";
import { findNow } from "./find";
import type { EndpointInputs } from "./inputs";
import { mustWait, policyOf } from "./policy";
import { fieldsOf, type Declaration, type EndpointState } from "./state";
import type { Services } from "./step";
import { interruptingArguments, interruptionOf, type Interruption, type Verdict } from "./verdict";

export interface Deferral {
  /** The declaration with what waits as it was before. */
  readonly inputs: EndpointInputs;
  /** The arguments that wait. */
  readonly names: readonly ArgumentName[];
  /** Until when the interruption waits, and which it is. */
  readonly notice: string;
  /** The same for the report. */
  readonly verdict: NonNullable<Verdict["deferred"]>;
}

interface Change {
  readonly before: Stored;
  readonly inputs: EndpointInputs;
  /** Names of the arguments that differ between the two. */
  readonly changed: readonly ArgumentName[];
  readonly interruption: Interruption;
}

/**
 * @param nowMs - wall time in milliseconds.
 * @returns undefined where nothing waits: another policy, an open window, or a change that cannot wait.
 */
export function deferralOf(
  { before, inputs, changed, interruption }: Change,
  config: ProviderConfig,
  nowMs: number,
): Deferral | undefined {
  if (!mustWait(policyOf(inputs, config), config, nowMs)) return undefined;
  const names = interruptingArguments(before, inputs, changed);
  if (names.some((name) => ["replace", "move"].includes(effectOf(name)))) return undefined;
  const rest = Object.entries(inputs).filter(([name]) => !names.includes(name as ArgumentName));
  const kept = names
    .filter((name) => before[name] !== undefined)
    .map((name) => [name, before[name]] as const);
  const { text, until } = untilOf(config, nowMs);
  return {
    inputs: Object.fromEntries([...rest, ...kept]) as unknown as EndpointInputs,
    names,
    notice: `${text}: ${interruption.text}`,
    verdict: { effect: interruption.effect, text, until },
  };
}

/** Until when no window is open. */
export function untilOf(
  { interruptionWindow: window }: ProviderConfig,
  nowMs: number,
): { readonly text: string; readonly until?: string } {
  const opensMs = window && nextOpening(window, nowMs);
  if (window === undefined || opensMs === undefined)
    return { text: `until ${settings.interruptionWindow.key} is set` };
  return { text: `until ${momentText(window, opensMs)}`, until: new Date(opensMs).toISOString() };
}

/**
 * The same at the moment of an update: what was checked within the window may come to its turn after it, and a failed
 * update may have left behind what no check sees. A compute that runs as declared already has nothing to wait for.
 */
export async function lateDeferral(
  services: Services,
  state: EndpointState,
  { inputs, resource: { secrets } }: Declaration,
): Promise<Deferral | undefined> {
  const { clock, config } = services;
  const told = { secrets, sizeTable: config.sizeTable };
  const interruptionFrom = (before: Stored, changed = changedArguments(before, inputs)) =>
    interruptionOf(before, inputs, { ...told, changed });
  const changed = changedArguments(state, inputs);
  const interruption = interruptionFrom(state, changed);
  if (interruption === undefined) return undefined;
  const deferral = deferralOf({ before: state, inputs, changed, interruption }, config, clock.now());
  const live = deferral && (await findNow(services, state).catch(() => undefined));
  const isAsDeclared = live && interruptionFrom({ ...state, ...fieldsOf(live, inputs) }) === undefined;
  return isAsDeclared === true ? undefined : deferral;
}

/** A state after an update that left something as it was. */
export function withDeferred(
  after: EndpointState,
  before: EndpointState,
  { names }: Deferral,
): EndpointState {
  const kept = Object.fromEntries(names.map((name) => [name, before[name]]));
  return { ...after, ...kept, managed: [...new Set([...before.managed, ...after.managed])] };
}
