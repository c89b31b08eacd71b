/** Servers that stand in for others. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Hono, MiddlewareHandler } from "hono";

export interface OnNode {
  readonly Bindings: HttpBindings;
}

export interface Served {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function serve(app: Hono<OnNode>): Promise<Served> {
  const server = createAdaptorServer(app) as Server;
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

/** What tests have a server do beside its answers. */
export interface Happening {
  readonly faults: Fault[];
  /** What happens right before the answer to a request, `METHOD route`. */
  before?: ((request: string) => void) | undefined;
}

/** Has requests go wrong; their names leave `base` out. */
export function mishaps(happening: Happening, base = ""): MiddlewareHandler<OnNode> {
  return async (context, next) => {
    const name = `${context.req.method} ${context.req.path.replace(base, "")}`;
    happening.before?.(name);
    const fault = faultOf(happening.faults, name);
    if (fault === undefined || fault.isDone === true) await next();
    if (fault === undefined) return;
    const { status = 502, headers = {}, body = "<html>Bad gateway</html>", hangsUp } = fault;
    if (hangsUp === true) context.env.outgoing.socket?.destroy();
    context.res = undefined;
    context.res = hangsUp === true ? RESPONSE_ALREADY_SENT : new Response(body, { status, headers });
  };
}

/** The first fault that is left for this request, which uses it up. */
function faultOf(faults: Fault[], name: string): Fault | undefined {
  const index = faults.findIndex(({ of, times }) => times > 0 && of.test(name));
  const fault = faults[index];
  if (fault !== undefined) faults[index] = { ...fault, times: fault.times - 1 };
  return fault;
}
