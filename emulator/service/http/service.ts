/**
 * Answers requests to the API: key, rate limit, route and faults, in this order.
 */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { inject } from "../faults/inject";
import type { ActiveFault, Faults } from "../faults/rules";
import { badRequest, ServiceError } from "../model/errors";
import { Store } from "../model/store";
import { restoreSnapshot } from "../persistence/snapshot";
import type { Switches } from "../switches";
import type { Answer, Delivery } from "./answer";
import { RateLimit, retryAfterHeader } from "./rateLimit";
import type { LoggedRequest, RequestLog } from "./requestLog";
import type { ApiCall, ApiRoute } from "./routes";

/** A request as it came from the socket. */
interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly call: Omit<ApiCall, "body">;
}

interface ServiceOptions {
  readonly store: Store;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly apiKey: string;
  /** Called when a request has ended. */
  readonly onRequest: (entry: LoggedRequest) => void;
}

/** Answers requests to the API: checks the key (interface 5), counts the rate, calls the route, and injects faults. */
export class Service {
  readonly #options: ServiceOptions;
  readonly #rateLimit = new RateLimit();

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** The emulator's own time, in the form of the header `Date`. */
  date(): string {
    return new Date(this.#options.store.now()).toUTCString();
  }

  /** Whether a request has the API key. */
  isAuthorized({ authorization }: Readonly<Record<string, string>>): boolean {
    return authorization === `Bearer ${this.#options.apiKey}`;
  }

  /** The answer to a request that is refused before it is read. */
  refusal(error: ServiceError): Answer {
    const { store } = this.#options;
    const requestId = randomUUID();
    return withRequestId(toErrorAnswer(error, { requestId, store }), requestId);
  }

  async serve(request: ApiRequest, route: ApiRoute | undefined, outgoing: ServerResponse): Promise<Delivery> {
    const { store, onRequest } = this.#options;
    const isRouted = route !== undefined && (route.isExtra !== true || store.switches.extraRoutes === "on");
    const routed = isRouted ? route : undefined;
    const entry = this.#record(request, routed);
    outgoing.once("close", () => {
      entry.isAborted = !outgoing.writableFinished;
      if (outgoing.headersSent) entry.status = outgoing.statusCode;
      onRequest(entry);
    });
    const delivery = await this.#carryOut(request, routed, { entry, outgoing });
    // The log has the status before the client does: a test may read the log as soon as it has the answer.
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
    const answer = (): Answer => this.#answer(request, route, { entry, fault });
    if (!fault) return { answer: answer() };
    entry.fault = fault.rule.kind;
    return inject(fault.rule, answer, outgoing);
  }

  #record(request: ApiRequest, route: ApiRoute | undefined): LoggedRequest {
    const { authorization: _key, ...headers } = request.headers;
    const projectId = request.call.param("projectId");
    const endpointId = request.call.param("endpointId");
    return this.#options.log.add({
      atMs: this.#options.store.now(),
      method: request.method,
      path: request.path,
      query: request.query,
      ...(route && { route: route.name }),
      ...(projectId && { projectId }),
      ...(endpointId && { endpointId }),
      headers,
      isAuthorized: this.isAuthorized(request.headers),
      ...(request.text && { body: parsedOrText(request.text) }),
    });
  }

  #answer(
    request: ApiRequest,
    route: ApiRoute | undefined,
    { entry, fault }: { entry: LoggedRequest; fault: ActiveFault | undefined },
  ): Answer {
    const { store } = this.#options;
    const requestId = request.headers["x-request-id"] ?? randomUUID();
    try {
      this.#admit(entry);
      if (!route) throw new ServiceError(404, "not_found", `There is no ${request.method} ${request.path}.`);
      const call = { ...request.call, body: toBody(request.text) };
      const answer = route.handle(fault?.snapshot === undefined ? store : past(store, fault.snapshot), call);
      entry.isCommitted = true;
      const endpointId = entry.endpointId ?? createdId(answer);
      if (endpointId !== undefined) entry.endpointId = endpointId;
      return withRequestId(fault?.rule.kind === "loopCursor" ? looped(answer, call) : answer, requestId);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return withRequestId(toErrorAnswer(error, { requestId, store }), requestId);
    }
  }

  #admit(entry: LoggedRequest): void {
    const { store } = this.#options;
    if (!entry.isAuthorized) {
      throw new ServiceError(401, "unauthorized", "The Authorization header carries no valid API key.");
    }
    this.#rateLimit.count(entry.route ?? "none", store.switches, store.now());
  }
}

/** The store as it was when the snapshot was taken; its clock stands still. */
function past(store: Store, snapshot: string): Store {
  let nowMs = store.now();
  const frozen = new Store({
    clock: { now: () => nowMs },
    seed: 0,
    operationMs: 0,
    switches: store.switches,
  });
  nowMs = restoreSnapshot(frozen, snapshot);
  return frozen;
}

function createdId(answer: Answer): string | undefined {
  const body = answer.body as { readonly endpoint?: { readonly id: string } } | undefined;
  return body?.endpoint?.id;
}

/** Replaces the cursor by one that leads to the same page again. */
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
  { requestId, store }: { requestId: string; store: Store },
): Answer {
  const isBusy = error.status === 429 || error.status === 423;
  const body = toErrorBody(error, requestId, store.switches);
  return {
    status: error.status,
    ...(body !== undefined && { body }),
    headers: isBusy ? retryAfterHeader(store.switches, store.now()) : {},
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
