/**
 * Whole runs against a bench: check, diff, then the step, with a state.
 */
import type { EmulatorOptions, WireEndpoint } from "../../../../emulator";
import {
  createMiniEngine,
  type MiniEngine,
  type MiniEngineOptions,
  type RunOptions,
} from "../../../support/miniEngine";
import type { Values } from "../../../support/providerHandlers";
import type { Variant } from "../../../support/variants";
import { openBench, size, type Bench } from "./bench";

/** The clock of a bench begins on a Monday at eight. */
export const window = { "compute:interruptionWindow": "Mon 10:00-12:00 UTC" };
export const hourMs = 3_600_000;

export function openEngine(
  { emulator, clock }: Bench,
  variant: Variant,
  more: Partial<MiniEngineOptions> = {},
): MiniEngine {
  return createMiniEngine({ variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock, ...more });
}

/** A compute `db` in a stack. */
export interface Stack {
  readonly bench: Bench;
  readonly engine: MiniEngine;
  readonly id: string;
  /** A run with these arguments besides those that it was opened with. */
  readonly up: (more?: Values, how?: RunOptions) => ReturnType<MiniEngine["up"]>;
  /** As the service has it. */
  readonly live: () => WireEndpoint;
  /** As the state has it. */
  readonly outs: () => Values | undefined;
  /** What rows were told since a test asked last. */
  readonly takeRows: () => readonly string[];
  /** How many requests have asked for a change. */
  readonly writes: () => number;
  /** A client keeps it active. */
  readonly connect: () => void;
  /** Until the service has suspended it. */
  readonly becomeIdle: () => void;
}

interface StackOptions {
  /** Besides its place. */
  readonly args?: Values;
  /** The stack's configuration in each run. */
  readonly stack?: Readonly<Record<string, string>>;
  readonly emulator?: EmulatorOptions;
  readonly engine?: Partial<MiniEngineOptions>;
}

export async function openStack(variant: Variant, options: StackOptions = {}): Promise<Stack> {
  const { args = size(1), stack = {} } = options;
  const bench = await openBench(options.emulator);
  const { emulator, clock, projectId, branchId } = bench;
  const engine = openEngine(bench, variant, options.engine);
  const up: Stack["up"] = (more = {}, how = {}) =>
    engine.up({ db: { args: { projectId, branchId, ...args, ...more } } }, { stack, ...how });
  await up();
  const id = engine.stored("db")?.id ?? "";
  const live = (): WireEndpoint => emulator.endpoint(id).endpoint;
  let told = engine.rows.length;
  emulator.clearRequests();
  return {
    bench,
    engine,
    id,
    up,
    live,
    outs: () => engine.stored("db")?.outs,
    takeRows: () => {
      const rows = engine.rows.slice(told);
      told = engine.rows.length;
      return rows;
    },
    writes: () => emulator.requests().filter(({ method }) => method !== "GET").length,
    connect: () => {
      emulator.connect(id);
      clock.advance(5_000);
      expect(live().current_state).toBe("active");
    },
    becomeIdle: () => {
      clock.advance(hourMs);
      expect(live().current_state).toBe("idle");
    },
  };
}
