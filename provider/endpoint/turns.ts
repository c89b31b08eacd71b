/**
 * The turn of an update within its branch.
 */
import { changedArguments } from "./changes";
import type { Declaration, EndpointState } from "./state";
import type { Services } from "./step";
import { interruptionOf } from "./verdict";

/** Before its time begins, and before its permit: whoever waits for others of its branch holds up nobody else. */
export async function turnOf(
  { restartOrder, config, interrupted }: Services,
  state: EndpointState,
  { inputs, resource }: Declaration,
): Promise<() => void> {
  const changed = changedArguments(state, inputs);
  const isInterrupted = interruptionOf(state, inputs, { changed }) !== undefined;
  if (!config.ordersRestarts || !isInterrupted) return () => undefined;
  const onWait = (other: string | undefined): void => {
    const whom = other === undefined ? "replicas of its branch" : `compute ${other} of its branch`;
    resource.row.progress(`waiting for ${whom}: they are interrupted one after the other`);
  };
  return restartOrder.enter(state, { onWait, interrupted });
}
