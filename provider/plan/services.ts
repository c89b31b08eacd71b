/**
 * Where a plan gets its facts (the service, Pulumi's backend, and what this run knows), and what it finds.
 */
import type { ComputePlace } from "../model/inputs";
import type { Ownership } from "../run/ownership";
import type { KnownStack } from "../run/stackBackend";
import type { ProviderConfig } from "../settings/config";
import type { Judgement } from "./judge";
import type { LiveRead, LiveReads } from "./live";

export interface PlanServices {
  readonly config: ProviderConfig;
  readonly liveReads: Pick<LiveReads, "readLive">;
  readonly ownership: Pick<Ownership, "take" | "declarePrimary">;
  /** What earlier runs may have created on the branch of a new replica. */
  readonly previewReplica: (place: ComputePlace) => Promise<Findings>;
  /** What Pulumi's backend knows about the stack; undefined if the backend gave no answer. The first call asks the backend. */
  readonly backend: () => Promise<Pick<KnownStack, "cutOffFor" | "holderOf"> | undefined>;
  /** Resolves after `ms` milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** Wall time of this machine in milliseconds. */
  readonly now: () => number;
}

/** What a plan has found at the place of a new resource, as far as that is known. */
export interface Findings {
  /** What the declaration does to an existing compute; undefined if it only creates a new one. */
  readonly judgement?: Judgement | undefined;
  /** What the service answered about the compute; undefined if it was not asked. */
  readonly read?: LiveRead | undefined;
  /** Why the declaration is refused. */
  readonly problem?: string | undefined;
  readonly warning?: string | undefined;
}
