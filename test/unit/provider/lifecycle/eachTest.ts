/** A bench for each test of the files that import this. */
import type { EmulatorOptions } from "../../../../emulator";
import { openBench, type Bench } from "./bench";

export let bench: Bench;
beforeEach(() => reopen());

/** In place of the test's own one. */
export async function reopen(options: EmulatorOptions = {}): Promise<void> {
  bench = await openBench(options);
}
