/**
 * Live facts that the program itself reads from the service: plain async functions, and `…Output` forms that accept
 * Inputs. The provider's client is loaded with the first call, so that other programs do not load it.
 */
import * as pulumi from "@pulumi/pulumi";
import type { EndpointFacts, OperationFacts } from "../provider/facts";
import type { Lookups } from "../provider/lookups";
import { refuseUnknownSettings, stackConfig } from "./configured";
import { explained } from "./explained";
import { all, everyPage, whenKnown, whenOnBranch, type Lookup, type OutputLookup } from "./sharedLookups";

/** Which compute `getEndpoint` reads. */
export interface GetEndpointArgs {
  /** The project that owns the compute. */
  readonly projectId: string;
  /** Id of the compute; begins with `ep-`. */
  readonly endpointId: string;
}

/** The branch whose primary `getPrimary` reads. */
export interface GetPrimaryArgs {
  /** The project that owns the branch. */
  readonly projectId: string;
  /** Id of the branch; begins with `br-`. */
  readonly branchId: string;
}

/** Which computes `listEndpoints` reads. */
export interface ListEndpointsArgs {
  /** The project that owns the computes. */
  readonly projectId: string;
  /** Only the computes of this branch. */
  readonly branchId?: string | undefined;
}

/** Which operation `getOperation` reads. */
export interface GetOperationArgs {
  /** The project of the operation. */
  readonly projectId: string;
  /** Id of the operation, from `listOperations` or an error message. */
  readonly operationId: string;
}

/** The project whose operations `listOperations` reads, and the page size. */
export interface ListOperationsArgs {
  /** The project of the operations. */
  readonly projectId: string;
  /** Operations per request. Default: the service's number. */
  readonly pageSize?: number | undefined;
}

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
export const getEndpoint: Lookup<GetEndpointArgs, EndpointFacts> = asked("getEndpoint");

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
export const getEndpointOutput: OutputLookup<GetEndpointArgs, EndpointFacts> = whenKnown(getEndpoint);

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
export const getPrimary: Lookup<GetPrimaryArgs, EndpointFacts> = asked("getPrimary");

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
export const getPrimaryOutput: OutputLookup<GetPrimaryArgs, EndpointFacts> = whenOnBranch(
  getPrimary,
  (args) => listEndpoints(args),
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
export const listEndpoints: Lookup<ListEndpointsArgs, readonly EndpointFacts[]> = asked("listEndpoints");

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
export const listEndpointsOutput: OutputLookup<ListEndpointsArgs, readonly EndpointFacts[]> = whenOnBranch(
  listEndpoints,
  listEndpoints,
);

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
export const getOperation: Lookup<GetOperationArgs, OperationFacts> = asked("getOperation");

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
export const getOperationOutput: OutputLookup<GetOperationArgs, OperationFacts> = whenKnown(getOperation);

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
export function listOperations(args: ListOperationsArgs): AsyncGenerator<OperationFacts, void, undefined> {
  return everyPage(args, asked("listOperations"));
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
export const listOperationsOutput: OutputLookup<ListOperationsArgs, readonly OperationFacts[]> = whenKnown(
  (args: ListOperationsArgs) => all(listOperations(args)),
);

/**
 * If a program does not catch a failure, Pulumi prints its message without a stack trace.
 *
 * The handler between the two promises is necessary. The SDK keeps an inspector's session open. For each throw, V8 then
 * checks who will catch it, along every promise that waits. If outputs use a lookup's answer, this check takes minutes
 * for each `await` that the error passes. A handler ends the check.
 */
function asked<Name extends Exclude<keyof Lookups, "redact">>(name: Name): Lookups[Name] {
  const ask = (args: never): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown, redact = (text: string): string => text): void => {
        const isOurs = error instanceof Error && "problem" in error;
        reject(isOurs ? explained(redact(error.message)) : (error as Error));
      };
      lookups().then((client) => {
        const answer: Promise<unknown> = client[name](args);
        answer.then(resolve, (error: unknown) => {
          fail(error, client.redact);
        });
      }, fail);
    });
  return ask as Lookups[Name];
}

/** There is one client per run: several programs may run in one process, each with the account of its stack. */
const connected = new WeakMap<object, Promise<Lookups>>();
const outsideRuns = {};

/**
 * The client, with the stack's configuration. It is created once per run; after a wrong configuration, the next call
 * tries again.
 */
function lookups(): Promise<Lookups> {
  const run = pulumi.runtime.getMonitor() ?? outsideRuns;
  const known = connected.get(run);
  if (known !== undefined) return known;
  const connecting = import("../provider/lookups.js").then(({ connectLookups }) => {
    refuseUnknownSettings();
    return connectLookups(stackConfig);
  });
  connected.set(run, connecting);
  connecting.catch(() => connected.delete(run));
  return connecting;
}
