/** The part of a process that is used here. */
interface Ending {
  once(signal: string, listener: () => void): unknown;
  exit(code: number): unknown;
}

/**
 * The engine interrupts its plugins when a run has ended, and kills them a second later. On Windows it sends
 * CTRL_BREAK, which Node calls SIGBREAK; other systems have no such signal.
 *
 * @param act - what is still to be done; it has to be quick and synchronous.
 */
export function onEngineEnd(act: () => void, ending: Ending = process): void {
  for (const signal of ["SIGINT", "SIGBREAK"]) {
    ending.once(signal, () => {
      act();
      ending.exit(0);
    });
  }
}
