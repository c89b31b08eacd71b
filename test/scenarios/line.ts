/**
 * The line between the provider and the service, which can fail below HTTP. A failing request goes to a port where nothing
 * listens, or speaks TLS to a service that does not speak it, so the error is a real one. Only the error for an unknown
 * host name is simulated.
 */
import net from "node:net";
import undici from "undici";

export type LineFault = "refused" | "nameNotFound" | "tls";

/** Which requests meet a fault, as in the emulator's rules. */
export interface LineTarget {
  readonly method: string | undefined;
  readonly after: number;
  readonly times: number;
}

export interface Line {
  readonly fail: (fault: LineFault, target: LineTarget) => void;
  /** The number of requests that have failed. */
  readonly met: () => number;
  heal(): void;
  close(): void;
}

type Request = typeof undici.request;

export async function openLine(): Promise<Line> {
  const closedPort = await unusedPort();
  const send = undici.request;
  let active: { readonly fault: LineFault; readonly target: LineTarget; skip: number; left: number }[] = [];
  let met = 0;
  const take = (method: string): LineFault | undefined => {
    const struck = active.find(({ target }) => target.method === undefined || target.method === method);
    if (struck === undefined || struck.skip-- > 0) return undefined;
    struck.left -= 1;
    if (struck.left <= 0) active = active.filter((other) => other !== struck);
    met += 1;
    return struck.fault;
  };
  const spy = jest.spyOn(undici, "request").mockImplementation((...[url, options]: Parameters<Request>) => {
    const fault = take(options?.method ?? "GET");
    // The provider's client passes addresses as strings.
    if (fault === undefined || typeof url !== "string") return send(url, options);
    if (fault === "nameNotFound")
      return Promise.reject(Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }));
    const to = new URL(url);
    if (fault === "refused") to.port = String(closedPort);
    else to.protocol = "https:";
    return send(to.href, options);
  });
  return {
    met: () => met,
    fail: (fault, target) => active.push({ fault, target, skip: target.after, left: target.times }),
    heal: () => {
      active = [];
    },
    close: () => {
      spy.mockRestore();
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
