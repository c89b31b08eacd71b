interface Entry {
  readonly key: string;
  readonly dueMs: number;
}

/**
 * What has to be looked at, and when: the earliest first.
 *
 * With it a look costs as much as there is to do, not as much as there is; ten thousand computes at rest are free.
 */
export class DueQueue {
  /** A binary heap by time; entries that `#dueMs` no longer agrees with are skipped. */
  readonly #heap: Entry[] = [];
  readonly #dueMs = new Map<string, number>();

  /** Sets when `key` is to be looked at, in place of what was set before. Infinity is never. */
  set(key: string, dueMs: number): void {
    if (this.#dueMs.get(key) === dueMs) return;
    if (dueMs === Number.POSITIVE_INFINITY) {
      this.#dueMs.delete(key);
      return;
    }
    this.#dueMs.set(key, dueMs);
    this.#push({ key, dueMs });
  }

  /** Takes out the key that is due earliest; undefined where none is due by `nowMs`. */
  take(nowMs: number): string | undefined {
    for (let first = this.#heap[0]; first && first.dueMs <= nowMs; first = this.#heap[0]) {
      this.#pop();
      if (this.#dueMs.get(first.key) !== first.dueMs) continue;
      this.#dueMs.delete(first.key);
      return first.key;
    }
    return undefined;
  }

  #push(entry: Entry): void {
    let at = this.#heap.length;
    this.#heap.push(entry);
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = this.#heap[parentAt];
      if (!parent || parent.dueMs <= entry.dueMs) break;
      this.#heap[at] = parent;
      at = parentAt;
    }
    this.#heap[at] = entry;
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    let at = 0;
    for (;;) {
      const [child, childAt] = this.#earlierChild(at);
      if (!child || child.dueMs >= last.dueMs) break;
      this.#heap[at] = child;
      at = childAt;
    }
    this.#heap[at] = last;
  }

  #earlierChild(at: number): [Entry | undefined, number] {
    const left = this.#heap[2 * at + 1];
    const right = this.#heap[2 * at + 2];
    return right && left && right.dueMs < left.dueMs ? [right, 2 * at + 2] : [left, 2 * at + 1];
  }
}
