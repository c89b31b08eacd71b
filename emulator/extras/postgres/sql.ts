/**
 * The host's own connection to one of its Postgres servers, for SQL statements.
 */
import net from "node:net";
import { errorFields, Frames, message, protocolVersion3, startupMessage } from "./protocol";

/** The host's own role: a superuser. The proxy lets no client use this role. */
export const hostRole = "compute_host";

interface SqlAddress {
  readonly socket: string;
  readonly database: string;
  readonly password: string;
}

/** A connection of the host to one of its servers. It runs one query after the other. */
export class Sql {
  readonly #socket: net.Socket;
  readonly #frames: Frames;
  #rows: string[][] = [];
  #error: Error | undefined;
  #settle: (() => void) | undefined;

  private constructor(socket: net.Socket, password: string) {
    this.#socket = socket;
    this.#frames = new Frames("RDE", (type, body) => {
      this.#take(type, body, password);
    });
    socket.on("data", (chunk) => {
      this.#frames.take(chunk);
    });
    const lost = (cause?: Error): void => {
      this.#error ??= cause ?? new Error("The server closed the connection.");
      this.#settle?.();
    };
    socket.once("error", lost).once("close", () => {
      lost();
    });
  }

  /** @throws Error with the server's words */
  static async connect({ socket: path, database, password }: SqlAddress): Promise<Sql> {
    const socket = net.connect(path);
    const sql = new Sql(socket, password);
    const parameters = new Map(
      Object.entries({ user: hostRole, database, application_name: "compute host" }),
    );
    await sql.#ask(startupMessage(protocolVersion3, parameters));
    return sql;
  }

  /** Runs statements. @returns the rows of all of them, as texts @throws Error with the server's words */
  async query(text: string): Promise<string[][]> {
    this.#rows = [];
    await this.#ask(message("Q", Buffer.from(`${text}\0`)));
    return this.#rows;
  }

  end(): void {
    this.#socket.end(message("X", Buffer.alloc(0)));
  }

  async #ask(bytes: Buffer): Promise<void> {
    if (!this.#error) {
      const answered = new Promise<void>((resolve) => (this.#settle = resolve));
      this.#socket.write(bytes);
      await answered;
    }
    const error = this.#error;
    if (error === undefined) return;
    if (!this.#socket.destroyed && this.#isReady) this.#error = undefined;
    else this.#socket.destroy();
    throw error;
  }

  /** False until the server has accepted the host. Until then, an error ends the connection. */
  #isReady = false;

  #take(type: string, body: Buffer, password: string): void {
    switch (type) {
      case "R":
        if (body.readUInt32BE(0) === 3) this.#socket.write(message("p", Buffer.from(`${password}\0`)));
        return;
      case "D":
        this.#rows.push(columnsOf(body));
        return;
      case "E": {
        const { M = "unknown error", C = "" } = errorFields(body);
        this.#error = Object.assign(new Error(M), { code: C });
        return;
      }
      case "Z":
        this.#isReady = true;
        this.#settle?.();
    }
  }
}

function columnsOf(body: Buffer): string[] {
  const columns: string[] = [];
  let at = 2;
  for (let left = body.readUInt16BE(0); left > 0; left -= 1) {
    const length = body.readInt32BE(at);
    at += 4;
    columns.push(length < 0 ? "" : body.toString("utf8", at, at + length));
    at += Math.max(length, 0);
  }
  return columns;
}
