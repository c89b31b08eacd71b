/**
 * The engine asks to delete a compute.
 */
import { checkHolds } from "../model/state";
import type { EngineState, TimeLimited } from "../model/stored";
import type { Session } from "./session";

export async function deleteHeld(
  { run, namingOrphans, lifecycle, resourceOf }: Session,
  { state, hidden, former, limitSeconds }: EngineState & TimeLimited,
): Promise<void> {
  checkHolds(state);
  const { endpointId } = state;
  const resource = resourceOf(hidden, { former, limitSeconds });
  const steps = await lifecycle();
  if (run.history.keeps(resource, endpointId)) {
    const text = `Compute ${endpointId} is not deleted: this resource took it over again (because of its line with adopt, its option import, or a replacement that was cut off). To replace the compute, first remove that line or option in a separate update.`;
    return resource.row.say("warning", text);
  }
  await namingOrphans({ resource, endpointId }, () => steps.delete(state, resource));
}
