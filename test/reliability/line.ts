/**
 * The line between the provider and the service, which can fail below HTTP: each request has a connection of
 * its own, and a connection may be refused, its host name unknown, or its TLS handshake answered with no TLS.
 *
 * The failures are the system's own, made on real sockets; a connection over "TLS" that must not fail is plain.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import http from "node:http";
import net from "node:net";
import tls from "node:tls";

export type LineFault = "refused" | "nameNotFound" | "tls";

/** Which requests meet a fault: as the emulator's rules have it. */
export interface LineTarget {
  readonly method: string | undefined;
  readonly path: RegExp;
  readonly after: number;
  readonly times: number;
}

export interface Line {
  /** Base URL: `https` where TLS is to fail. */
  readonly url: string;
  readonly fail: (fault: LineFault, target: LineTarget) => void;
  /** Changes each answer's body on its way. */
  rewrite(change: ((body: string) => string) | undefined): void;
  /** Connections that have failed. */
  readonly met: () => number;
  heal(): void;
  close(): Promise<void>;
}

interface ActiveFault {
  readonly fault: LineFault;
  readonly target: LineTarget;
  skip: number;
  left: number;
}

export async function openLine(serviceUrl: string, scheme: "http" | "https"): Promise<Line> {
  let change: ((body: string) => string) | undefined;
  const server = http.createServer((incoming, outgoing) => {
    void forward(incoming, outgoing, { serviceUrl, change: (body) => change?.(body) ?? body });
  });
  const port = await portOf(server);
  const closedPort = await unusedPort();
  const wire = breakConnections(port, closedPort);
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    fail: wire.fail,
    met: wire.met,
    rewrite: (next) => {
      change = next;
    },
    heal: () => {
      wire.heal();
      change = undefined;
    },
    close: async () => {
      wire.restore();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

async function forward(
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  to: { readonly serviceUrl: string; readonly change: (body: string) => string },
): Promise<void> {
  const sent = await textOf(incoming);
  const request = http.request(`${to.serviceUrl}${incoming.url ?? ""}`, {
    agent: false,
    method: incoming.method ?? "GET",
    headers: { ...incoming.headers, connection: "close" },
  });
  request.on("response", (answer) => {
    void textOf(answer).then((text) => {
      const body = to.change(text);
      const headers = { ...answer.headers, connection: "close", "content-length": Buffer.byteLength(body) };
      outgoing.writeHead(answer.statusCode ?? 500, headers);
      outgoing.end(body);
    });
  });
  request.on("error", () => outgoing.destroy());
  request.end(sent);
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

async function portOf(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as net.AddressInfo).port;
}

async function unusedPort(): Promise<number> {
  const server = net.createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Wire {
  readonly fail: (fault: LineFault, target: LineTarget) => void;
  readonly met: () => number;
  heal(): void;
  restore(): void;
}

type ConnectOptions = net.TcpNetConnectOpts & tls.ConnectionOptions;

/** The request is known when undici makes it; its connection, which comes next, meets the fault. */
function breakConnections(port: number, closedPort: number): Wire {
  let active: ActiveFault[] = [];
  let next: LineFault | undefined;
  let met = 0;
  const onRequest = (message: unknown): void => {
    const { request } = message as { request: { method: string; path: string } };
    const met = active.find(
      ({ target }) =>
        (target.method === undefined || target.method === request.method) && target.path.test(request.path),
    );
    if (met === undefined) return;
    if (met.skip > 0) {
      met.skip -= 1;
      return;
    }
    met.left -= 1;
    if (met.left <= 0) active = active.filter((other) => other !== met);
    next = met.fault;
  };
  subscribe("undici:request:create", onRequest);

  const realConnect = net.connect as (options: ConnectOptions) => net.Socket;
  const realTls = tls.connect as (options: ConnectOptions) => tls.TLSSocket;
  const take = (options: ConnectOptions): LineFault | undefined => {
    if (String(options.port) !== String(port)) return undefined;
    const fault = next;
    next = undefined;
    if (fault !== undefined) met += 1;
    return fault;
  };
  const open = (options: ConnectOptions, fault: LineFault | undefined): net.Socket => {
    if (fault === "refused") return realConnect({ ...options, port: closedPort });
    if (fault === "nameNotFound") {
      const lookup: net.LookupFunction = (host, _how, callback) => {
        callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }), "", 4);
      };
      return realConnect({ ...options, host: "service.invalid", lookup });
    }
    return realConnect(options);
  };
  const connectSpy = jest
    .spyOn(net, "connect")
    .mockImplementation(((options: ConnectOptions) => open(options, take(options))) as typeof net.connect);
  const tlsSpy = jest.spyOn(tls, "connect").mockImplementation(((options: ConnectOptions) => {
    const fault = take(options);
    if (fault === "tls") return realTls(options);
    const socket = open({ host: options.host, port: options.port }, fault);
    return socket.once("connect", () => socket.emit("secureConnect"));
  }) as unknown as typeof tls.connect);

  return {
    met: () => met,
    fail: (fault, target) => active.push({ fault, target, skip: target.after, left: target.times }),
    heal: () => {
      active = [];
      next = undefined;
    },
    restore: () => {
      unsubscribe("undici:request:create", onRequest);
      connectSpy.mockRestore();
      tlsSpy.mockRestore();
    },
  };
}
