/** What somebody does at the service, outside of the program. */
import type { Emulator } from "../../emulator";
import { listsProveAbsenceAfterMs } from "../../provider/model/timing";
import type { Follower } from "./fakeClock";

/** Deletes a compute that is old enough: a list without it then proves that it is gone. */
export function deleteByHand(
  { emulator, clock = emulator.clock }: { readonly emulator: Emulator; readonly clock?: Follower },
  endpointId: string,
): void {
  clock.advance(listsProveAbsenceAfterMs);
  emulator.deleteEndpoint(endpointId);
}
