/** What somebody does at the service, outside of the program. */
import type { Emulator } from "../../emulator";
import { listsProveAbsenceAfterMs } from "../../provider/model/timing";
import type { Follower } from "./fakeClock";

/** Waits until the compute is so old that a list without it proves its deletion, then deletes it. */
export function deleteByHand(
  { emulator, clock = emulator.clock }: { readonly emulator: Emulator; readonly clock?: Follower },
  endpointId: string,
): void {
  clock.advance(listsProveAbsenceAfterMs);
  emulator.deleteEndpoint(endpointId);
}
