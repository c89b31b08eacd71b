/**
 * A compute and an EndpointRestart of it, driven as the engine drives them.
 */
import type { EmulatorOptions } from "../../../../emulator";
import type { Declared, MiniEngine, RunOptions } from "../../../support/miniEngine";
import type { Variant } from "../../../support/variants";
import { openBench, size, type Bench } from "../lifecycle/bench";
import { openEngine } from "../lifecycle/stack";

export interface Restarting {
  readonly bench: Bench;
  readonly engine: MiniEngine;
  /** A run with the compute `db`, and the restart `weekly` of it unless `triggers` are left out. */
  up(
    triggers: Record<string, unknown> | undefined,
    how?: RunOptions & {
      readonly db?: object;
      readonly restart?: object;
      readonly secrets?: readonly string[];
    },
  ): ReturnType<MiniEngine["up"]>;
  id(): string;
  restarts(): number;
  sent(): number;
}

/** The compute is there already. @param db - besides its place and its size of one CU */
export async function open(
  variant: Variant,
  { db = {}, ...options }: EmulatorOptions & { readonly db?: object } = {},
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
    up: (triggers, { db = {}, restart = {}, secrets = [], ...how } = {}) => {
      const compute: Declared = { args: { projectId, branchId, ...size(1), ...db } };
      const weekly: Declared = {
        kind: "EndpointRestart",
        secrets,
        args: { projectId, endpointId: { $of: "db.endpointId" }, triggers, ...restart },
      };
      return engine.up(triggers === undefined ? { db: compute } : { db: compute, weekly }, how);
    },
    restarts: () => emulator.counters(id()).restarts,
    sent: () => emulator.requests().filter(({ route }) => route === "restartEndpoint").length,
  };
}
