/**
 * The HTTP server: it passes requests to the service and the controls.
 */
import { createAdaptorServer } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Controls } from "../controls/controls";
import { refuseForeignApi } from "../controls/access";
import { addControlRoutes, type Bindings } from "../controls/routes";
import { ServiceError } from "../model/errors";
import { bodyText, contentType, type Answer } from "./answer";
import { readBody } from "./requestBody";
import { apiRoutes, type ApiRoute } from "./routes";
import type { Service } from "./service";

/** The version is part of the path (interface section 9). */
const base = "/api/v2";

export interface ServerFacts {
  /** Adds the routes besides those of the API and the controls. */
  readonly addRoutes: (app: Hono<Bindings>) => void;
  /** Whether it listens to other machines too. */
  readonly isOpen: boolean;
}

/** Makes a server for the API and the controls; `listen` opens its socket. */
export function newServer(service: Service, controls: Controls, { addRoutes, isOpen }: ServerFacts): Server {
  const app = new Hono<Bindings>();
  app.use(`${base}/*`, async (context, next) => {
    try {
      refuseForeignApi(context.env.incoming, isOpen);
    } catch (error) {
      return problem(service, error);
    }
    await next();
    return undefined;
  });
  for (const route of apiRoutes) {
    app.on(route.method, `${base}${route.path}`, (context) => serve(service, route, context));
  }
  app.all(`${base}/*`, (context) => serve(service, undefined, context));
  addControlRoutes(app, controls);
  addRoutes(app);
  app.notFound(() => Response.json({ message: "The API is below /api/v2." }, { status: 404 }));
  return createAdaptorServer({ fetch: app.fetch }) as Server;
}

async function serve(
  service: Service,
  route: ApiRoute | undefined,
  context: Context<Bindings>,
): Promise<Response> {
  let text: string | undefined;
  try {
    // A request without the key is refused whatever it contains, so its body is not read.
    text = service.isAuthorized(context.req.header()) ? await readBody(context.env.incoming) : "";
  } catch (error) {
    return problem(service, error);
  }
  // The client closed the connection before it had sent the whole body: the request is not carried out.
  if (text === undefined) return RESPONSE_ALREADY_SENT;
  const url = new URL(context.req.url);
  const request = {
    method: context.req.method,
    path: url.pathname,
    query: url.search.slice(1),
    headers: context.req.header(),
    text,
    call: {
      param: (name: string) => context.req.param(name) ?? "",
      query: (name: string) => context.req.query(name),
    },
  };
  // Clients may compare times with this header, so it follows the same clock as `created_at`.
  const date = service.date();
  context.env.outgoing.setHeader("Date", date);
  const delivery = await service.serve(request, route, context.env.outgoing);
  return delivery === "sent" ? RESPONSE_ALREADY_SENT : toResponse(delivery.answer, date);
}

/** Answers a request that is refused before the service gets it: it is not logged, and meets no fault. */
function problem(service: Service, error: unknown): Response {
  if (!(error instanceof ServiceError)) throw error;
  return toResponse(service.refusal(error), service.date());
}

function toResponse(answer: Answer, date: string): Response {
  const text = bodyText(answer);
  const headers = {
    Date: date,
    ...(text !== undefined && { "Content-Type": contentType(answer) }),
    ...answer.headers,
  };
  return new Response(text ?? null, { status: answer.status, headers });
}

/**
 * Opens the server's socket.
 *
 * @returns the port.
 * @throws Error that says how to choose another port if this one is taken.
 */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      reject(cause.code === "EADDRINUSE" ? new Error(portTaken(host, port), { cause }) : cause);
    });
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function portTaken(host: string, port: number): string {
  return `Port ${port} on ${host} is in use. Choose another with --port, or --port 0 for any that is free.`;
}

/** Closes the server at once: idle kept-alive connections would delay it, so every connection is ended. */
export async function closeServer(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}
