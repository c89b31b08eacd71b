/**
 * The form of what `--out` writes, and of what the table shows. The JSON Schema is generated from these types.
 */
import type { RequestErrorKind } from "../provider/model/errors";
import type { Effect } from "../provider/model/fields";
import type { Receipt } from "../provider/lifecycle/receipt";
import type { ServiceName } from "../provider/model/services";

/** Increases only if a change breaks readers. */
export const verificationVersion = 1;

export const changeResults = ["true", "false alarm", "missed", "cannot tell"] as const;

/**
 * - `true`: what was announced happened, or nothing was announced and nothing happened.
 * - `false alarm`: an interruption was announced, but did not happen.
 * - `missed`: connections dropped without an announcement.
 * - `cannot tell`: neither the service nor a connection shows what happened, or the two contradict each other.
 */
export type ChangeResult = (typeof changeResults)[number];

/** What a change did to a compute, and what was announced. No member contains a key, a host or an id. */
export interface VerifiedChange {
  /** Name of the change: `size up`. */
  readonly change: string;
  readonly compute: "primary" | "replica";
  readonly announced: {
    /** `none` if connections are unaffected. */
    readonly effect: Effect;
    /** False if the announcement says "may". */
    readonly certain: boolean;
    /** The warning of the preview; absent if it gives none. */
    readonly notice?: string;
  };
  /** What the service showed; absent if the change was not made. */
  readonly service?: SeenAtService;
  /** What an open connection saw; absent if none was open. */
  readonly connection?: SeenByConnection;
  readonly result: ChangeResult;
  /** Why the change was not made, or how it failed. */
  readonly failure?: VerifiedFailure;
  /** The provider's requests, by method. */
  readonly requests: Readonly<Record<string, number>>;
  /** From the first request to the last answer, in milliseconds. */
  readonly tookMs: number;
}

/** What the operations, times and states of a compute showed. */
export interface SeenAtService {
  /** What happened to connections, in the word of a receipt. */
  readonly happened: Receipt["happened"];
  readonly operations: readonly {
    readonly action: string;
    readonly status: string;
    /** From its creation to its end, in milliseconds; absent if the service does not say. */
    readonly tookMs?: number;
  }[];
  /** Whether `started_at` changed; absent if the service does not show it. */
  readonly startedAt?: "moved" | "same";
  /** In the order in which they were seen; a short state may be missing. */
  readonly states: readonly string[];
}

/** What an open connection saw. */
export interface SeenByConnection {
  /** The error code, such as `57P01`; absent if the connection was not lost. */
  readonly lost?: string;
  /** Time until a query was answered again, in milliseconds; absent if it took longer than `compute-verify` waited. */
  readonly awayMs?: number;
}

/** Why a change was not made, or how it failed. */
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
  /** Which service it is, as configured or detected from its address. */
  readonly service: ServiceName;
  /** `complete`: every change was tried. `stopped`: an error or a signal ended it early. */
  readonly ended: "complete" | "stopped";
  /** Why it stopped. */
  readonly failure?: VerifiedFailure;
  readonly counts: Readonly<Record<ChangeResult, number>>;
  readonly changes: readonly VerifiedChange[];
  /** How many computes could not be deleted, or may be left over. */
  readonly left: number;
}
