/**
 * The words about a change for the row of its resource, and the verdict: the same as data, for the report. Pure.
 */
import type { Effect } from "./fields";
import { effects, runsNothing, verbs, type FurtherEffect, type Now, type Running } from "./interruption";
import type { ServiceName } from "./services";

/** What the preview knows about the compute at this moment. */
interface Facts {
  /** False if only the update will show the effect. */
  readonly certain?: boolean | undefined;
  /** undefined if the service was not asked, or does not say. */
  readonly now: Now | undefined;
  /** True if asking the service failed: it did not answer in time, or refused the request. */
  readonly unasked?: boolean | undefined;
}

/** The judgement of a preview as data, for the report. Members that would reveal a secret are left out. */
export interface Verdict {
  /** `none` if connections are unaffected. */
  readonly effect: Effect;
  readonly certain: boolean;
  /** The service whose figures apply. */
  readonly service?: ServiceName | undefined;
  /** As in `Interruption`. */
  readonly also?: readonly FurtherEffect[] | undefined;
  /** What the compute was doing when the preview asked the service; undefined if it did not ask, or got no answer. */
  readonly now?: Running | undefined;
  /** `5 min ago`, as in `Now`. */
  readonly lastAccess?: string | undefined;
  /** True if asking the service failed: it did not answer in time, or refused the request. */
  readonly unasked?: boolean | undefined;
  /** The compute that the service was asked about. */
  readonly endpointId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly branchId?: string | undefined;
  readonly type?: string | undefined;
  /** The change that waits until the compute is idle or a window opens; the outer `effect` does not count it. */
  readonly deferred?:
    | {
        readonly effect: Exclude<Effect, "none">;
        /** `until an update finds the compute idle or runs in the window from Sat 28 Nov 02:00 (Europe/Berlin)`. */
        readonly text: string;
      }
    | undefined;
}
/**
 * The notice as a sentence for the resource's row. It adds what the compute is doing now, right after the words about open
 * connections.
 */
export function rowText(text: string, { certain, ...facts }: Facts): string {
  const sentence = certain === false ? text.replace(/^(may )?/, "may ") : text;
  const shown = factsText(facts);
  if (shown === undefined) return sentence;
  // Greedy, since a name that the user chose may contain the same words.
  return sentence.replace(/^[^]*open connections(, pooled ones too| drop| survive)?/, `$& (${shown})`);
}

const unaskedText = "the service could not be asked what the compute does now";

function factsText({ now, unasked }: Facts): string | undefined {
  if (unasked === true) return unaskedText;
  if (now?.running === undefined) return undefined;
  const { running, lastAccess } = now;
  const access = lastAccess === undefined ? "" : `, last access ${lastAccess}`;
  return running === "active" ? `compute active now${access}` : `compute ${running} now: none are open`;
}

/** How a row begins if the change could interrupt a compute, but does not interrupt this compute as it is now. */
const calm = "nothing is interrupted: ";

/** @param running - what the compute is doing now. */
export function calmText(running: Running | undefined): string {
  return `${calm}${running === "disabled" ? "the compute is disabled now" : "the service already has these values"}`;
}

/**
 * Reads the judgement from the sentence on a row: the dynamic provider has no other way to pass it from the diff to the report.
 * Undefined for a text without a judgement.
 */
export function verdictOnRow(text: string): Verdict | undefined {
  if (text.startsWith(calm)) return { effect: "none", certain: true };
  const unasked = text.includes(unaskedText) ? true : undefined;
  const form = `^(may )?(${Object.values(verbs).join("|")})(?:, deferred (until [^]*?))?: `;
  const [, may, verb, until] = new RegExp(form, "u").exec(text) ?? [];
  const effect = effects.find((each) => verbs[each] === verb);
  if (effect === undefined) return undefined;
  // Greedy, as in `rowText`.
  const [, rest = ""] = /^[^]*open connections(?:, pooled ones too| drop| survive)?([^]*)$/.exec(text) ?? [];
  const [, now, lastAccess] =
    /^ \(compute (active|idle|disabled) now(?:, last access ([^)]*))?/.exec(rest) ?? [];
  const facts = { now: now as Running | undefined, lastAccess, unasked };
  if (until !== undefined)
    return { ...facts, effect: "none", certain: true, deferred: { effect, text: until } };
  return { ...facts, effect, certain: may === undefined, also: alsoIn(rest) };
}

/** Reads what other parts of the change do, in the words of `interruptionOf`. */
function alsoIn(rest: string): readonly FurtherEffect[] | undefined {
  const [, list] = /^(?: \([^)]*\))?; also: ((?:(?:may )?\w+(?:, )?)+)/.exec(rest) ?? [];
  return list?.split(", ").flatMap((part) => {
    const effect = effects.find((each) => part.replace("may ", "") === verbs[each]);
    if (effect === undefined || effect === "unstated") return [];
    return [{ effect, certain: !part.startsWith("may ") }];
  });
}

/** Whether a warning on a row is a notice. Other warnings are about something else. */
export function isNotice(warning: string): boolean {
  return !warning.startsWith(calm) && verdictOnRow(warning) !== undefined;
}

/**
 * Reads from a notice what changes: `size 1 → 2 CU`. Words before the sentence of `interruptionOf` do not matter. Undefined
 * for any other text.
 */
export function changeIn(text: string): string | undefined {
  const form = `(?:^|: )(?:may )?(?:${Object.values(verbs).join("|")})(?:, deferred until .+?)?: (.+?)(?: drops?| may drop| creates?| may create|; the service) `;
  return new RegExp(form, "su").exec(text)?.[1];
}

/** Whether open connections drop. An idle or disabled compute has no open connections. */
export function dropsOf({
  effect,
  certain,
  now,
}: Pick<Verdict, "effect" | "certain" | "now">): "yes" | "may" | "no" {
  if (effect === "none" || runsNothing(now)) return "no";
  return certain ? "yes" : "may";
}
