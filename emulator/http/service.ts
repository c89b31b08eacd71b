import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Answer, ApiCall, ApiRoute } from "./routes";
import { failAfter, failBefore } from "./delivery";
import type { Delivery } from "./delivery";
import { badRequest, ServiceError } from "../model/errors";
import { sideOf } from "../faults/rules";
import type { ActiveFault, Faults } from "../faults/rules";
import { RateLimit, retryAfterHeader } from "./rateLimit";
import type { LoggedRequest, RequestLog } from "./requestLog";
import { restoreSnapshot } from "../persistence/snapshot";
import type { Switches } from "../switches";
import { World } from "../model/store";

/** A request as it came from the socket. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly call: Omit<ApiCall, "body">;
}

export interface ServiceOptions {
  readonly world: World;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly apiKey: string;
  /** Called after each request, so that what it changed is kept. */
  readonly onRequest: (entry: LoggedRequest) => void;
}

/** Answers requests to the API: section 5's key, rate limit, the route, and whatever fault meets it. */
export class Service {
  readonly #options: ServiceOptions;
  readonly #rateLimit = new RateLimit();

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** @returns what is left to send. */
  async serve(request: ApiRequest, route: ApiRoute | undefined, outgoing: ServerResponse): Promise<Delivery> {
    const { world, onRequest } = this.#options;
    const isRouted = route !== undefined && (route.isExtra !== true || world.switches.extraRoutes === "on");
    const routed = isRouted ? route : undefined;
    const entry = this.#record(request, routed);
    outgoing.once("close", () => {
      entry.isAborted = !outgoing.writableFinished;
      if (outgoing.headersSent) entry.status = outgoing.statusCode;
      onRequest(entry);
    });
    const delivery = await this.#carryOut(request, routed, { entry, outgoing });
    // Before the client can see it: a test that reads the log next finds the status there.
    if (delivery !== "sent") entry.status = delivery.answer.status;
    return delivery;
  }

  async #carryOut(
    request: ApiRequest,
    route: ApiRoute | undefined,
    { entry, outgoing }: { entry: LoggedRequest; outgoing: ServerResponse },
  ): Promise<Delivery> {
    const fault = this.#options.faults.take({
      method: request.method,
      route: route?.name,
      path: request.path,
    });
    if (!fault) return { answer: this.#answer(request, route, { entry, fault }) };
    entry.fault = fault.rule.kind;
    if (sideOf(fault.rule) === "before") {
      const early = await failBefore(fault.rule, outgoing);
      return early ?? { answer: this.#answer(request, route, { entry, fault }) };
    }
    return failAfter(fault.rule, this.#answer(request, route, { entry, fault }), outgoing);
  }

  #record(request: ApiRequest, route: ApiRoute | undefined): LoggedRequest {
    const { authorization, ...headers } = request.headers;
    const projectId = request.call.param("projectId");
    const endpointId = request.call.param("endpointId");
    return this.#options.log.add({
      atMs: this.#options.world.now(),
      method: request.method,
      path: request.path,
      query: request.query,
      ...(route && { route: route.name }),
      ...(projectId && { projectId }),
      ...(endpointId && { endpointId }),
      headers,
      isAuthorized: authorization === `Bearer ${this.#options.apiKey}`,
      ...(request.text && { body: parsedOrText(request.text) }),
    });
  }

  #answer(
    request: ApiRequest,
    route: ApiRoute | undefined,
    { entry, fault }: { entry: LoggedRequest; fault: ActiveFault | undefined },
  ): Answer {
    const { world } = this.#options;
    const requestId = request.headers["x-request-id"] ?? randomUUID();
    try {
      this.#admit(entry);
      if (!route) throw new ServiceError(404, "not_found", `There is no ${request.method} ${request.path}.`);
      const call = { ...request.call, body: toBody(request.text) };
      const answer = route.handle(fault?.snapshot === undefined ? world : past(world, fault.snapshot), call);
      entry.isCommitted = true;
      const endpointId = entry.endpointId ?? createdId(answer);
      if (endpointId !== undefined) entry.endpointId = endpointId;
      return withRequestId(fault?.rule.kind === "loopCursor" ? looped(answer, call) : answer, requestId);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return withRequestId(toErrorAnswer(error, { requestId, world }), requestId);
    }
  }

  #admit(entry: LoggedRequest): void {
    const { world } = this.#options;
    if (!entry.isAuthorized) {
      throw new ServiceError(401, "unauthorized", "The Authorization header carries no valid API key.");
    }
    this.#rateLimit.count(entry.route ?? "none", world.switches, world.now());
  }
}

/** A world that stands still where the snapshot was taken. */
function past(world: World, snapshot: string): World {
  let nowMs = world.now();
  const frozen = new World({
    clock: { now: () => nowMs },
    seed: 0,
    operationMs: 0,
    switches: world.switches,
  });
  nowMs = restoreSnapshot(frozen, snapshot);
  return frozen;
}

function createdId(answer: Answer): string | undefined {
  const body = answer.body as { readonly endpoint?: { readonly id: string } } | undefined;
  return body?.endpoint?.id;
}

/** The page's cursor leads to the page itself. */
function looped(answer: Answer, call: Omit<ApiCall, "body">): Answer {
  const body = answer.body as { readonly pagination?: { readonly cursor?: string } };
  const cursor = call.query("cursor") ?? body.pagination?.cursor ?? "2026-01-05T08:00:00.000000Z";
  return { ...answer, body: { ...body, pagination: { cursor } } };
}

function withRequestId(answer: Answer, requestId: string): Answer {
  return { ...answer, headers: { ...answer.headers, "X-Request-ID": requestId } };
}

function toErrorAnswer(
  error: ServiceError,
  { requestId, world }: { requestId: string; world: World },
): Answer {
  const isBusy = error.status === 429 || error.status === 423;
  const body = toErrorBody(error, requestId, world.switches);
  return {
    status: error.status,
    ...(body !== undefined && { body }),
    headers: isBusy ? retryAfterHeader(world.switches, world.now()) : {},
  };
}

function toErrorBody(error: ServiceError, requestId: string, switches: Switches): unknown {
  const flat = { code: error.code, message: error.message, request_id: requestId };
  switch (switches.errorShape) {
    case "flat":
      return flat;
    case "nested":
      return { error: flat };
    case "html":
      return `<!doctype html><html><body><h1>${error.status}</h1></body></html>`;
    case "empty":
      return undefined;
  }
}

function toBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest("The body is not JSON.");
  }
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
