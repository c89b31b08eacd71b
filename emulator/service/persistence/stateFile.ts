/**
 * Writes the emulator's state to a file a moment after each change.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { replace } from "./replace";

/** How long a change waits, so that further changes are written with it, in real milliseconds. */
const batchMs = 20;

/**
 * A file that always holds one whole state: each state is written to a second file, which then replaces the first.
 */
export class StateFile {
  readonly #path: string;
  readonly #content: () => string;
  #timer: NodeJS.Timeout | undefined;
  /** True if the last write failed: the file lacks a change, and no write is planned. */
  #isBehind = false;
  #writing: Promise<void> = Promise.resolve();

  /** @param content - called when the file is written, which is later than the change. */
  constructor(path: string, content: () => string) {
    this.#path = path;
    this.#content = content;
  }

  /** @returns undefined if the file does not exist yet. */
  read(): string | undefined {
    return existsSync(this.#path) ? readFileSync(this.#path, "utf8") : undefined;
  }

  /** Plans to write the state soon. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      // The next change triggers another write. If that fails too, the last `flush` throws the error.
      this.flush().catch(() => undefined);
    }, batchMs);
  }

  /** Writes the changes that are not in the file yet. @throws the file system's error */
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
    // The file contains secret settings. `wx` does not follow a link that another user has put there.
    await rm(beside, { force: true });
    const file = await open(beside, "wx", 0o600);
    try {
      await file.writeFile(this.#content());
    } finally {
      await file.close();
    }
    await replace(beside, this.#path);
    this.#isBehind = false;
  }
}
