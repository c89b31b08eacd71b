/**
 * What the judgement of a change consists of: an interruption, and what a preview passes on of it as data.
 */
import type { Effect } from "./fields";
import type { ServiceName } from "./services";

/** What a compute does at this moment, if the service says so. */
export type Running = "active" | "idle" | "disabled";

/** What the service says about a compute at this moment. */
export interface Now {
  /** undefined if the service does not say: such a compute counts as active. */
  readonly running: Running | undefined;
  /** `5 min ago`, for an active compute; absent if the service does not say. */
  readonly lastAccess?: string | undefined;
}

/** What a part of a change does, beside the effect by which the whole is called. */
export interface FurtherEffect {
  /** What this part of the change does. */
  readonly effect: Exclude<Effect, "none" | "unstated">;
  /** False if only the update will know. */
  readonly certain: boolean;
}

/** A change that drops, or may drop, open connections. */
export interface Interruption {
  /** The most severe effect of the change; if a part is certain, of what is certain. */
  readonly effect: Exclude<Effect, "none">;
  /** False if only the update will know: an unknown value, or the interface does not say. */
  readonly certain: boolean;
  /** What other parts of the change do, the most severe first; absent if they do nothing else. */
  readonly also?: readonly FurtherEffect[] | undefined;
  /**
   * One sentence: the effect, its causes, and what clients notice. It does not say what the compute does now, so that a
   * saved plan stays valid: `rowText` adds that.
   */
  readonly text: string;
}

/**
 * What is said of a change, once: the property of a preview, the warning on the row and the announcement that a receipt is
 * compared with are all taken from it. The text is without live facts.
 */
export type Notice = { readonly now: Now | undefined } & (
  | ({ readonly property: "interruption" } & Interruption)
  /** What waits interrupts nothing now. */
  | {
      readonly property: "deferred";
      readonly text: string;
      readonly certain?: undefined;
      /** What the update does after all if the compute is idle by then, or its window open. */
      readonly waiting?: Interruption | undefined;
    }
);

/** The judgement of a preview as data, for the report. Members that would reveal a secret are left out. */
export interface Verdict {
  /** `none` if connections are unaffected. */
  readonly effect: Effect;
  readonly certain: boolean;
  /** Whose figures count. */
  readonly service?: ServiceName | undefined;
  /** As in `Interruption`. */
  readonly also?: readonly FurtherEffect[] | undefined;
  /** What the compute did when the preview asked the service; undefined if it did not ask, or got no answer. */
  readonly now?: Running | undefined;
  /** `5 min ago`, as in `Now`. */
  readonly lastAccess?: string | undefined;
  /** True if the service was asked, and did not answer in time or refused to. */
  readonly unasked?: boolean | undefined;
  /** The compute that the service was asked about. */
  readonly endpointId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly branchId?: string | undefined;
  readonly type?: string | undefined;
  /** What waits until the compute is idle or a window opens; `effect` is then the effect of the rest. */
  readonly deferred?:
    | {
        readonly effect: Exclude<Effect, "none">;
        /** `until it is idle, or until Sat 28 Nov 02:00 (Europe/Berlin)`. */
        readonly text: string;
        /** The same moment in ISO 8601; undefined if no window is configured. */
        readonly until?: string | undefined;
      }
    | undefined;
}
