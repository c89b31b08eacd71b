/** Runs tasks of one key one after the other; tasks of different keys run side by side. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(task, task);
    const settled = turn.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  /** Returns when nothing is under way. */
  async rest(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
