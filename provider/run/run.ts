/**
 * What one run knows about its stack, shared by all of its steps. It lives from the first call of the provider process to the
 * last, and nothing of it is kept: only Pulumi's backend remembers anything across runs.
 */
import type { Clock } from "../clock";
import type { ComputePlace } from "../model/inputs";
import { trackHistory, type History } from "./history";
import { trackOwnership, type Ownership } from "./ownership";
import { openStackBackend, type ExportStack, type StackBackend } from "./stackBackend";

export interface Run {
  /** What the engine's calls have shown about each resource. */
  readonly history: History;
  /** Which resource holds each compute, and which declares the primary of each branch. */
  readonly ownership: Ownership;
  /** What earlier runs have left. */
  readonly backend: StackBackend;
  /**
   * The places of this run's open creates, which were sent and whose compute is not known. Any new compute at such a place may
   * be the result. A create whose answer never comes stays open until the run ends.
   */
  readonly openCreates: Set<ComputePlace>;
  /** Ids of computes that this run has deleted: late lists may still show them. */
  readonly deleted: Set<string>;
  /** When the run began, in milliseconds of the monotonic clock. */
  readonly beganAtMs: number;
  /** Ids of the recent replicas that a message has named: each is named once. */
  readonly namedRecent: Set<string>;
  /** Aborts when the run is interrupted, if the host reports that. */
  readonly interrupted?: AbortSignal | undefined;
}

/**
 * @param options.exportStack - exports the state of the stack; undefined where no engine runs.
 */
export function beginRun(
  clock: Clock,
  { exportStack, interrupted }: Pick<Run, "interrupted"> & { readonly exportStack?: ExportStack | undefined },
): Run {
  return {
    history: trackHistory(),
    ownership: trackOwnership(),
    backend: openStackBackend(exportStack),
    openCreates: new Set(),
    deleted: new Set(),
    beganAtMs: clock.monotonicMs(),
    namedRecent: new Set(),
    interrupted,
  };
}
