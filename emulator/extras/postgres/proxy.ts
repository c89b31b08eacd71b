/**
 * The proxy of a compute: one address that stays, whatever happens to the server behind it.
 */
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Activity } from "../../service/host";
import { fatal, readOpening, type Opening } from "./protocol";
import { Session } from "./session";
import { hostRole } from "./sql";

/** Clients connect through the loopback only, since one password opens all computes of a project. */
const loopback = "127.0.0.1";

/** Longest time that a client waits while a server stops and starts. */
const reachLimitMs = 30_000;

/** How long a client may take to send its first message. */
const openingLimitMs = 10_000;

interface ProxyOptions {
  readonly now: () => number;
  /** Returns once a compute runs. @throws Error with words for the client */
  readonly wake: (computeId: string) => Promise<void>;
  /** Socket of a compute's server; undefined if no server runs. */
  readonly socketOf: (computeId: string) => string | undefined;
  /** How many clients a compute accepts, if its server does not enforce the limit itself. */
  readonly limitOf: (computeId: string) => number | undefined;
}

/** The TCP ports of computes: one each, and one that all share. */
export class Proxy {
  readonly #options: ProxyOptions;
  readonly #listeners = new Map<string, net.Server>();
  readonly #sessions = new Map<string, Set<Session>>();
  readonly #clients = new Set<net.Socket>();
  readonly #lastActiveMs = new Map<string, number>();

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  /**
   * Opens a compute's port, or the shared one.
   *
   * @param wanted - the port that it had before. If another process uses it now, another port is opened.
   * @returns the port
   */
  async open(name: string, wanted: number | undefined): Promise<number> {
    const server = net.createServer((client) => {
      this.#admit(client, name === "shared" ? undefined : name);
    });
    const bound = await listen(server, wanted ?? 0).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      return listen(server, 0);
    });
    this.#listeners.set(name, server);
    return bound;
  }

  activity(computeId: string): Activity {
    const sessions = [...(this.#sessions.get(computeId) ?? [])];
    const seen = sessions.map((one) => (one.isWorking ? this.#options.now() : one.lastActiveMs));
    const last = Math.max(...seen, this.#lastActiveMs.get(computeId) ?? 0);
    return { connections: sessions.length, ...(last > 0 && { lastActiveMs: last }) };
  }

  /** Takes a compute's port away. */
  close(name: string): void {
    this.#listeners.get(name)?.close();
    this.#listeners.delete(name);
    for (const session of this.#sessions.get(name) ?? [])
      session.tell("57P01", `Endpoint ${name} was deleted.`);
  }

  closeAll(): void {
    for (const name of [...this.#listeners.keys()]) this.close(name);
    for (const client of this.#clients) client.destroy();
  }

  #admit(client: net.Socket, name: string | undefined): void {
    this.#clients.add(client);
    client.setNoDelay(true);
    client.on("error", () => undefined).once("close", () => this.#clients.delete(client));
    const timer = setTimeout(() => client.destroy(), openingLimitMs);
    let bytes = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      try {
        for (let found = readOpening(bytes); found; found = readOpening(bytes)) {
          bytes = bytes.subarray(found.length);
          if (found.opening.kind === "encryption") {
            // Nothing leaves the loopback, so nothing is encrypted. Clients that prefer encryption continue without it.
            client.write("N");
            continue;
          }
          client.removeListener("data", read).pause();
          clearTimeout(timer);
          if (bytes.length > 0) client.unshift(bytes);
          this.#opened(client, name, found.opening);
          return;
        }
      } catch (error) {
        refuse(client, "08P01", wordsOf(error));
      }
    };
    client.on("data", read);
  }

  #opened(client: net.Socket, name: string | undefined, opening: Opening): void {
    if (opening.kind === "cancel") {
      this.#cancel(opening.key, opening.bytes);
      client.end();
    } else if (opening.kind === "startup") {
      this.#serve(client, name, opening).catch((error: unknown) => {
        refuse(client, error instanceof Refusal ? error.code : "57P03", wordsOf(error));
      });
    }
  }

  /** Passes on a cancel request, which comes on a new connection to any of the ports. */
  #cancel(key: string, bytes: Buffer): void {
    for (const sessions of this.#sessions.values()) {
      for (const session of sessions) {
        if (session.key !== key) continue;
        net
          .connect(session.socket)
          .on("error", () => undefined)
          .end(bytes);
        return;
      }
    }
  }

  async #serve(
    client: net.Socket,
    name: string | undefined,
    opening: Opening & { kind: "startup" },
  ): Promise<void> {
    const { id: named, parameters } = withoutEndpoint(opening.parameters);
    const id = name ?? named;
    if (id === undefined)
      throw new Refusal(
        "08004",
        "No endpoint is named. Add options=endpoint%3Dep-… to the connection string.",
      );
    if (id === "shared" || !this.#listeners.has(id))
      throw new Refusal("08004", `There is no endpoint ${id}.`);
    if (parameters.get("user") === hostRole) throw new Refusal("28000", `${hostRole} is not for clients`);
    const deadline = Date.now() + reachLimitMs;
    while (Date.now() < deadline) {
      await this.#options.wake(id);
      if (client.closed) return;
      const socket = this.#options.socketOf(id);
      if (socket !== undefined && (await this.#reach(client, id, { ...opening, parameters, socket }))) return;
      await sleep(20);
    }
    throw new Error(`Endpoint ${id} can't be reached.`);
  }

  /** @returns false if the server was just stopping or starting */
  async #reach(client: net.Socket, id: string, at: Target): Promise<boolean> {
    const limit = this.#options.limitOf(id) ?? Number.POSITIVE_INFINITY;
    if ((this.#sessions.get(id)?.size ?? 0) >= limit) {
      throw new Refusal("53300", "sorry, too many clients already");
    }
    const session = this.#newSession(client, id, at);
    const reached = await session.reach();
    if (reached === "not now") this.#sessions.get(id)?.delete(session);
    return reached === "served";
  }

  #newSession(
    client: net.Socket,
    id: string,
    {
      version,
      parameters,
      socket,
    }: { version: number; parameters: ReadonlyMap<string, string>; socket: string },
  ): Session {
    const sessions = this.#sessions.get(id) ?? new Set();
    this.#sessions.set(id, sessions);
    const onEnd = (): void => {
      sessions.delete(session);
      this.#lastActiveMs.set(id, Math.max(session.lastActiveMs, this.#lastActiveMs.get(id) ?? 0));
    };
    const session = new Session({ client, version, parameters, socket, now: this.#options.now, onEnd });
    sessions.add(session);
    return session;
  }
}

/** A server, and the session that a client asks for there. */
interface Target {
  readonly version: number;
  readonly parameters: ReadonlyMap<string, string>;
  readonly socket: string;
}

/** A client that cannot be served, however long it waits. */
class Refusal extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

/**
 * Removes the compute's name from `options`, where the service's connection strings have it: the server would refuse
 * it.
 */
function withoutEndpoint(given: ReadonlyMap<string, string>): {
  id: string | undefined;
  parameters: ReadonlyMap<string, string>;
} {
  const parameters = new Map(given);
  const words = (given.get("options") ?? "").split(/\s+/).filter((word) => word !== "");
  const isOurs = /^(?:-c)?(?:endpoint|project)=(.*)$/;
  const found = words.map((word) => isOurs.exec(word)?.[1]).find((id) => id !== undefined);
  const others = words.filter((word) => !isOurs.test(word));
  if (others.length > 0) parameters.set("options", others.join(" "));
  else parameters.delete("options");
  return { id: found?.replace(/-pooler$/, ""), parameters };
}

function refuse(client: net.Socket, code: string, text: string): void {
  if (client.destroyed) return;
  client.on("data", () => undefined).resume();
  client.end(fatal(code, text));
}

async function listen(server: net.Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, loopback, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
  return (server.address() as net.AddressInfo).port;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
