/**
 * What `--out` writes, and what the table shows. The JSON Schema of it is made of these types.
 */
import type { RequestErrorKind } from "../provider/model/errors";
import type { Effect } from "../provider/model/fields";
import type { Receipt } from "../provider/lifecycle/receipt";
import type { ServiceName } from "../provider/model/services";

/** Rises only if a change breaks readers. */
export const verificationVersion = 1;

export const changeResults = ["true", "false alarm", "missed", "cannot tell"] as const;

/**
 * - `true`: what was announced happened, or nothing was announced and nothing happened.
 * - `false alarm`: an interruption was announced, and there was none.
 * - `missed`: connections dropped, and nothing had said so.
 * - `cannot tell`: neither the service nor a connection shows it.
 */
export type ChangeResult = (typeof changeResults)[number];

/** What a change did to a compute, beside what was announced. No member has a key, a host or an id. */
export interface VerifiedChange {
  /** `size up`. */
  readonly change: string;
  readonly compute: "primary" | "replica";
  readonly announced: {
    /** `none` if connections are unaffected. */
    readonly effect: Effect;
    /** False for a "may". */
    readonly certain: boolean;
    /** What a preview warns of; absent if it does not. */
    readonly notice?: string;
  };
  /** What the service showed; absent if the change was not made. */
  readonly service?: SeenAtService;
  /** What an open connection saw; absent if none was open. */
  readonly connection?: SeenByConnection;
  readonly result: ChangeResult;
  /** Why the change was not made, or did not end well. */
  readonly failure?: VerifiedFailure;
  /** The provider's requests, by method. */
  readonly requests: Readonly<Record<string, number>>;
  /** From the first request to the last answer, in milliseconds. */
  readonly tookMs: number;
}

/** What operations, times and states showed. */
export interface SeenAtService {
  /** What that means, as a receipt says it. */
  readonly happened: Receipt["happened"];
  readonly operations: readonly {
    readonly action: string;
    readonly status: string;
    /** From its creation to its end, in milliseconds; absent if the service does not say. */
    readonly tookMs?: number;
  }[];
  /** Whether `started_at` moved; absent if the service does not show it. */
  readonly startedAt?: "moved" | "same";
  /** In the order in which they were seen; one that was short may be missing. */
  readonly states: readonly string[];
}

/** What an open connection saw. */
export interface SeenByConnection {
  /** `57P01`: the code of the error; absent if the connection stood. */
  readonly lost?: string;
  /** Until a query was answered again, in milliseconds; absent if that took longer than the change was looked at. */
  readonly awayMs?: number;
}

/** Why a change was not made, or did not end well. */
export interface VerifiedFailure {
  readonly kind: RequestErrorKind | "operation" | "other";
  /** In the provider's words, with placeholders for ids and hosts. */
  readonly what: string;
}

/** What `compute-verify --out` writes. */
export interface Verification {
  readonly version: typeof verificationVersion;
  /** This package's version; absent if it is not known. */
  readonly packageVersion?: string;
  /** Which service the provider took it for. */
  readonly service: ServiceName;
  /** `complete`: every change was tried. `stopped`: by an error or a signal. */
  readonly ended: "complete" | "stopped";
  /** Why it stopped. */
  readonly failure?: VerifiedFailure;
  readonly counts: Readonly<Record<ChangeResult, number>>;
  readonly changes: readonly VerifiedChange[];
  /** How many computes could not be deleted, or may be left. */
  readonly left: number;
}
