/** Decides how later operations go through their statuses (interface 3.2). */
export interface TimelineRule {
  /** Only operations of this action; default: of all. */
  readonly action?: string;
  /** Only operations of this project; default: of all. */
  readonly projectId?: string;
  /** Only operations on this endpoint; default: on all. */
  readonly endpointId?: string;
  /** For how many operations the rule holds; default: all. */
  readonly times?: number;
  /** Milliseconds in `scheduling`; default 0. */
  readonly schedulingMs?: number;
  /** Milliseconds in `running`; default: the emulator's `operationMs`. */
  readonly runningMs?: number;
  /** The last status; default `finished`. Any text is allowed, because clients must cope with unknown statuses. */
  readonly endStatus?: string;
  /** The status that the operation never leaves. */
  readonly stuck?: "scheduling" | "running";
  /** Shown in the answer that made it; after that, it is neither listed nor found. */
  readonly vanished?: boolean;
}

const members: Readonly<Record<keyof TimelineRule, true>> = {
  action: true,
  projectId: true,
  endpointId: true,
  times: true,
  schedulingMs: true,
  runningMs: true,
  endStatus: true,
  stuck: true,
  vanished: true,
};

/** The names of what a rule may have. */
export const timelineMembers: ReadonlySet<string> = new Set(Object.keys(members));

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

/** The rules in force. The newest rule that matches wins. */
export class Timelines {
  readonly #operationMs: number;
  #rules: { readonly rule: TimelineRule; left: number }[] = [];

  /** @param operationMs - how long an operation runs by default, in milliseconds. */
  constructor(operationMs: number) {
    this.#operationMs = operationMs;
  }

  add(rule: TimelineRule): void {
    this.#rules.unshift({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#rules = [];
  }

  /** Decides the timeline of a new operation, and counts it against its rule's `times`. */
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
