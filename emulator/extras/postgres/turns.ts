/** The tasks of one key: the last task that runs alone, and the tasks after it, which run side by side. */
interface Queue {
  readonly alone: Promise<unknown>;
  readonly together: Set<Promise<unknown>>;
}

/**
 * Runs the tasks of one key one after the other, except that tasks added by `share` run side by side. Tasks of other keys
 * do not wait.
 */
export class Turns {
  readonly #queues = new Map<string, Queue>();

  /** Runs a task alone, when everything before it is done. */
  take<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const { alone = Promise.resolve(), together = [] } = this.#queues.get(key) ?? {};
    const turn = Promise.all([alone, ...together]).then(task);
    const queue: Queue = { alone: turn.catch(() => undefined), together: new Set() };
    this.#queues.set(key, queue);
    void queue.alone.then(() => {
      this.#forget(key, queue);
    });
    return turn;
  }

  /** Runs a task side by side with others that share the key, but never beside a task that runs alone. */
  share<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(key) ?? { alone: Promise.resolve(), together: new Set() };
    this.#queues.set(key, queue);
    const turn = queue.alone.then(task);
    const settled = turn.catch(() => undefined);
    queue.together.add(settled);
    void settled.then(() => {
      queue.together.delete(settled);
      this.#forget(key, queue);
    });
    return turn;
  }

  /** Returns when nothing is under way. */
  async rest(): Promise<void> {
    await Promise.all([...this.#queues.values()].flatMap(({ alone, together }) => [alone, ...together]));
  }

  #forget(key: string, queue: Queue): void {
    if (this.#queues.get(key) === queue && queue.together.size === 0) this.#queues.delete(key);
  }
}
