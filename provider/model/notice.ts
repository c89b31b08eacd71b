/**
 * What is said of a change: the notice is its sentence, the verdict the same as data for the report. Pure.
 */
import type { Effect } from "./fields";
import {
  effects,
  runsNothing,
  verbs,
  type FurtherEffect,
  type Interruption,
  type Now,
  type Running,
} from "./interruption";
import type { ServiceName } from "./services";

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
/** What is said of a change, and the same for the report. */
export interface Announcement {
  readonly notice?: Notice | undefined;
  readonly verdict?: Verdict | undefined;
}

/**
 * A sentence for the resource's row: what the service says of the compute now follows the connections.
 */
export function rowText({ property, text, certain, now }: Notice): string {
  const words = certain === false ? text.replace(/^(may )?/, "may ") : text;
  const sentence = property === "deferred" ? `deferred ${text}` : words;
  if (now?.running === undefined) return sentence;
  const { running, lastAccess } = now;
  const access = lastAccess === undefined ? "" : `, last access ${lastAccess}`;
  const facts = running === "active" ? `active now${access}` : `${running} now: none is open`;
  // Greedy: a name of the user's may contain the same words.
  return sentence.replace(/^[^]*open connections(, pooled ones too| drop| survive)?/, `$& (${facts})`);
}

/** The parts of a notice, of whatever judgement. Any other text has no effect. */
export function noticeParts(text: string): {
  readonly effect: Interruption["effect"] | undefined;
  readonly certain: boolean;
  /** `until it is idle`, of what waits. */
  readonly until: string | undefined;
} {
  const form = `^(?:deferred (until [^]*?): )?(may )?(${Object.values(verbs).join("|")}): `;
  const [, until, may, verb] = new RegExp(form, "u").exec(text) ?? [];
  const effect = effects.find((each) => verbs[each] === verb);
  return { effect, certain: may === undefined, until };
}

/** Whether a warning of a row is a notice: any other one says something else. */
export function isNotice(warning: string): boolean {
  return noticeParts(warning).effect !== undefined;
}

/**
 * What changes, out of a notice of `interruptionOf`, whatever stands before it (`deferred until …: `): `size 1 → 2 CU`.
 * undefined for any other text.
 */
export function changeIn(text: string): string | undefined {
  const form = `(?:^|: )(?:may )?(?:${Object.values(verbs).join("|")}): (.+?),? (?:drops|makes|changes,) `;
  return new RegExp(form, "su").exec(text)?.[1];
}

/** Whether open connections drop. An idle or disabled compute has none. */
export function dropsOf({
  effect,
  certain,
  now,
}: Pick<Verdict, "effect" | "certain" | "now">): "yes" | "may" | "no" {
  if (effect === "none" || runsNothing(now)) return "no";
  return certain ? "yes" : "may";
}
