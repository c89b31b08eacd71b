/** How operations to come go through their statuses (interface 3.2). */
export interface TimelineRule {
  /** Only operations of this action, project or endpoint; without them, every one. */
  readonly action?: string;
  readonly projectId?: string;
  readonly endpointId?: string;
  /** How many operations it holds for; without it, all of them. */
  readonly times?: number;
  /** Milliseconds in `scheduling`; 0 where not given. */
  readonly schedulingMs?: number;
  /** Milliseconds in `running`; the emulator's `operationMs` where not given. */
  readonly runningMs?: number;
  /** Status that it ends in; `finished` where not given. Any text is taken: clients must bear unknown ones. */
  readonly endStatus?: string;
  /** The status that it never leaves. */
  readonly stuck?: "scheduling" | "running";
  /** Answered with the request that made it, then neither listed nor found. */
  readonly vanished?: boolean;
}

/** The part of a rule that an operation keeps. */
export interface Timeline {
  readonly schedulingMs: number;
  readonly runningMs: number;
  readonly endStatus: string;
  readonly stuck?: "scheduling" | "running";
  readonly vanished?: boolean;
}

interface About {
  readonly action: string;
  readonly projectId: string;
  readonly endpointId?: string;
}

/** The rules in force; the one set last wins. */
export class Timelines {
  readonly #operationMs: number;
  #rules: { readonly rule: TimelineRule; left: number }[] = [];

  /** @param operationMs - how long an operation runs where no rule says otherwise, in milliseconds. */
  constructor(operationMs: number) {
    this.#operationMs = operationMs;
  }

  add(rule: TimelineRule): void {
    this.#rules.unshift({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#rules = [];
  }

  /** The timeline of a new operation; using a rule up counts. */
  take(about: About): Timeline {
    const found = this.#rules.find(({ rule, left }) => left > 0 && isFor(rule, about));
    if (found) found.left -= 1;
    const {
      schedulingMs = 0,
      runningMs = this.#operationMs,
      endStatus = "finished",
      stuck,
      vanished,
    } = found?.rule ?? {};
    return { schedulingMs, runningMs, endStatus, ...(stuck && { stuck }), ...(vanished && { vanished }) };
  }
}

function isFor(rule: TimelineRule, about: About): boolean {
  return (
    (rule.action === undefined || rule.action === about.action) &&
    (rule.projectId === undefined || rule.projectId === about.projectId) &&
    (rule.endpointId === undefined || rule.endpointId === about.endpointId)
  );
}
