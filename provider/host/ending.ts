/** The part of a process that is used here. */
interface Ending {
  once(signal: string, listener: () => void): unknown;
  exit(code: number): unknown;
}

/**
 * The engine interrupts its plugins when a run has ended, and kills them a second later. On Windows it does so with
 * CTRL_BREAK, which Node calls SIGBREAK; elsewhere there is no such signal, and nobody sends it.
 *
 * @param act - what is still to be done; no time is left for more than that.
 */
export function onEngineEnd(act: () => void, ending: Ending = process): void {
  for (const signal of ["SIGINT", "SIGBREAK"]) {
    ending.once(signal, () => {
      act();
      ending.exit(0);
    });
  }
}
