/**
 * The interface's routes, one method each (interface 4). Answers are checked for shape; errors say what was
 * being done, to what, what the service said, and what to do.
 */
import type { z } from "zod";
import type { Clock } from "../clock";
import { RequestError, type RequestOutcome } from "../errors";
import { classify, readRetryAfterMs, sendWithRetry, type RetryQuota } from "./retry";
import {
  changedEndpointSchema,
  endpointAnswerSchema,
  endpointListSchema,
  maybeOperationsSchema,
  operationAnswerSchema,
  operationListSchema,
  readErrorBody,
  type ApiEndpoint,
  type ApiOperation,
  type EndpointBody,
} from "./schemas";
import type { Transport, WireOutcome, WireRequest } from "./transport";

/** Names one endpoint: there is no id that is unique without its project in the interface's paths. */
export interface EndpointRef {
  readonly projectId: string;
  readonly endpointId: string;
}

/** An endpoint after a request, and the operations to wait for; undefined where the answer names none. */
export interface EndpointChange {
  readonly endpoint: ApiEndpoint;
  readonly operations: readonly ApiOperation[] | undefined;
}

export interface OperationPage {
  readonly operations: readonly ApiOperation[];
  /** Undefined at the end of the list. */
  readonly cursor: string | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told of each retry, for the row of the resource. */
  readonly onRetry?: ((attempt: number, waitMs: number) => void) | undefined;
}

export interface Api {
  createEndpoint(projectId: string, body: EndpointBody, call?: CallOptions): Promise<EndpointChange>;
  listEndpoints(projectId: string, call?: CallOptions): Promise<readonly ApiEndpoint[]>;
  /** Not in the interface: only where the configuration says that the service has it. */
  getEndpoint(ref: EndpointRef, call?: CallOptions): Promise<ApiEndpoint>;
  updateEndpoint(ref: EndpointRef, body: EndpointBody, call?: CallOptions): Promise<EndpointChange>;
  /** Undefined operations where the answer names none, as where the endpoint was gone already. */
  deleteEndpoint(ref: EndpointRef, call?: CallOptions): Promise<readonly ApiOperation[] | undefined>;
  restartEndpoint(ref: EndpointRef, call?: CallOptions): Promise<readonly ApiOperation[] | undefined>;
  listOperations(
    projectId: string,
    page: { limit?: number; cursor?: string },
    call?: CallOptions,
  ): Promise<OperationPage>;
  getOperation(projectId: string, operationId: string, call?: CallOptions): Promise<ApiOperation>;
}

export interface ClientContext {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly quota: RetryQuota;
  /** Takes everything secret out of text that came from outside. */
  readonly redact: (text: string) => string;
}

/** What a request is for, in the words of its error. */
interface Purpose {
  readonly doing: string;
}

export function createApi(context: ClientContext): Api {
  const call = <T>(
    request: WireRequest & Purpose,
    schema: z.ZodType<T>,
    options: CallOptions = {},
  ): Promise<T> => send(context, request, { schema, options });

  return {
    createEndpoint: async (projectId, body, options) => {
      const answer = await call(
        {
          method: "POST",
          path: `${projectPath(projectId)}/endpoints`,
          body: { endpoint: body },
          doing: `creating a compute on branch ${body.branch_id ?? "?"} of project ${projectId}`,
        },
        changedEndpointSchema,
        options,
      );
      return { endpoint: answer.endpoint, operations: answer.operations ?? undefined };
    },
    listEndpoints: async (projectId, options) => {
      const request = {
        method: "GET",
        path: `${projectPath(projectId)}/endpoints`,
        doing: `listing the computes of project ${projectId}`,
      } as const;
      return (await call(request, endpointListSchema, options)).endpoints;
    },
    getEndpoint: async (ref, options) => {
      const request = {
        method: "GET",
        path: endpointPath(ref),
        doing: `reading compute ${ref.endpointId}`,
      } as const;
      return (await call(request, endpointAnswerSchema, options)).endpoint;
    },
    updateEndpoint: async (ref, body, options) => {
      const doing = `updating compute ${ref.endpointId}`;
      const request = { method: "PATCH", path: endpointPath(ref), body: { endpoint: body }, doing } as const;
      const answer = await call(request, changedEndpointSchema, options);
      return { endpoint: answer.endpoint, operations: answer.operations ?? undefined };
    },
    deleteEndpoint: async (ref, options) => {
      const doing = `deleting compute ${ref.endpointId}`;
      const answer = await call(
        { method: "DELETE", path: endpointPath(ref), doing },
        maybeOperationsSchema,
        options,
      );
      return answer?.operations ?? undefined;
    },
    restartEndpoint: async (ref, options) => {
      const doing = `restarting compute ${ref.endpointId}`;
      const path = `${endpointPath(ref)}/restart`;
      const answer = await call({ method: "POST", path, doing }, maybeOperationsSchema, options);
      return answer?.operations ?? undefined;
    },
    listOperations: async (projectId, page, options) => {
      const query = new URLSearchParams();
      if (page.limit !== undefined) query.set("limit", String(page.limit));
      if (page.cursor !== undefined) query.set("cursor", page.cursor);
      const path = `${projectPath(projectId)}/operations${query.size === 0 ? "" : `?${query.toString()}`}`;
      const doing = `listing the operations of project ${projectId}`;
      const answer = await call({ method: "GET", path, doing }, operationListSchema, options);
      const cursor = answer.pagination?.cursor;
      const ended =
        cursor === undefined || cursor === null || cursor === "" || answer.operations.length === 0;
      return { operations: answer.operations, cursor: ended ? undefined : cursor };
    },
    getOperation: async (projectId, operationId, options) => {
      const path = `${projectPath(projectId)}/operations/${encodeURIComponent(operationId)}`;
      const doing = `reading operation ${operationId}`;
      return (await call({ method: "GET", path, doing }, operationAnswerSchema, options)).operation;
    },
  };
}

function projectPath(projectId: string): string {
  return `/projects/${encodeURIComponent(projectId)}`;
}

function endpointPath(ref: EndpointRef): string {
  return `${projectPath(ref.projectId)}/endpoints/${encodeURIComponent(ref.endpointId)}`;
}

async function send<T>(
  context: ClientContext,
  request: WireRequest & Purpose,
  expected: { readonly schema: z.ZodType<T>; readonly options: CallOptions },
): Promise<T> {
  const { schema, options } = expected;
  const outcome = await sendWithRetry(() => context.transport.send(request, options.signal), request.method, {
    clock: context.clock,
    random: context.random,
    quota: context.quota,
    signal: options.signal,
    onRetry: options.onRetry,
  });
  if (outcome.kind === "failure") throw failureError(request, outcome);
  if (outcome.status >= 300 || outcome.status < 200) throw statusError(context, request, outcome);
  const read = schema.safeParse(outcome.body);
  if (outcome.readable && read.success) return read.data;
  throw unreadableError(request, outcome, read.error);
}

type Failure = Extract<WireOutcome, { kind: "failure" }>;
type Answer = Extract<WireOutcome, { kind: "answer" }>;

function failureError(request: WireRequest & Purpose, failure: Failure): RequestError {
  const outcome = request.method === "GET" ? "unsent" : failure.sent;
  const fix =
    failure.sent === "unsent"
      ? "Check the base URL (COMPUTE_BASE_URL or compute:baseUrl) and the network, then run the same command again"
      : "Run the same command again: it finds out first what the service did";
  return new RequestError(
    { doing: request.doing, what: failure.what, requestId: failure.requestId, fix },
    { outcome, transient: failure.transient },
  );
}

/** An answer that says no, or that says nothing certain (5xx). */
function statusError(context: ClientContext, request: WireRequest & Purpose, answer: Answer): RequestError {
  const said = answer.readable && answer.body !== undefined ? readErrorBody(answer.body) : undefined;
  const details = [said?.code, said?.message].filter(
    (part) => part !== undefined && part !== null && part !== "",
  );
  const text = context
    .redact(details.join(": "))
    .slice(0, 600)
    .replace(/[.\s]+$/, "");
  const what = `the service answered ${answer.status}${text === "" ? "" : ` (${text})`}`;
  const retryClass = classify(answer);
  const uncertain = retryClass === "unknown" || (retryClass === "busy" && request.method === "POST");
  const outcome: RequestOutcome = uncertain && request.method !== "GET" ? "unknown" : "refused";
  return new RequestError(
    {
      doing: request.doing,
      what,
      requestId: said?.request_id ?? answer.requestId,
      fix: fixFor(answer.status),
    },
    {
      outcome,
      status: answer.status,
      transient: retryClass !== "done",
      retryAfterMs: readRetryAfterMs(answer.headers["retry-after"], context.clock.now()),
      fromService: said !== undefined,
    },
  );
}

function unreadableError(
  request: WireRequest & Purpose,
  answer: Answer,
  error: z.ZodError | undefined,
): RequestError {
  const issue = error?.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? "the body" : issue.path.join(".");
  const what = answer.readable
    ? `the service answered ${answer.status}, but ${where} is not as the interface says (${issue?.message ?? "?"})`
    : `the service answered ${answer.status} with something that is not JSON`;
  return new RequestError(
    {
      doing: request.doing,
      what,
      requestId: answer.requestId,
      fix: "Check that the base URL (COMPUTE_BASE_URL or compute:baseUrl) is the service's own, without a proxy's pages in between",
    },
    { outcome: request.method === "GET" ? "refused" : "unknown", status: answer.status },
  );
}

/** Interface 7 gives no codes: these are what the statuses mean everywhere. */
function fixFor(status: number): string {
  if (status === 401)
    return "Check the API key: COMPUTE_API_KEY, or `pulumi config set --secret compute:apiKey`";
  if (status === 403) return "Ask for a key that may do this";
  if (status === 404) return "Check the project, branch and endpoint ids, and the base URL";
  if (status === 423)
    return "Another operation of the project is under way: run the same command again when it is over";
  if (status === 429) return "The rate limit is used up: run the same command again in a minute";
  if (status >= 300 && status < 400) return "Redirects are not followed: set the base URL to where it points";
  if (status >= 500)
    return "The service is in trouble: run the same command again later; it first finds out what was done";
  return "Change what the message names, then run the same command again";
}
