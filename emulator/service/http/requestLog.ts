/** One request to the API, as it arrived and as it ended. */
export interface LoggedRequest {
  /** Counts every request since the start, including those that the log has dropped. */
  readonly number: number;
  /** Milliseconds since 1970 on the emulator's clock. */
  readonly atMs: number;
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** From /api/v2 on, without the query. */
  readonly path: string;
  /** The query as it came, without its question mark; empty if there was none. */
  readonly query: string;
  /** Name of the route; absent if none matched. */
  readonly route?: string;
  /** From the path; absent if the path has none. */
  readonly projectId?: string;
  /** From the path; for a create, from the answer. */
  endpointId?: string;
  /** Without the API key; `isAuthorized` tells whether it was right. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the request came with the right API key. */
  readonly isAuthorized: boolean;
  /** The parsed JSON, or the text if it was not JSON; absent if there was no body. */
  readonly body?: unknown;
  /** Kind of the fault that the request met. */
  fault?: string;
  /** Whether the request was carried out: false if a fault or a refusal prevented it. */
  isCommitted: boolean;
  /** Absent until a status is sent. */
  status?: number;
  /** Whether either side ended the connection before the whole answer was sent. */
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
    // The log is cut only once it has twice its maximum length, so that most requests copy nothing.
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
