/**
 * The faults that tests can set, and which request meets which fault.
 */
import type { RouteName } from "../http/routes";

/** When a fault happens: `before` the request is carried out, so that nothing changes, or `after` it. */
export type FaultSide = "before" | "after";

/** What goes wrong. Kinds without `when` spoil the answer, so the request is carried out first. */
export type FaultEffect =
  | {
      /** Answers with another status, and leaves the connection intact. */
      readonly kind: "status";
      /** 200 to 599. */
      readonly status: number;
      /** More headers. By default there are only the usual ones, such as Content-Type. */
      readonly headers?: Readonly<Record<string, string>>;
      /** A text is sent unchanged, anything else as JSON. */
      readonly body?: unknown;
      /** Default `before`. */
      readonly when?: FaultSide;
    }
  | {
      /** Waits, then goes on as usual. */
      readonly kind: "delay";
      /** Real milliseconds, whatever the emulator's clock does. */
      readonly delayMs: number;
      /** Default `before`. */
      readonly when?: FaultSide;
    }
  | {
      /** Destroys the connection without a byte. */
      readonly kind: "cut";
      /** Default `before`. */
      readonly when?: FaultSide;
    }
  | {
      /** Announces the whole body, sends part of it, and destroys the connection. */
      readonly kind: "truncate";
      /** How many bytes are sent. Default: half. */
      readonly keepBytes?: number;
    }
  | {
      /** 200 with an HTML page. */
      readonly kind: "garbled";
    }
  | {
      /** The right status with another JSON body. */
      readonly kind: "wrongShape";
      /** The other body. */
      readonly body: unknown;
    }
  | {
      /** The right answer in pieces. */
      readonly kind: "drip";
      /** Real milliseconds from one piece to the next. */
      readonly everyMs: number;
      /** How long a piece is, in bytes. Default 1. */
      readonly bytes?: number;
    }
  | {
      /** A body without end, sent as fast as the client reads. */
      readonly kind: "endless";
    }
  | {
      /** The answer as it would have been when the rule was added. */
      readonly kind: "stale";
    }
  | {
      /** Redirects elsewhere. */
      readonly kind: "redirect";
      /** Where to: an address, or a path. */
      readonly location: string;
      /** Default 307. */
      readonly status?: number;
      /** Default `before`. */
      readonly when?: FaultSide;
    }
  | {
      /** A list of operations whose cursor leads to the same page again. */
      readonly kind: "loopCursor";
    };

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

/**
 * Which requests a fault meets. All conditions must hold; without conditions, the fault meets every request to the API.
 */
export interface FaultConditions {
  /** The request's method, such as `POST`, in upper or lower case. */
  readonly method?: string;
  /** The route that the request takes. */
  readonly route?: RouteName;
  /** A regular expression for the path, from /api/v2 on, without the query. */
  readonly path?: string;
  /** How many requests it meets; default 1. */
  readonly times?: number;
  /** How many matching requests pass first; default 0. */
  readonly after?: number;
}

/** A fault, and which requests it meets. */
export type FaultRule = FaultConditions & FaultEffect;

/** A rule in force. A stale answer is made from `snapshot`. */
export interface ActiveFault {
  readonly rule: FaultRule;
  readonly snapshot?: string;
  skip: number;
  left: number;
}

/** The rules in force, oldest first. A request meets the first rule that matches it, and no other. */
export class Faults {
  #active: ActiveFault[] = [];

  /**
   * @param snapshot - the store as it is now; a stale answer is made from it.
   * @throws RangeError if there is no such kind of fault, or if its answer cannot be sent.
   */
  add(rule: FaultRule, snapshot?: string): void {
    refuseMeaningless(rule);
    const { after = 0, times = 1 } = rule;
    this.#active.push({ rule, skip: after, left: times, ...(snapshot !== undefined && { snapshot }) });
  }

  clear(): void {
    this.#active = [];
  }

  /** The rules that still wait for requests. */
  left(): readonly FaultRule[] {
    return this.#active.map(({ rule }) => rule);
  }

  /** Finds the fault that a request meets, and counts the request. */
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

/** Refuses a mistyped rule: no request would meet it, and the test that adds it would pass without testing anything. */
function refuseMeaningless(rule: FaultRule): void {
  if (!kinds.includes(rule.kind)) {
    throw new RangeError(`There is no fault "${rule.kind}". Faults: ${kinds.join(", ")}.`);
  }
  const status = "status" in rule ? (rule.status ?? 307) : 200;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new RangeError(`A fault's status must be from 200 to 599, not ${status}.`);
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
