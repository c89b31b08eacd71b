/**
 * Whole runs against a bench: check, diff, then the step, with a state.
 */
import { createMiniEngine, type MiniEngine, type MiniEngineOptions } from "../../../support/miniEngine";
import type { Variant } from "../../../support/variants";
import type { Bench } from "./bench";

export function openEngine(
  { emulator, clock }: Bench,
  variant: Variant,
  more: Partial<MiniEngineOptions> = {},
): MiniEngine {
  return createMiniEngine({ variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock, ...more });
}
