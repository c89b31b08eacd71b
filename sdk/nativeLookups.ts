/**
 * Live facts that the plugin reads from the service; with the option `provider`, from the account of that provider.
 */
import { runtime, type InvokeOptions } from "@pulumi/pulumi";
import type { EndpointFacts, OperationFacts, OperationsPage } from "../provider/facts";
import type {
  GetEndpointArgs,
  GetOperationArgs,
  GetPrimaryArgs,
  ListEndpointsArgs,
  ListOperationsArgs,
} from "./lookups";
import { ofThisVersion } from "./nativeEndpoint";
import { all, everyPage, whenKnown, whenOnBranch, type Lookup, type OutputLookup } from "./sharedLookups";

/** Pulumi's invoke options, such as `provider`. */
export type LookupOptions = [opts?: InvokeOptions];

/**
 * One compute as it is now, with its state and last activity.
 *
 * @example
 * ```ts
 * const { currentState, lastActive } = await getEndpoint({ projectId, endpointId: "ep-warm-night-ugsg797l" });
 * ```
 *
 * @throws if the project has no such compute, or the service cannot be reached.
 */
export const getEndpoint: Lookup<GetEndpointArgs, EndpointFacts, LookupOptions> = call("getEndpoint");

/**
 * Like `getEndpoint`, for arguments that are outputs of other resources. The result is unknown until these resources exist.
 *
 * @example
 * ```ts
 * const now = getEndpointOutput({ projectId, endpointId: app.endpointId });
 * export const lastActive = now.apply((compute) => compute.lastActive);
 * ```
 *
 * @throws like `getEndpoint`, once the arguments are known.
 */
export const getEndpointOutput: OutputLookup<GetEndpointArgs, EndpointFacts, LookupOptions> =
  whenKnown(getEndpoint);

/**
 * The primary of a branch as it is now: its only `read_write` compute, whoever created it.
 *
 * @example
 * ```ts
 * const { host } = await getPrimary({ projectId, branchId: "br-odd-river-g7oyvpbt" });
 * ```
 *
 * @throws if the branch has no primary, or the service cannot be reached.
 */
export const getPrimary: Lookup<GetPrimaryArgs, EndpointFacts, LookupOptions> = call("getPrimary");

/**
 * Like `getPrimary`, for arguments that are outputs of other resources. The result is unknown until these resources exist.
 *
 * @example
 * ```ts
 * export const host = getPrimaryOutput({ projectId, branchId: app.branchId }).host;
 * ```
 *
 * @throws like `getPrimary`, once the arguments are known.
 */
export const getPrimaryOutput: OutputLookup<GetPrimaryArgs, EndpointFacts, LookupOptions> = whenOnBranch(
  getPrimary,
  (...of) => listEndpoints(...of),
);

/**
 * The computes of a project, or of one branch, as they are now.
 *
 * @example
 * ```ts
 * const replicas = (await listEndpoints({ projectId, branchId })).filter(({ type }) => type === "read_only");
 * ```
 *
 * @throws if there is no such project, or the service cannot be reached.
 */
export const listEndpoints: Lookup<ListEndpointsArgs, readonly EndpointFacts[], LookupOptions> = async (
  ...of
) => (await call<{ readonly endpoints: readonly EndpointFacts[] }>("listEndpoints")(...of)).endpoints;

/**
 * Like `listEndpoints`, for arguments that are outputs of other resources. The result is unknown until these resources exist.
 *
 * @example
 * ```ts
 * const computes = listEndpointsOutput({ projectId, branchId: app.branchId });
 * export const hosts = computes.apply((all) => all.map(({ host }) => host));
 * ```
 *
 * @throws like `listEndpoints`, once the arguments are known.
 */
export const listEndpointsOutput: OutputLookup<ListEndpointsArgs, readonly EndpointFacts[], LookupOptions> =
  whenOnBranch(listEndpoints, listEndpoints);

/**
 * One operation as it is now.
 *
 * @example
 * ```ts
 * const { status, failuresCount } = await getOperation({ projectId, operationId });
 * ```
 *
 * @throws if the project has no such operation, or the service cannot be reached.
 */
export const getOperation: Lookup<GetOperationArgs, OperationFacts, LookupOptions> = call("getOperation");

/**
 * Like `getOperation`, for arguments that are outputs of other resources. The result is unknown until these resources exist.
 *
 * @example
 * ```ts
 * export const status = getOperationOutput({ projectId, operationId }).status;
 * ```
 *
 * @throws like `getOperation`, once the arguments are known.
 */
export const getOperationOutput: OutputLookup<GetOperationArgs, OperationFacts, LookupOptions> =
  whenKnown(getOperation);

/**
 * The operations of a project, newest first, page after page until the list ends.
 *
 * @example
 * ```ts
 * for await (const operation of listOperations({ projectId })) console.log(operation.action);
 * ```
 *
 * @throws if there is no such project, the service cannot be reached, or a page's cursor repeats.
 */
export function listOperations(
  args: ListOperationsArgs,
  opts?: InvokeOptions,
): AsyncGenerator<OperationFacts, void, undefined> {
  return everyPage(args, (page) => call<OperationsPage>("listOperations")(page, opts));
}

/**
 * All operations of a project, newest first, for arguments that are outputs of other resources. The result is unknown
 * until these resources exist.
 *
 * @example
 * ```ts
 * export const failed = listOperationsOutput({ projectId: app.projectId }).apply(
 *   (all) => all.filter(({ status }) => status === "failed").length,
 * );
 * ```
 *
 * @throws like `listOperations`, once the arguments are known.
 */
export const listOperationsOutput: OutputLookup<
  ListOperationsArgs,
  readonly OperationFacts[],
  LookupOptions
> = whenKnown((...of: Parameters<typeof listOperations>) => all(listOperations(...of)));

function call<T>(name: string): Lookup<object, T, LookupOptions> {
  return (args, opts) =>
    runtime.invoke(`compute:index:${name}`, { ...args }, { ...ofThisVersion, ...opts }) as Promise<T>;
}
