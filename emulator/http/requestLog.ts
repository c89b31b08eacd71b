/** One request to the API, as it arrived and as it ended. */
export interface LoggedRequest {
  /** Counts all requests since the start, also those no longer kept. */
  readonly number: number;
  /** Milliseconds since 1970 on the emulator's clock. */
  readonly atMs: number;
  readonly method: string;
  /** From /api/v2 on, without the query. */
  readonly path: string;
  readonly query: string;
  /** Name of the route; absent where none matched. */
  readonly route?: string;
  readonly projectId?: string;
  /** Of the path; for a create, of the answer. */
  endpointId?: string;
  /** Without the key: whether it was right is in `isAuthorized`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isAuthorized: boolean;
  /** Parsed where it was JSON, else the text; absent where there was none. */
  readonly body?: unknown;
  /** Kind of the fault that it met. */
  fault?: string;
  /** Whether the service's part was done: false where a fault or a refusal came before it. */
  isCommitted: boolean;
  /** Absent where no status was sent, or not yet. */
  status?: number;
  /** The connection ended before the whole answer was sent, from whichever side. */
  isAborted: boolean;
}

/** The last requests, in the order of their arrival. */
export class RequestLog {
  readonly #most: number;
  #entries: LoggedRequest[] = [];
  #number = 0;

  constructor(most = 10_000) {
    this.#most = most;
  }

  add(request: Omit<LoggedRequest, "number" | "isCommitted" | "isAborted">): LoggedRequest {
    this.#number += 1;
    const entry: LoggedRequest = { number: this.#number, ...request, isCommitted: false, isAborted: false };
    this.#entries.push(entry);
    // Trimmed by half, so that a full log costs no copy per request.
    if (this.#entries.length >= this.#most * 2) this.#entries = this.#entries.slice(-this.#most);
    return entry;
  }

  list(): readonly LoggedRequest[] {
    return this.#entries.slice(-this.#most);
  }

  clear(): void {
    this.#entries = [];
  }
}
