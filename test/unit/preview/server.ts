/** Servers that stand in for others. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request with its body; a list is asked for in pages. */
export interface Asked {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly url: URL;
  readonly body: Readonly<Record<string, string>>;
}

export interface Served {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function serve(answer: (asked: Asked, response: ServerResponse) => void): Promise<Served> {
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const { method = "", url = "" } = request;
      const body = JSON.parse(sent || "{}") as Asked["body"];
      answer({ request, method, url: new URL(url, "http://127.0.0.1"), body }, response);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** How a request goes wrong. */
export interface Failing {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The connection ends without an answer. */
  readonly hangsUp?: boolean;
  /** What is asked for is done all the same. */
  readonly isDone?: boolean;
}

export interface Fault extends Failing {
  /** Of `METHOD route`. */
  readonly of: RegExp;
  readonly times: number;
}

/** The first fault that is left for this request, which uses it up. */
export function faultOf(faults: Fault[], name: string): Fault | undefined {
  const index = faults.findIndex(({ of, times }) => times > 0 && of.test(name));
  const fault = faults[index];
  if (fault !== undefined) faults[index] = { ...fault, times: fault.times - 1 };
  return fault;
}
