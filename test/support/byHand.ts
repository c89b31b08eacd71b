/** What somebody does at the service, outside of the program. */
import type { Emulator } from "../../emulator";
import { listsProveAbsenceAfterMs } from "../../provider/model/timing";
import type { Follower } from "./fakeClock";

/** Deletes a compute long enough after its creation that lists without it prove that it is gone. */
export function deleteByHand(
  { emulator, clock = emulator.clock }: { readonly emulator: Emulator; readonly clock?: Follower },
  endpointId: string,
): void {
  clock.advance(listsProveAbsenceAfterMs);
  emulator.deleteEndpoint(endpointId);
}
