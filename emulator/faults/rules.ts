import type { RouteName } from "../http/routes";

/** On which side of the change a fault lies: `before`, nothing was done; `after`, everything was. */
export type FaultSide = "before" | "after";

/**
 * What goes wrong. Where `when` is not given it is `before`; kinds without it happen after the change was made,
 * since they spoil an answer.
 */
export type FaultEffect =
  | {
      /** Answers with a status, and any headers and body (text as it is, anything else as JSON). */
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      readonly when?: FaultSide;
    }
  /** Waits, in real milliseconds, and goes on as usual. */
  | { readonly kind: "delay"; readonly delayMs: number; readonly when?: FaultSide }
  /** Destroys the connection without a byte. */
  | { readonly kind: "cut"; readonly when?: FaultSide }
  /** Announces the whole body, sends `keepBytes` of it (half where not given), and destroys the connection. */
  | { readonly kind: "truncate"; readonly keepBytes?: number }
  /** 200 with an HTML page. */
  | { readonly kind: "garbled" }
  /** The right status with another JSON body. */
  | { readonly kind: "wrongShape"; readonly body: unknown }
  /** The right answer, `bytes` (1 where not given) at a time, every `everyMs` real milliseconds. */
  | { readonly kind: "drip"; readonly everyMs: number; readonly bytes?: number }
  /** A body without end, as fast as the other side reads. */
  | { readonly kind: "endless" }
  /** A read that knows only what was there when the rule was added. */
  | { readonly kind: "stale" }
  /** Points elsewhere; 307 where no status is given. */
  | {
      readonly kind: "redirect";
      readonly location: string;
      readonly status?: number;
      readonly when?: FaultSide;
    }
  /** A list of operations whose cursor leads to the same page again. */
  | { readonly kind: "loopCursor" };

const kinds: readonly FaultEffect["kind"][] = [
  "status",
  "delay",
  "cut",
  "truncate",
  "garbled",
  "wrongShape",
  "drip",
  "endless",
  "stale",
  "redirect",
  "loopCursor",
];

/** Which requests a fault meets. All conditions must hold; without any, every request of the API is met. */
export interface FaultConditions {
  readonly method?: string;
  readonly route?: RouteName;
  /** A regular expression for the path, from /api/v2 on, without the query. */
  readonly path?: string;
  /** How many requests it meets; 1 where not given. */
  readonly times?: number;
  /** How many matching requests pass first; 0 where not given. */
  readonly after?: number;
}

export type FaultRule = FaultConditions & FaultEffect;

/** A rule in force. `snapshot` is what a stale answer is made from. */
export interface ActiveFault {
  readonly rule: FaultRule;
  readonly snapshot?: string;
  skip: number;
  left: number;
}

/** The rules in force, oldest first; the first that matches meets a request, and no other does. */
export class Faults {
  #active: ActiveFault[] = [];

  /**
   * @param snapshot - the state as it is now; needed for a stale answer.
   * @throws RangeError where the rule would do nothing, or something that can't be sent.
   */
  add(rule: FaultRule, snapshot?: string): void {
    refuseMeaningless(rule);
    const { after = 0, times = 1 } = rule;
    this.#active.push({ rule, skip: after, left: times, ...(snapshot !== undefined && { snapshot }) });
  }

  clear(): void {
    this.#active = [];
  }

  /** Rules that have not met all their requests. */
  left(): readonly FaultRule[] {
    return this.#active.map(({ rule }) => rule);
  }

  /** The fault that a request meets; it counts. */
  take(request: { method: string; route: string | undefined; path: string }): ActiveFault | undefined {
    for (const fault of this.#active) {
      if (!isFor(fault.rule, request)) continue;
      if (fault.skip > 0) {
        fault.skip -= 1;
        continue;
      }
      fault.left -= 1;
      if (fault.left <= 0) this.#active = this.#active.filter((other) => other !== fault);
      return fault;
    }
    return undefined;
  }
}

/** A mistyped rule that is met by nothing would make a test pass that tests nothing. */
function refuseMeaningless(rule: FaultRule): void {
  if (!kinds.includes(rule.kind)) {
    throw new RangeError(`There is no fault "${rule.kind}". Faults: ${kinds.join(", ")}.`);
  }
  const status = "status" in rule ? (rule.status ?? 307) : 200;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new RangeError(`A fault's status is 200 to 599, not ${status}.`);
  }
  if (rule.path !== undefined) new RegExp(rule.path);
}

function isFor(
  rule: FaultRule,
  request: { method: string; route: string | undefined; path: string },
): boolean {
  return (
    (rule.method === undefined || rule.method.toUpperCase() === request.method) &&
    (rule.route === undefined || rule.route === request.route) &&
    (rule.path === undefined || new RegExp(rule.path).test(request.path))
  );
}

/** On which side of the change the fault lies. */
export function sideOf(effect: FaultEffect): FaultSide {
  switch (effect.kind) {
    case "status":
    case "delay":
    case "cut":
    case "redirect":
      return effect.when ?? "before";
    case "truncate":
    case "garbled":
    case "wrongShape":
    case "drip":
    case "endless":
    case "stale":
    case "loopCursor":
      return "after";
  }
}
