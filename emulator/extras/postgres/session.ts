/**
 * One client's connection through the proxy to its server.
 */
import net from "node:net";
import { errorFields, fatal, Frames, startupMessage } from "./protocol";

/** Longest time that a client's connection stays open after the last message to it, so that the message arrives. */
const lingerMs = 2_000;

interface SessionOptions {
  readonly client: net.Socket;
  readonly version: number;
  readonly parameters: ReadonlyMap<string, string>;
  /** Socket of the server. */
  readonly socket: string;
  readonly now: () => number;
  readonly onEnd: () => void;
}

/** How an attempt to reach a server ended: the client is served, or the server was just stopping or starting. */
type Reached = "served" | "not now";

/** Error codes of a server that is starting or shutting down just when a client comes. */
const passing = ["57P03", "57P01"];

/**
 * One client at one server. Bytes pass unchanged. The session reads the server's messages, so that it knows whether the
 * client has work under way, and lets no connection end without a message.
 */
export class Session {
  /** The key that a cancel request has to name; empty until the server has sent it. */
  key = "";
  lastActiveMs: number;
  readonly socket: string;
  readonly #options: SessionOptions;
  readonly #server: net.Socket;
  readonly #frames: Frames;
  #isWorking = true;
  #wasTold = false;
  #hasSaidGoodbye = false;
  #isServed = false;
  #settle: (reached: Reached) => void = () => undefined;
  #held: Buffer[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
    this.socket = options.socket;
    this.lastActiveMs = options.now();
    this.#server = net.connect(options.socket);
    this.#frames = new Frames("EKZ", (type, body) => {
      this.#follow(type, body);
    });
  }

  /** Whether a query runs, or a transaction is open. */
  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** Connects, and serves the client from then on. */
  reach(): Promise<Reached> {
    const { version, parameters } = this.#options;
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#server.once("connect", () => this.#server.write(startupMessage(version, parameters)));
      this.#server.on("data", (chunk) => {
        this.#fromServer(chunk);
      });
      this.#server
        .on("error", () => undefined)
        .once("close", () => {
          this.#serverGone();
        });
    });
  }

  /**
   * Ends the client's connection. The client gets this message if the server has sent none and the client can read one.
   */
  tell(code: string, text: string): void {
    this.#server.destroy();
    this.#sayGoodbye(this.#takesWords ? fatal(code, text) : undefined);
  }

  /** False if a served client has already got the server's last message, or is in the middle of a message. */
  get #takesWords(): boolean {
    return !this.#isServed || (!this.#wasTold && this.#frames.isBetween);
  }

  #fromServer(chunk: Buffer): void {
    this.#frames.take(chunk);
    if (this.#isServed) {
      if (!this.#options.client.write(chunk)) this.#server.pause();
      return;
    }
    this.#held.push(chunk);
    if (!this.#frames.isBetween || this.#wasTold) return;
    this.#serve();
  }

  #serve(): void {
    const { client } = this.#options;
    this.#isServed = true;
    for (const chunk of this.#held.splice(0)) client.write(chunk);
    client.on("data", (bytes) => {
      this.#isWorking = true;
      this.lastActiveMs = this.#options.now();
      if (!this.#server.write(bytes)) client.pause();
    });
    this.#server.on("drain", () => client.resume());
    client.on("drain", () => this.#server.resume());
    client
      .once("end", () => this.#server.end())
      .once("close", () => {
        this.#server.destroy();
        this.#options.onEnd();
      });
    client.resume();
    this.#settle("served");
  }

  #follow(type: string, body: Buffer): void {
    this.lastActiveMs = this.#options.now();
    if (type === "K") this.key = body.toString("hex");
    if (type === "Z") this.#isWorking = body.toString("latin1") !== "I";
    if (type !== "E") return;
    const { S, V = S, C = "" } = errorFields(body);
    if (V !== "FATAL" && V !== "PANIC") return;
    this.#wasTold = true;
    // The client has seen nothing yet, so another attempt can take the place of this one.
    if (!this.#isServed && passing.includes(C)) this.#held = [];
  }

  #serverGone(): void {
    if (!this.#isServed) {
      if (this.#wasTold && this.#held.length > 0) {
        this.#serve();
        this.#sayGoodbye();
        return;
      }
      this.#settle("not now");
      return;
    }
    const words = fatal("57P01", "terminating connection: the compute has stopped");
    this.#sayGoodbye(this.#takesWords ? words : undefined);
  }

  /**
   * Ends the connection, but goes on reading: if it were closed with unread bytes, it would be reset, and the message
   * lost.
   */
  #sayGoodbye(words?: Buffer): void {
    const { client } = this.#options;
    if (this.#hasSaidGoodbye || client.destroyed) return;
    this.#hasSaidGoodbye = true;
    this.#isServed = true;
    this.#options.onEnd();
    this.#settle("served");
    client.removeAllListeners("data");
    client.on("data", () => undefined).resume();
    if (words) client.end(words);
    else client.end();
    const timer = setTimeout(() => client.destroy(), lingerMs);
    client.once("close", () => {
      clearTimeout(timer);
    });
  }
}
