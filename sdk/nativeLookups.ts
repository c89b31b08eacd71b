/**
 * Live facts that the plugin reads from the service; with the option `provider`, from the account of that provider.
 */
import { runtime, type InvokeOptions, type Output } from "@pulumi/pulumi";
import type { EndpointFacts, OperationFacts } from "../provider/facts";
import type {
  GetEndpointArgs,
  GetOperationArgs,
  GetPrimaryArgs,
  ListEndpointsArgs,
  ListOperationsArgs,
} from "./lookups";
import { ofThisVersion } from "./nativeEndpoint";
import { all, everyPage, whenKnown, type Inputs } from "./sharedLookups";

/**
 * One compute as it is now, its state and last activity included.
 *
 * @example
 * ```ts
 * const { currentState, lastActive } = await getEndpoint({ projectId, endpointId: "ep-warm-night-ugsg797l" });
 * ```
 *
 * @throws if the project has no such compute, or the service cannot be reached.
 */
export function getEndpoint(args: GetEndpointArgs, opts?: InvokeOptions): Promise<EndpointFacts> {
  return call("getEndpoint", args, opts);
}

/**
 * As `getEndpoint`, for arguments that are outputs of other resources.
 *
 * @example
 * ```ts
 * const now = getEndpointOutput({ projectId, endpointId: app.endpointId });
 * export const lastActive = now.apply((compute) => compute.lastActive);
 * ```
 *
 * @throws as `getEndpoint`, when the arguments are known.
 */
export function getEndpointOutput(
  args: Inputs<GetEndpointArgs>,
  opts?: InvokeOptions,
): Output<EndpointFacts> {
  return whenKnown(args, getEndpoint, opts);
}

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
export function getPrimary(args: GetPrimaryArgs, opts?: InvokeOptions): Promise<EndpointFacts> {
  return call("getPrimary", args, opts);
}

/**
 * As `getPrimary`, for arguments that are outputs of other resources.
 *
 * @example
 * ```ts
 * export const host = getPrimaryOutput({ projectId, branchId: app.branchId }).host;
 * ```
 *
 * @throws as `getPrimary`, when the arguments are known.
 */
export function getPrimaryOutput(args: Inputs<GetPrimaryArgs>, opts?: InvokeOptions): Output<EndpointFacts> {
  return whenKnown(args, getPrimary, opts);
}

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
export async function listEndpoints(
  args: ListEndpointsArgs,
  opts?: InvokeOptions,
): Promise<readonly EndpointFacts[]> {
  return (await call<{ endpoints: readonly EndpointFacts[] }>("listEndpoints", args, opts)).endpoints;
}

/**
 * As `listEndpoints`, for arguments that are outputs of other resources.
 *
 * @example
 * ```ts
 * const computes = listEndpointsOutput({ projectId, branchId: app.branchId });
 * export const hosts = computes.apply((all) => all.map(({ host }) => host));
 * ```
 *
 * @throws as `listEndpoints`, when the arguments are known.
 */
export function listEndpointsOutput(
  args: Inputs<ListEndpointsArgs>,
  opts?: InvokeOptions,
): Output<readonly EndpointFacts[]> {
  return whenKnown(args, listEndpoints, opts);
}

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
export function getOperation(args: GetOperationArgs, opts?: InvokeOptions): Promise<OperationFacts> {
  return call("getOperation", args, opts);
}

/**
 * As `getOperation`, for arguments that are outputs of other resources.
 *
 * @example
 * ```ts
 * export const status = getOperationOutput({ projectId, operationId }).status;
 * ```
 *
 * @throws as `getOperation`, when the arguments are known.
 */
export function getOperationOutput(
  args: Inputs<GetOperationArgs>,
  opts?: InvokeOptions,
): Output<OperationFacts> {
  return whenKnown(args, getOperation, opts);
}

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
  return everyPage(args, (page) => call("listOperations", page, opts));
}

/**
 * All operations of a project, newest first, for arguments that are outputs of other resources.
 *
 * @example
 * ```ts
 * export const failed = listOperationsOutput({ projectId: app.projectId }).apply(
 *   (all) => all.filter(({ status }) => status === "failed").length,
 * );
 * ```
 *
 * @throws as `listOperations`, when the arguments are known.
 */
export function listOperationsOutput(
  args: Inputs<ListOperationsArgs>,
  opts?: InvokeOptions,
): Output<readonly OperationFacts[]> {
  return whenKnown(args, (known: ListOperationsArgs) => all(listOperations(known, opts)));
}

function call<T>(name: string, args: object, opts: InvokeOptions | undefined): Promise<T> {
  const options = { ...ofThisVersion, ...opts };
  return runtime.invoke(`compute:index:${name}`, { ...args }, options) as Promise<T>;
}
