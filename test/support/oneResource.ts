/** An engine whose program is one resource: commands throw what the provider throws. */
import type { MiniEngine, MiniEngineOptions, RunResult, Step, Stored } from "./miniEngine";
import { createMiniEngine } from "./miniEngine";

export interface OneResource {
  /** Brings the resource to what the program declares. @throws what the provider throws. */
  up(args: Record<string, unknown>): Promise<Step | undefined>;
  refresh(): Promise<void>;
  destroy(): Promise<void>;
  stored(): Stored | undefined;
  /** Forgets what the last run did, as a killed engine does. */
  restore(earlier: Stored | undefined): void;
  readonly engine: MiniEngine;
  close(): void;
}

export function createOneResource({
  name = "db",
  ...options
}: MiniEngineOptions & { name?: string }): OneResource {
  const engine = createMiniEngine(options);
  const ended = ({ steps, failures }: RunResult): Step | undefined => {
    if (failures.length > 0) throw failures[0];
    return steps[name];
  };
  return {
    engine,
    up: async (args) => ended(await engine.up({ [name]: { args } })),
    refresh: async () => void ended(await engine.refresh()),
    destroy: async () => void ended(await engine.destroy()),
    stored: () => engine.stored(name),
    restore: (earlier) => {
      engine.restore(earlier === undefined ? [] : [earlier]);
    },
    close: () => {
      engine.close();
    },
  };
}
