/**
 * The interface's routes, one method each (interface 4). The form of answers is checked; errors say what was being
 * done, to what, what the service said, and what to do.
 */
import type * as z from "zod";
import { RequestError } from "../errors";
import { send, type CallOptions, type ClientContext, type Purpose } from "./answers";
import {
  apiEndpointSchema,
  changedEndpointSchema,
  deleteAnswerSchema,
  endpointListSchema,
  operationAnswerSchema,
  operationListSchema,
  restartAnswerSchema,
  type ApiEndpoint,
  type ApiOperation,
  type EndpointBody,
} from "./schemas";
import type { WireRequest } from "./transport";

/** Identifies one endpoint: in the interface's paths, an endpoint id is unique only within its project. */
export interface EndpointRef {
  readonly projectId: string;
  readonly endpointId: string;
}

/** An endpoint after a request, and the operations to wait for; they are undefined if the answer names none. */
export interface EndpointChange {
  readonly endpoint: ApiEndpoint;
  readonly operations: readonly ApiOperation[] | undefined;
}

export interface OperationPage {
  readonly operations: readonly ApiOperation[];
  /** Undefined at the end of the list. */
  readonly cursor: string | undefined;
}

/** The computes of a project that can be read, and the others. */
export interface ListedEndpoints extends ReadonlyArray<ApiEndpoint> {
  /** Undefined if all can be read. */
  readonly unreadable?: readonly UnreadableEndpoint[];
}

/** A compute in a list that is not as the interface says. */
export interface UnreadableEndpoint {
  /** Undefined if its id cannot be read either: then it may be any compute that the list does not show. */
  readonly id: string | undefined;
  readonly error: RequestError;
}

export interface Api {
  createEndpoint(projectId: string, body: EndpointBody, call?: CallOptions): Promise<EndpointChange>;
  listEndpoints(projectId: string, call?: CallOptions): Promise<ListedEndpoints>;
  updateEndpoint(ref: EndpointRef, body: EndpointBody, call?: CallOptions): Promise<EndpointChange>;
  /** The operations are undefined if the answer names none, for example because the endpoint was already gone. */
  deleteEndpoint(ref: EndpointRef, call?: CallOptions): Promise<readonly ApiOperation[] | undefined>;
  restartEndpoint(ref: EndpointRef, call?: CallOptions): Promise<readonly ApiOperation[] | undefined>;
  listOperations(
    projectId: string,
    page: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
    call?: CallOptions,
  ): Promise<OperationPage>;
  getOperation(projectId: string, operationId: string, call?: CallOptions): Promise<ApiOperation>;
  /** The service's wall time in milliseconds; undefined until an answer has stated it. */
  serviceNow(): number | undefined;
}

type Call = <T>(request: WireRequest & Purpose, schema: z.ZodType<T>, options?: CallOptions) => Promise<T>;

export function createApi(context: ClientContext): Api {
  const call: Call = (request, schema, options = {}) => send(context, request, { schema, options });
  return {
    ...endpointRoutes(call),
    ...operationRoutes(call),
    serviceNow: () => context.serviceClock.now(),
  };
}

/** Interface 4.1 to 4.5. The routes are async so that an id which no path may contain rejects the promise. */
function endpointRoutes(call: Call): Omit<Api, "listOperations" | "getOperation" | "serviceNow"> {
  return {
    createEndpoint: async (projectId, body, options) => {
      const branchId = typeof body.branch_id === "string" ? body.branch_id : "?";
      const request = {
        method: "POST",
        path: `${projectPath(projectId)}/endpoints`,
        body: { endpoint: body },
        route: "createEndpoint",
        doing: `creating a compute on branch ${branchId} of project ${projectId}`,
      } as const;
      return call(request, changedEndpointSchema, options);
    },
    listEndpoints: async (projectId, options) => {
      const request = {
        method: "GET",
        path: `${projectPath(projectId)}/endpoints`,
        route: "listEndpoints",
        doing: `listing the computes of project ${projectId}`,
      } as const;
      return readable((await call(request, endpointListSchema, options)).endpoints, request.doing);
    },
    updateEndpoint: async (ref, body, options) => {
      const request = {
        method: "PATCH",
        path: endpointPath(ref),
        body: { endpoint: body },
        route: "updateEndpoint",
        doing: `updating compute ${ref.endpointId}`,
      } as const;
      return call(request, changedEndpointSchema, options);
    },
    deleteEndpoint: async (ref, options) => {
      const doing = `deleting compute ${ref.endpointId}`;
      const request = { method: "DELETE", path: endpointPath(ref), route: "deleteEndpoint", doing } as const;
      return call(request, deleteAnswerSchema, options);
    },
    restartEndpoint: async (ref, options) => {
      const doing = `restarting compute ${ref.endpointId}`;
      const path = `${endpointPath(ref)}/restart`;
      return call({ method: "POST", path, route: "restartEndpoint", doing }, restartAnswerSchema, options);
    },
  };
}

function readable(listed: readonly unknown[], doing: string): ListedEndpoints {
  const read = listed.map((each) => ({ each, ...apiEndpointSchema.safeParse(each) }));
  const endpoints = read.flatMap(({ data }) => data ?? []);
  if (endpoints.length === listed.length) return endpoints;
  const unreadable = read.flatMap(({ each, error }) =>
    error ? [unreadableEndpoint(each, error, doing)] : [],
  );
  return Object.assign(endpoints, { unreadable });
}

function unreadableEndpoint(listed: unknown, { issues }: z.ZodError, doing: string): UnreadableEndpoint {
  const { id } = apiEndpointSchema.pick({ id: true }).safeParse(listed).data ?? {};
  const [issue] = issues;
  const where = issue === undefined || issue.path.length === 0 ? "it" : `its ${issue.path.join(".")}`;
  const what = `${id === undefined ? "a compute" : `compute ${id}`} is listed, but ${where} is not as the interface says (${issue?.message ?? "?"})`;
  const fix = "Report it to the service: until it is fixed, the provider cannot read this compute";
  return { id, error: new RequestError({ doing, what, fix }, { kind: "unreadable", outcome: "refused" }) };
}

/** Interface 4.6 and 4.7. */
function operationRoutes(call: Call): Pick<Api, "listOperations" | "getOperation"> {
  return {
    listOperations: async (projectId, page, options) => {
      const query = new URLSearchParams();
      if (page.limit !== undefined) query.set("limit", String(page.limit));
      if (page.cursor !== undefined) query.set("cursor", page.cursor);
      const path = `${projectPath(projectId)}/operations${query.size === 0 ? "" : `?${query.toString()}`}`;
      const doing = `listing the operations of project ${projectId}`;
      const answer = await call(
        { method: "GET", path, route: "listOperations", doing },
        operationListSchema,
        options,
      );
      // The end of the list is not stated: a missing, empty or null cursor, or an empty page.
      const cursor = answer.pagination?.cursor ?? "";
      const hasEnded = cursor === "" || answer.operations.length === 0;
      return { operations: answer.operations, cursor: hasEnded ? undefined : cursor };
    },
    getOperation: async (projectId, operationId, options) => {
      const path = `${projectPath(projectId)}/operations/${segment(operationId, "operation")}`;
      const doing = `reading operation ${operationId}`;
      return call({ method: "GET", path, route: "getOperation", doing }, operationAnswerSchema, options);
    },
  };
}

function projectPath(projectId: string): string {
  return `/projects/${segment(projectId, "project")}`;
}

function endpointPath(ref: EndpointRef): string {
  return `${projectPath(ref.projectId)}/endpoints/${segment(ref.endpointId, "compute")}`;
}

/**
 * An id in a path. An empty id, `.` and `..` would lead to another route, whatever their escaped form is.
 *
 * @throws RequestError for such an id: nothing is sent.
 */
function segment(id: string, what: string): string {
  if (!["", ".", ".."].includes(id)) return encodeURIComponent(id);
  throw new RequestError(
    {
      doing: `sending a request about the ${what} with the id ${JSON.stringify(id)}`,
      what: "that is no id, and would lead to another route",
      fix: "Correct the id where the program or the state has it; `pulumi state delete` removes a resource from the state",
    },
    { kind: "badInput", outcome: "unsent" },
  );
}
