/**
 * A compute with restartTriggers, driven as the engine drives it.
 */
import type { EmulatorOptions } from "../../../../emulator";
import type { MiniEngine, RunOptions } from "../../../support/miniEngine";
import type { Values } from "../../../support/providerHandlers";
import type { Variant } from "../../../support/variants";
import { openBench, size, type Bench } from "../lifecycle/bench";
import { openEngine } from "../lifecycle/stack";

interface Run extends RunOptions {
  /** Arguments besides the place, a size of one CU and the triggers. */
  readonly db?: Values;
  /** Names of the arguments that are secret. */
  readonly secrets?: readonly string[];
}

export interface Restarting {
  readonly bench: Bench;
  readonly engine: MiniEngine;
  /** A run with the compute `db`, which has these triggers. */
  up(triggers: unknown, how?: Run): ReturnType<MiniEngine["up"]>;
  id(): string;
  /** As the state has them. */
  triggers(): unknown;
  /** How often the service has restarted the compute. */
  restarts(): number;
  /** How many restarts were sent. */
  sent(): number;
}

/** The compute is there already, without triggers, and runs. */
export async function open(
  variant: Variant,
  { db = {}, ...options }: EmulatorOptions & { readonly db?: Values } = {},
): Promise<Restarting> {
  const one = await openEmpty(variant, options);
  await one.up(undefined, { db });
  return one;
}

export async function openEmpty(variant: Variant, options: EmulatorOptions = {}): Promise<Restarting> {
  const bench = await openBench(options);
  const { emulator, projectId, branchId } = bench;
  const engine = openEngine(bench, variant);
  const id = (): string => engine.stored("db")?.id ?? "";
  return {
    bench,
    engine,
    id,
    up: (restartTriggers, { db = {}, secrets = [], ...how } = {}) => {
      const args = { projectId, branchId, ...size(1), restartTriggers, ...db };
      return engine.up({ db: { args, secrets } }, how);
    },
    triggers: () => engine.stored("db")?.outs["restartTriggers"],
    restarts: () => emulator.counters(id()).restarts,
    sent: () => emulator.requests().filter(({ route }) => route === "restartEndpoint").length,
  };
}
