/**
 * The interface's routes, one method each (interface 4). The form of answers is checked; errors say what was being done to
 * which object, what the service answered, and what to do.
 */
import type * as z from "zod";
import { RequestError } from "../model/errors";
import { createServiceClock } from "./answers";
import { send, type CallOptions, type ComputeScope, type RequestParts, type RoutedRequest } from "./request";
import {
  apiEndpointSchema,
  changedEndpointSchema,
  deleteAnswerSchema,
  issueIn,
  endpointListSchema,
  operationAnswerSchema,
  operationListSchema,
  restartAnswerSchema,
  type ApiEndpoint,
  type ApiOperation,
  type EndpointBody,
} from "./schemas";

/** Identifies one endpoint: in the interface's paths, an endpoint id is unique only within its project. */
export interface EndpointRef {
  readonly projectId: string;
  readonly endpointId: string;
}

/**
 * The answer to a write. The endpoint is usually shown as it was before the operations. `operations` is undefined if the answer
 * names no operations.
 */
export interface EndpointChange {
  readonly endpoint: ApiEndpoint;
  readonly operations: readonly ApiOperation[] | undefined;
}

export interface OperationPage {
  readonly operations: readonly ApiOperation[];
  /** Undefined at the end of the list. */
  readonly cursor: string | undefined;
}

/** The computes of a project by id, as one list shows them. */
export interface EndpointsById extends ReadonlyMap<string, ApiEndpoint> {
  /** The computes that do not match the interface; undefined if all can be read. */
  readonly unreadable?: readonly UnreadableEndpoint[] | undefined;
}

/** A listed compute that does not match the interface. */
export interface UnreadableEndpoint {
  /** Undefined if its id cannot be read either. In that case it may be any compute that the list does not show. */
  readonly id: string | undefined;
  readonly error: RequestError;
}

export interface Api {
  createEndpoint(projectId: string, body: EndpointBody, call?: CallOptions): Promise<EndpointChange>;
  listEndpoints(projectId: string, call?: CallOptions): Promise<EndpointsById>;
  /** @param body - a function makes it anew before each send. */
  updateEndpoint(
    ref: EndpointRef,
    body: EndpointBody | (() => Promise<EndpointBody>),
    call?: CallOptions,
  ): Promise<EndpointChange>;
  /** The result is undefined if the answer names no operations, for example because the endpoint was already gone. */
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
  /** Whether the service has answered in this run. If it has, its address is right. */
  hasAnswered(): boolean;
  /**
   * When this process last changed the compute, or deleted any compute of the project, on the monotonic clock. Lists that were
   * requested earlier do not show the write.
   */
  lastWriteMs(scope: ComputeScope): number;
}

/** The routes are async, so that an id which is not allowed in a path rejects the promise. */
export function createApi(shared: Omit<RequestParts, "onChange" | "serviceClock">): Api {
  const serviceClock = createServiceClock(shared.clock);
  /** Times of writes by the compute's id; for a deletion, by the project's id. */
  const writesMs = new Map<string, number>();
  const onChange = ({ projectId, endpointId = projectId }: ComputeScope): void => {
    writesMs.set(endpointId, shared.clock.monotonicMs());
  };
  const parts = { ...shared, serviceClock, onChange };
  const call = <T>(request: RoutedRequest, schema: z.ZodType<T>, options: CallOptions = {}): Promise<T> =>
    send(parts, request, { schema, options });
  return {
    createEndpoint: async (projectId, body, options) => {
      const branchId = typeof body.branch_id === "string" ? body.branch_id : "?";
      const doing = `creating a compute on branch ${branchId} of project ${projectId}`;
      const request = { path: endpointsPath(projectId), body: { endpoint: body }, doing };
      return call({ ...request, method: "POST", route: "createEndpoint" }, changedEndpointSchema, options);
    },
    listEndpoints: async (projectId, options) => {
      const doing = `listing the computes of project ${projectId}`;
      const path = endpointsPath(projectId);
      const request = { method: "GET", path, route: "listEndpoints", doing } as const;
      return readable((await call(request, endpointListSchema, options)).endpoints, doing);
    },
    updateEndpoint: async (ref, body, options) => {
      const doing = `updating compute ${ref.endpointId}`;
      const bodyNow = async (): Promise<object> => ({
        endpoint: typeof body === "function" ? await body() : body,
      });
      const request = { path: endpointPath(ref), bodyNow, doing, changes: ref };
      return call({ ...request, method: "PATCH", route: "updateEndpoint" }, changedEndpointSchema, options);
    },
    deleteEndpoint: async (ref, options) => {
      const doing = `deleting compute ${ref.endpointId}`;
      const changes = { projectId: ref.projectId };
      const request = { path: endpointPath(ref), doing, changes };
      return call({ ...request, method: "DELETE", route: "deleteEndpoint" }, deleteAnswerSchema, options);
    },
    restartEndpoint: async (ref, options) => {
      const doing = `restarting compute ${ref.endpointId}`;
      const path = `${endpointPath(ref)}/restart`;
      const request = { path, doing, changes: ref };
      return call({ ...request, method: "POST", route: "restartEndpoint" }, restartAnswerSchema, options);
    },
    listOperations: async (projectId, page, options) => {
      const query = new URLSearchParams();
      if (page.limit !== undefined) query.set("limit", String(page.limit));
      if (page.cursor !== undefined) query.set("cursor", page.cursor);
      const path = `${operationsPath(projectId)}${query.size === 0 ? "" : `?${query.toString()}`}`;
      const doing = `listing the operations of project ${projectId}`;
      const request = { method: "GET", path, route: "listOperations", doing } as const;
      const { operations, pagination } = await call(request, operationListSchema, options);
      // The interface does not state how the list ends. It ends with a missing, empty or null cursor, or with an empty page.
      const cursor = pagination?.cursor ?? "";
      return { operations, cursor: cursor === "" || operations.length === 0 ? undefined : cursor };
    },
    getOperation: async (projectId, operationId, options) => {
      const path = `${operationsPath(projectId)}/${segment(operationId, "operation")}`;
      const doing = `reading operation ${operationId}`;
      return call({ method: "GET", path, route: "getOperation", doing }, operationAnswerSchema, options);
    },
    serviceNow: () => serviceClock.now(),
    hasAnswered: () => serviceClock.hasAnswered(),
    lastWriteMs: ({ projectId, endpointId = "" }) =>
      Math.max(...[projectId, endpointId].map((id) => writesMs.get(id) ?? -Infinity)),
  };
}

function readable(listed: readonly unknown[], doing: string): EndpointsById {
  const read = listed.map((each) => ({ each, ...apiEndpointSchema.safeParse(each) }));
  const endpoints = new Map(read.flatMap(({ data }) => (data ? [[data.id, data]] : [])));
  const unreadable = read.flatMap(({ each, error }) =>
    error ? [unreadableEndpoint(each, error, doing)] : [],
  );
  return unreadable.length === 0 ? endpoints : Object.assign(endpoints, { unreadable });
}

function unreadableEndpoint(listed: unknown, error: z.ZodError, doing: string): UnreadableEndpoint {
  const { id } = apiEndpointSchema.pick({ id: true }).safeParse(listed).data ?? {};
  const { where, message } = issueIn(error);
  const what = `${id === undefined ? "a compute" : `compute ${id}`} is listed, but ${where === "" ? "it" : `its ${where}`} is not in the expected form (${message})`;
  const fix = "Report this to the service: until it is fixed, the provider cannot read this compute";
  return { id, error: new RequestError({ doing, what, fix }, { kind: "unreadable", outcome: "not done" }) };
}

function endpointsPath(projectId: string): string {
  return `/projects/${segment(projectId, "project")}/endpoints`;
}

function endpointPath({ projectId, endpointId }: EndpointRef): string {
  return `${endpointsPath(projectId)}/${segment(endpointId, "compute")}`;
}

function operationsPath(projectId: string): string {
  return `/projects/${segment(projectId, "project")}/operations`;
}

/**
 * An id in a path. An empty id, `.` and `..` would lead to another route, even in their escaped form.
 *
 * @throws RequestError for such an id: nothing is sent.
 */
function segment(id: string, what: string): string {
  if (!["", ".", ".."].includes(id)) return encodeURIComponent(id);
  throw new RequestError(
    {
      doing: `sending a request about the ${what} with the id ${JSON.stringify(id)}`,
      what: "the id is not valid",
      fix: "Correct the id in the program; `pulumi state delete` removes a resource with a wrong id from the state",
    },
    { kind: "badInput", outcome: "unsent" },
  );
}
