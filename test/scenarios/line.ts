/**
 * The line between the provider and the service, which can fail below HTTP: a connection may be refused, its host name
 * unknown, or its TLS handshake answered with no TLS.
 *
 * The failures are the system's own, made on real sockets; a connection over "TLS" that must not fail is plain.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
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
  /** Connections that have failed. */
  readonly met: () => number;
  heal(): void;
  close(): void;
}

interface ActiveFault {
  readonly fault: LineFault;
  readonly target: LineTarget;
  skip: number;
  left: number;
}

type ConnectOptions = net.TcpNetConnectOpts & tls.ConnectionOptions;

/** The request is known when undici makes it; its connection, which comes next, meets the fault. */
export async function openLine(serviceUrl: string, scheme: "http" | "https" = "http"): Promise<Line> {
  const { port, host } = new URL(serviceUrl);
  const closedPort = await unusedPort();
  let active: ActiveFault[] = [];
  let next: LineFault | undefined;
  let met = 0;
  const open: net.Socket[] = [];
  const onRequest = (message: unknown): void => {
    const { request } = message as { request: { method: string; path: string } };
    const struck = active.find(
      ({ target }) =>
        (target.method === undefined || target.method === request.method) && target.path.test(request.path),
    );
    if (struck === undefined) return;
    if (struck.skip > 0) {
      struck.skip -= 1;
      return;
    }
    struck.left -= 1;
    if (struck.left <= 0) active = active.filter((other) => other !== struck);
    next = struck.fault;
    // It has to open one of its own.
    for (const socket of open.splice(0)) socket.destroy();
  };
  subscribe("undici:request:create", onRequest);

  const realConnect = net.connect as (options: ConnectOptions) => net.Socket;
  const realTls = tls.connect as (options: ConnectOptions) => tls.TLSSocket;
  const take = (options: ConnectOptions): LineFault | undefined => {
    if (String(options.port) !== port) return undefined;
    const fault = next;
    next = undefined;
    if (fault !== undefined) met += 1;
    return fault;
  };
  const connect = (options: ConnectOptions, fault: LineFault | undefined): net.Socket => {
    if (fault === "refused") return realConnect({ ...options, port: closedPort });
    if (fault === "nameNotFound") {
      const lookup: net.LookupFunction = (name, _how, callback) => {
        callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }), "", 4);
      };
      return realConnect({ ...options, host: "service.invalid", lookup });
    }
    const socket = realConnect(options);
    if (String(options.port) === port) open.push(socket);
    return socket;
  };
  const connectSpy = jest
    .spyOn(net, "connect")
    .mockImplementation(((options: ConnectOptions) => connect(options, take(options))) as typeof net.connect);
  const tlsSpy = jest.spyOn(tls, "connect").mockImplementation(((options: ConnectOptions) => {
    const fault = take(options);
    if (fault === "tls") return realTls(options);
    const socket = connect({ host: options.host, port: options.port }, fault);
    return socket.once("connect", () => socket.emit("secureConnect"));
  }) as unknown as typeof tls.connect);

  return {
    url: `${scheme}://${host}`,
    met: () => met,
    fail: (fault, target) => active.push({ fault, target, skip: target.after, left: target.times }),
    heal: () => {
      active = [];
      next = undefined;
    },
    close: () => {
      unsubscribe("undici:request:create", onRequest);
      connectSpy.mockRestore();
      tlsSpy.mockRestore();
    },
  };
}

async function unusedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
