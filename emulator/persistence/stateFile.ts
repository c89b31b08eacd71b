import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** How long a change waits for others to be written with it, in real milliseconds. */
const gatherMs = 20;

/**
 * A file that always holds one whole state: written beside it, then renamed over it.
 *
 * Changes that follow each other closely are written once.
 */
export class StateFile {
  readonly #path: string;
  readonly #content: () => string;
  #timer: NodeJS.Timeout | undefined;
  /** The last attempt failed: the file lacks something though no change is waiting. */
  #isBehind = false;
  #writing: Promise<void> = Promise.resolve();

  /** @param content - asked for when the file is written, not when the change happens. */
  constructor(path: string, content: () => string) {
    this.#path = path;
    this.#content = content;
  }

  /** @returns undefined where there is no file yet. */
  read(): string | undefined {
    return existsSync(this.#path) ? readFileSync(this.#path, "utf8") : undefined;
  }

  /** Sees to it that the state as it is now is soon on disk. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      // A failure is not lost: the next change tries again, and `flush`, the last word, throws it.
      this.flush().catch(() => undefined);
    }, gatherMs);
  }

  /** Writes what has not been written. @throws the file system's error */
  async flush(): Promise<void> {
    if (this.#timer || this.#isBehind) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    }
    await this.#writing;
  }

  async #write(): Promise<void> {
    this.#isBehind = true;
    mkdirSync(dirname(this.#path), { recursive: true });
    const beside = `${this.#path}.${process.pid}.tmp`;
    const file = await open(beside, "w");
    try {
      await file.writeFile(this.#content());
    } finally {
      await file.close();
    }
    await rename(beside, this.#path);
    this.#isBehind = false;
  }
}
