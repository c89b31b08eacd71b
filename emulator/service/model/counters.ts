/** Every cause of an interruption, and what it does to the compute (interface 3.1). */
const effectOf = {
  size: "restarts",
  restart: "restarts",
  move: "suspends",
  disabled: "suspends",
  delete: "removes",
  suspend: "suspends",
  settings: "restarts",
  pooler: "restarts",
} as const;

/**
 * Why a compute was interrupted.
 *
 * @useDeclaredType
 */
export type Cause = keyof typeof effectOf;

export const causes = Object.keys(effectOf) as readonly Cause[];

/** Whether any of the causes does this to the compute. */
export function anyOf(why: readonly Cause[], effect: "restarts" | "suspends"): boolean {
  return why.some((cause) => effectOf[cause] === effect);
}

/** What happened to the connections of one compute. */
export interface Counters {
  /** Changes that restarted the compute while it was active. */
  restarts: number;
  /** Changes that dropped open connections: the compute was active. */
  connectionsDropped: number;
  /** Changes that would drop the connections of an active compute, whether or not this compute was active. */
  interruptions: number;
  /** `connectionsDropped` by cause; a change with two causes counts under both. */
  readonly droppedBy: Record<Cause, number>;
  /** `interruptions` by cause. */
  readonly causes: Record<Cause, number>;
}

/**
 * Counts the interruptions of every compute. Tests compare what a preview announces with these counts.
 *
 * Counters outlive their endpoint: a delete is counted too.
 */
export class InterruptionCounters {
  readonly #counters = new Map<string, Counters>();

  /** The counters of an endpoint; all are zero if nothing has interrupted it. */
  of(endpointId: string): Counters {
    return this.#counters.get(endpointId) ?? newCounters();
  }

  /**
   * Counts one change.
   *
   * @param why - every cause in the change; empty if the change interrupts nothing.
   */
  count(endpoint: { readonly id: string; readonly currentState: string }, why: readonly Cause[]): void {
    if (why.length === 0) return;
    const counters = this.of(endpoint.id);
    this.#counters.set(endpoint.id, counters);
    const isActive = endpoint.currentState === "active";
    counters.interruptions += 1;
    for (const cause of why) counters.causes[cause] += 1;
    if (!isActive) return;
    counters.connectionsDropped += 1;
    for (const cause of why) counters.droppedBy[cause] += 1;
    if (anyOf(why, "restarts")) counters.restarts += 1;
  }

  entries(): [string, Counters][] {
    return [...this.#counters];
  }

  restore(entries: readonly (readonly [string, Counters])[]): void {
    for (const [id, counters] of entries) this.#counters.set(id, counters);
  }
}

function newCounters(): Counters {
  const none = (): Record<Cause, number> =>
    Object.fromEntries(causes.map((cause) => [cause, 0])) as Record<Cause, number>;
  return { restarts: 0, connectionsDropped: 0, interruptions: 0, droppedBy: none(), causes: none() };
}
