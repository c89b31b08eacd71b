/**
 * One cell's world: a service, the line to it, an engine with one resource, and time that costs nothing.
 */
import { Clock, startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { hasEnded } from "../../provider/pure/operationStatus";
import type { Variant } from "../support/variants";
import { createFakeClock, type FakeClock } from "../support/fakeClock";
import {
  createMiniEngine,
  type MiniEngineOptions,
  type RunOptions,
  type RunResult,
  type Step,
  type Stored,
} from "../support/miniEngine";
import { endHungRequests } from "./hung";
import { openLine, type Line } from "./line";

/** An engine whose program is one resource: commands throw what the provider throws. */
interface OneResource {
  /** Brings the resource to what the program declares. @throws what the provider throws. */
  up(args: Record<string, unknown>, how?: Pick<RunOptions, "isKilled">): Promise<Step | undefined>;
  refresh(): Promise<void>;
  destroy(): Promise<void>;
  stored(): Stored | undefined;
}

export interface Scene {
  readonly emulator: Emulator;
  readonly line: Line;
  readonly clock: FakeClock;
  readonly engine: OneResource;
  readonly projectId: string;
  /** Two branches without a compute. */
  readonly branchId: string;
  readonly otherBranchId: string;
  /** The compute that the program adopts. */
  adopt: string | undefined;
  /** Computes that the service has besides the default branch's own. */
  readonly computes: () => readonly string[];
  /** Lets operations that would never end do so. */
  endOperations(): void;
  /** Nothing is broken any more, and what was broken at the service has been put right. */
  heal(): void;
  close(): Promise<void>;
}

export interface SceneOptions {
  /** Default `dynamic`. */
  readonly variant?: Variant;
  /** False: no compute is read before it is changed. At the dynamic provider none ever is. */
  readonly readsFirst?: boolean;
  readonly emulator?: EmulatorOptions;
  /** By which the line is used; default `http`. */
  readonly scheme?: "https" | undefined;
}

/** Lists the computes of a project besides its default branch's own. */
export function computesBeside(
  emulator: Emulator,
  { project, endpoint: own }: ReturnType<Emulator["createProject"]>,
): () => readonly string[] {
  return () =>
    emulator
      .endpoints(project.id)
      .map(({ endpoint }) => endpoint.id)
      .filter((id) => id !== own.id);
}

/** Operations take one second of the fake clock. */
export async function openScene({
  variant,
  readsFirst,
  emulator: options,
  scheme,
}: SceneOptions): Promise<Scene> {
  const emulatorClock = new Clock("manual");
  const emulator = await startEmulator({ clock: emulatorClock, operationMs: 1_000, ...options });
  const line = await openLine(emulator.url, scheme);
  const clock = createFakeClock(emulatorClock);
  const made = emulator.createProject();
  const projectId = made.project.id;
  const emptyBranch = (): string => emulator.createBranch(projectId, { compute: false }).branch.id;
  const [branchId, otherBranchId] = [emptyBranch(), emptyBranch()];
  clock.advance(5_000);
  const stopEnding = endHungRequests(emulator);
  const engine = createOneResource({
    baseUrl: line.url,
    apiKey: emulator.apiKey,
    clock,
    variant,
    readsFirst,
  });
  const endOperations = (): void => {
    for (const { id, status } of emulator.operations(projectId))
      if (!hasEnded(status)) emulator.endOperation(id);
  };
  const computes = computesBeside(emulator, made);
  return {
    emulator,
    line,
    clock,
    engine,
    projectId,
    branchId,
    otherBranchId,
    adopt: undefined,
    computes,
    endOperations,
    heal: () => {
      line.heal();
      emulator.clearFaults();
      emulator.clearTimelines();
      endOperations();
      // What failed to start comes up when somebody uses it; nobody can use what is disabled.
      for (const id of computes()) {
        const { endpoint } = emulator.endpoint(id);
        if (endpoint.current_state === "init" && !endpoint.disabled) emulator.connect(id);
      }
      clock.advance(5_000);
    },
    close: async () => {
      stopEnding();
      line.close();
      await emulator.close();
    },
  };
}

function createOneResource(options: MiniEngineOptions): OneResource {
  const name = "db";
  const engine = createMiniEngine(options);
  const ended = ({ steps, failures }: RunResult): Step | undefined => {
    if (failures.length > 0) throw failures[0];
    return steps[name];
  };
  return {
    up: async (args, how) => ended(await engine.up({ [name]: { args } }, how)),
    refresh: async () => void ended(await engine.refresh()),
    destroy: async () => void ended(await engine.destroy()),
    stored: () => engine.stored(name),
  };
}
