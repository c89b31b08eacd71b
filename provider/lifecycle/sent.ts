/**
 * What a change sends to a compute. One record goes through all of it: `due.ts` decides it, `patch.ts` sends it, and `settle.ts`
 * compares what came of it (`Done` in `receipt.ts`).
 */
import { changedNames, settingsAmong, settingsArgument, withoutPrefix } from "../model/changes";
import { isOwn, type ArgumentName } from "../model/fields";
import type { Running } from "../model/interruption";
import type { EndpointState } from "../model/state";
import type { Declaration } from "./step";

export interface Sent {
  readonly declaration: Declaration;
  /** The state of the compute before; undefined for a compute that is created. */
  readonly known?: EndpointState;
  /** The arguments that are sent; by default, all. Somebody else may have changed the others. */
  readonly changed?: readonly ArgumentName[] | undefined;
  /** Names of what is sent, for the error if an operation fails. Values may be secret. */
  readonly names?: readonly string[] | undefined;
  /** What the compute was doing when it was read for a policy. */
  readonly running?: Running | undefined;
}

/** A change of a compute that the state has. */
export interface SentChange extends Sent {
  readonly known: EndpointState;
  readonly changed: readonly ArgumentName[];
  readonly names: readonly string[];
}

/** Names of the arguments that a PATCH sends; `settings` comes with the names of the settings that differ from the state. */
export function namesSent(
  known: EndpointState,
  { inputs }: Declaration,
  changed: readonly ArgumentName[],
): readonly string[] {
  const settings = settingsAmong(changedNames(known, inputs));
  // None differs if the update only puts back what somebody else has changed.
  const listed = settings.length === 0 ? "" : ` (${settings.map(withoutPrefix).join(", ")})`;
  return changed
    .filter((name) => !isOwn(name))
    .map((name) => (name === settingsArgument ? `settings.pgSettings${listed}` : name));
}
