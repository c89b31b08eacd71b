/** Postgres's messages between client and server, as far as a host and its proxy read and write them. */

const codes = { cancel: 80877102, ssl: 80877103, gss: 80877104 } as const;

/** The first message of a client. */
export type Opening =
  | { readonly kind: "encryption" }
  | { readonly kind: "cancel"; readonly key: string; readonly bytes: Buffer }
  | { readonly kind: "startup"; readonly version: number; readonly parameters: ReadonlyMap<string, string> };

/** Longest first message that Postgres accepts, in bytes. */
const longestOpening = 10_000;

/**
 * Reads a client's first message.
 *
 * @returns undefined if more bytes are needed
 * @throws Error if it is not a message of Postgres
 */
export function readOpening(bytes: Buffer): { opening: Opening; length: number } | undefined {
  if (bytes.length < 8) return undefined;
  const length = bytes.readUInt32BE(0);
  if (length < 8 || length > longestOpening) throw new Error("This is not a message of a Postgres client.");
  if (bytes.length < length) return undefined;
  const code = bytes.readUInt32BE(4);
  const message = bytes.subarray(0, length);
  if (code === codes.ssl || code === codes.gss) return { opening: { kind: "encryption" }, length };
  if (code === codes.cancel) {
    return { opening: { kind: "cancel", key: message.toString("hex", 8), bytes: message }, length };
  }
  if (code >> 16 !== 3) throw new Error(`Version ${code >> 16} of the protocol is not supported.`);
  return { opening: { kind: "startup", version: code, parameters: parametersIn(message) }, length };
}

function parametersIn(message: Buffer): Map<string, string> {
  const words = message.toString("utf8", 8).split("\0");
  const parameters = new Map<string, string>();
  for (let at = 0; at + 1 < words.length && words[at] !== ""; at += 2) {
    parameters.set(words[at] ?? "", words[at + 1] ?? "");
  }
  return parameters;
}

export function startupMessage(version: number, parameters: ReadonlyMap<string, string>): Buffer {
  const text = [...parameters].map(([name, value]) => `${name}\0${value}\0`).join("");
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.writeUInt32BE(version, 4);
  return Buffer.concat([head, body]);
}

export const protocolVersion3: number = 3 << 16;

/** A message with its type. */
export function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** An error that ends the connection. */
export function fatal(code: string, text: string): Buffer {
  const fields = { S: "FATAL", V: "FATAL", C: code, M: text };
  const body = Object.entries(fields).map(([name, value]) => `${name}${value}\0`);
  return message("E", Buffer.from(`${body.join("")}\0`));
}

/** The fields of an error or a notice: `C` is its code, `M` its message, `S` its severity. */
export function errorFields(body: Buffer): Readonly<Record<string, string>> {
  const fields = body
    .toString("utf8")
    .split("\0")
    .filter((field) => field !== "");
  return Object.fromEntries(fields.map((field) => [field.charAt(0), field.slice(1)]));
}

/** How many bytes of a body are kept: the messages that are read are short. */
const longestKept = 8_192;

/** Splits the bytes that a server sends into messages, while they pass by unchanged. */
export class Frames {
  readonly #kept: string;
  readonly #onMessage: (type: string, body: Buffer) => void;
  #head = Buffer.alloc(0);
  #type = "";
  #left = 0;
  #body: Buffer[] = [];
  #keeps = false;

  /**
   * @param kept - the types of messages whose bodies are read.
   * @param onMessage - gets each message; the body is empty if the message's type is not in `kept`, or if the body is
   * too long.
   */
  constructor(kept: string, onMessage: (type: string, body: Buffer) => void) {
    this.#kept = kept;
    this.#onMessage = onMessage;
  }

  /** True between two messages, where another message may be inserted. */
  get isBetween(): boolean {
    return this.#left === 0 && this.#head.length === 0;
  }

  take(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left === 0 && !this.#takesHead()) {
        const wanted = 5 - this.#head.length;
        this.#head = Buffer.concat([this.#head, rest.subarray(0, wanted)]);
        rest = rest.subarray(wanted);
        if (this.#head.length < 5) return;
        this.#open();
        continue;
      }
      const part = rest.subarray(0, this.#left);
      rest = rest.subarray(part.length);
      this.#left -= part.length;
      if (this.#keeps) this.#body.push(part);
      if (this.#left === 0) this.#close();
    }
  }

  #takesHead(): boolean {
    return this.#head.length === 5;
  }

  #open(): void {
    this.#type = this.#head.toString("latin1", 0, 1);
    this.#left = this.#head.readUInt32BE(1) - 4;
    this.#keeps = this.#kept.includes(this.#type) && this.#left <= longestKept;
    if (this.#left === 0) this.#close();
  }

  #close(): void {
    const body = Buffer.concat(this.#body);
    this.#head = Buffer.alloc(0);
    this.#body = [];
    this.#keeps = false;
    this.#onMessage(this.#type, body);
  }
}
