/**
 * Reads the service for programs: `sdk/lookups.ts` loads this file at a program's first lookup.
 */
import type { EndpointsById } from "./service/client";
import { systemClock } from "./clock";
import { environmentSecrets, readConfig, type ProviderConfig, type ReadStackConfig } from "./settings/config";
import { wireApi } from "./wiring";
import { ComputeError } from "./model/errors";
import type { ApiEndpoint, ApiOperation } from "./service/schemas";
import { unreadableIn } from "./service/lists";
import { fieldsOf, withoutUndefined } from "./model/state";
import type { EndpointFacts, OperationFacts, OperationsPage } from "./facts";
import { createRedactor } from "./redact";

export interface Lookups {
  getEndpoint(args: { readonly projectId: string; readonly endpointId: string }): Promise<EndpointFacts>;
  getPrimary(args: { readonly projectId: string; readonly branchId: string }): Promise<EndpointFacts>;
  /** @param onUnreadable - called for each compute that cannot be read; without it, one unreadable compute fails the call. */
  listEndpoints(
    args: { readonly projectId: string; readonly branchId?: string | undefined },
    onUnreadable?: (reason: string) => void,
  ): Promise<readonly EndpointFacts[]>;
  getOperation(args: { readonly projectId: string; readonly operationId: string }): Promise<OperationFacts>;
  /** One page, starting at a cursor. */
  listOperations(args: {
    readonly projectId: string;
    readonly pageSize?: number | undefined;
    readonly cursor?: string | undefined;
  }): Promise<OperationsPage>;
  /** Takes the key, and other secrets of the environment, out of a message. */
  readonly redact: (text: string) => string;
}

/** @throws ConfigurationError if the key or the base URL is missing. */
export function connectLookups(stack: ReadStackConfig): Lookups {
  return lookupsWith(readConfig(stack));
}

/** @throws ConfigurationError if the key or the base URL is missing. */
export function lookupsWith(config: ProviderConfig): Lookups {
  const { hide, redact } = createRedactor();
  for (const secret of [config.connection().apiKey, ...environmentSecrets()]) hide(secret);
  const api = wireApi(config, { clock: systemClock, redact });
  return {
    redact,
    getEndpoint: async ({ projectId, endpointId }) => {
      const endpoints = await api.listEndpoints(projectId);
      const endpoint = endpoints.get(endpointId);
      if (endpoint !== undefined) return endpointFactsOf(endpoint);
      refuseUnreadable(endpoints, endpointId);
      throw new ComputeError({
        doing: `looking up compute ${endpointId}`,
        what: `project ${projectId} has no such compute`,
        fix: "Check the two ids; listEndpoints({ projectId }) lists the project's computes",
      });
    },
    getPrimary: async ({ projectId, branchId }) => {
      const endpoints = await api.listEndpoints(projectId);
      const ofBranch = [...endpoints.values()].filter(({ branch_id }) => branch_id === branchId);
      const primary = ofBranch.find(({ type }) => type === "read_write");
      if (primary !== undefined) return endpointFactsOf(primary);
      refuseUnreadable(endpoints);
      throw noPrimary({ projectId, branchId }, ofBranch.length);
    },
    listEndpoints: async ({ projectId, branchId }, onUnreadable) => {
      const endpoints = await api.listEndpoints(projectId);
      if (onUnreadable === undefined) refuseUnreadable(endpoints);
      for (const { error } of endpoints.unreadable ?? []) onUnreadable?.(error.problem.what);
      return [...endpoints.values()]
        .filter((endpoint) => branchId === undefined || endpoint.branch_id === branchId)
        .map(endpointFactsOf);
    },
    getOperation: async ({ projectId, operationId }) =>
      operationFactsOf(await api.getOperation(projectId, operationId)),
    // Interface 4.6 does not say how the list ends: `Api.listOperations` recognises each possible end.
    listOperations: async ({ projectId, pageSize, cursor }) => {
      const page = await api.listOperations(projectId, { limit: pageSize, cursor });
      return { operations: page.operations.map(operationFactsOf), cursor: page.cursor };
    },
  };
}

/**
 * @param endpointId - without it, any compute may be the wanted one.
 * @throws RequestError if a compute that cannot be read may be the wanted one.
 */
function refuseUnreadable(listed: EndpointsById, endpointId?: string): void {
  const error = unreadableIn(listed, (id) => endpointId === undefined || id === endpointId);
  if (error !== undefined) throw error;
}

function noPrimary(
  { projectId, branchId }: Parameters<Lookups["getPrimary"]>[0],
  replicas: number,
): ComputeError {
  const what =
    replicas === 0
      ? "has no compute on that branch"
      : `has no read_write compute on that branch, only ${replicas} of another type`;
  return new ComputeError({
    doing: `looking up the primary of branch ${branchId}`,
    what: `project ${projectId} ${what}`,
    fix: "Check the two ids, or declare an Endpoint of type read_write on the branch",
  });
}

function endpointFactsOf(endpoint: ApiEndpoint): EndpointFacts {
  return {
    ...fieldsOf(endpoint),
    ...withoutUndefined({
      currentState: endpoint.current_state,
      pendingState: endpoint.pending_state,
      lastActive: endpoint.last_active,
      startedAt: endpoint.started_at,
      suspendedAt: endpoint.suspended_at,
      updatedAt: endpoint.updated_at,
    }),
  } as EndpointFacts;
}

function operationFactsOf(operation: ApiOperation): OperationFacts {
  return withoutUndefined({
    operationId: operation.id,
    projectId: operation.project_id,
    branchId: operation.branch_id,
    endpointId: operation.endpoint_id,
    action: operation.action,
    status: operation.status,
    failuresCount: operation.failures_count,
    createdAt: operation.created_at,
    updatedAt: operation.updated_at,
  }) as OperationFacts;
}
