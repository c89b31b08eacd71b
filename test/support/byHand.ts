/** What somebody does at the service, past the program. */
import type { Emulator } from "../../emulator";
import { listsProveAbsenceAfterMs } from "../../provider/model/timing";
import type { Follower } from "./fakeClock";

/** Deletes a compute so long after its creation that lists which do not show it prove that it is gone. */
export function deleteByHand(
  { emulator, clock = emulator.clock }: { readonly emulator: Emulator; readonly clock?: Follower },
  endpointId: string,
): void {
  clock.advance(listsProveAbsenceAfterMs);
  emulator.deleteEndpoint(endpointId);
}
