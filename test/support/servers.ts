/** Servers on this machine, for tests of single requests. `closeServers` closes all of them. */
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";

const open: net.Server[] = [];

/** @returns its port. */
export async function listen(server: net.Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

export async function closeServers(): Promise<void> {
  await Promise.all(
    open.splice(0).map((server) => {
      if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
}

export interface Proxy {
  readonly port: number;
  /** Hosts that clients asked it for. */
  readonly asked: string[];
}

/**
 * A CONNECT proxy. Without a refusal, it connects every host name to the same port of this machine.
 *
 * @param server - default: without TLS.
 */
export async function openProxy(refusal?: string, server: http.Server = http.createServer()): Promise<Proxy> {
  const asked: string[] = [];
  server.on("connect", (request: http.IncomingMessage, socket: net.Socket) => {
    asked.push(request.url ?? "");
    socket.on("error", () => undefined);
    if (refusal !== undefined) {
      socket.end(refusal);
      return;
    }
    const way = net.connect(Number(request.url?.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      way.pipe(socket).pipe(way);
    });
    way.on("error", () => socket.destroy());
    socket.on("close", () => way.destroy());
  });
  return { port: await listen(server), asked };
}
