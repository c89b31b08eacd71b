/**
 * Live facts, asked of the service when the program runs: plain async functions, and `…Output` forms that
 * take Inputs. The provider's client is loaded with the first call, so that other programs pay nothing.
 */
import * as pulumi from "@pulumi/pulumi";
import type { EndpointFacts, OperationFacts } from "../provider/facts";
import type { Lookups } from "../provider/lookups";
import { explained } from "./explained";

export interface GetEndpointArgs {
  readonly projectId: string;
  readonly endpointId: string;
}

export interface GetPrimaryArgs {
  readonly projectId: string;
  readonly branchId: string;
}

export interface ListEndpointsArgs {
  readonly projectId: string;
  /** Only the computes of this branch. */
  readonly branchId?: string;
}

export interface GetOperationArgs {
  readonly projectId: string;
  readonly operationId: string;
}

export interface ListOperationsArgs {
  readonly projectId: string;
  /** Operations asked for with each request; the service's own number where not given (interface 4.6). */
  readonly pageSize?: number;
}

/**
 * One compute as it is now, its state and last activity included.
 *
 * @throws where the project has no such compute, or the service cannot be asked.
 * @see interface 4.2
 */
export async function getEndpoint(args: GetEndpointArgs): Promise<EndpointFacts> {
  return asked((client) => client.getEndpoint(args));
}

/** As `getEndpoint`, for arguments that are outputs of other resources. */
export function getEndpointOutput(args: Inputs<GetEndpointArgs>): pulumi.Output<EndpointFacts> {
  return pulumi.output(args).apply((known) => getEndpoint(known as GetEndpointArgs));
}

/**
 * The primary of a branch as it is now: its one `read_write` compute, whoever made it.
 *
 * @throws where the branch has no primary, or the service cannot be asked.
 * @see interface 4.2
 */
export async function getPrimary(args: GetPrimaryArgs): Promise<EndpointFacts> {
  return asked((client) => client.getPrimary(args));
}

/** As `getPrimary`, for arguments that are outputs of other resources. */
export function getPrimaryOutput(args: Inputs<GetPrimaryArgs>): pulumi.Output<EndpointFacts> {
  return pulumi.output(args).apply((known) => getPrimary(known as GetPrimaryArgs));
}

/**
 * The computes of a project, or of one branch, as they are now.
 *
 * @see interface 4.2
 */
export async function listEndpoints(args: ListEndpointsArgs): Promise<readonly EndpointFacts[]> {
  return asked((client) => client.listEndpoints(args));
}

/** As `listEndpoints`, for arguments that are outputs of other resources. */
export function listEndpointsOutput(
  args: Inputs<ListEndpointsArgs>,
): pulumi.Output<readonly EndpointFacts[]> {
  return pulumi.output(args).apply((known) => listEndpoints(known as ListEndpointsArgs));
}

/**
 * One operation as it is now.
 *
 * @see interface 4.7
 */
export async function getOperation(args: GetOperationArgs): Promise<OperationFacts> {
  return asked((client) => client.getOperation(args));
}

/** As `getOperation`, for arguments that are outputs of other resources. */
export function getOperationOutput(args: Inputs<GetOperationArgs>): pulumi.Output<OperationFacts> {
  return pulumi.output(args).apply((known) => getOperation(known as GetOperationArgs));
}

/**
 * The operations of a project, newest first, page after page until the list ends.
 *
 * ```ts
 * for await (const operation of listOperations({ projectId })) console.log(operation.action);
 * ```
 *
 * @throws where a page's cursor repeats: the list would never end.
 * @see interface 4.6
 */
export async function* listOperations(
  args: ListOperationsArgs,
): AsyncGenerator<OperationFacts, void, undefined> {
  const operations = await asked((client) => Promise.resolve(client.listOperations(args)));
  for (;;) {
    const next = await asked(() => operations.next());
    if (next.done === true) return;
    yield next.value;
  }
}

/** All operations of a project, newest first, for arguments that are outputs of other resources. */
export function listOperationsOutput(
  args: Inputs<ListOperationsArgs>,
): pulumi.Output<readonly OperationFacts[]> {
  return pulumi.output(args).apply(async (known) => {
    const all: OperationFacts[] = [];
    for await (const operation of listOperations(known)) all.push(operation);
    return all;
  });
}

export type Inputs<T> = { readonly [K in keyof T]: pulumi.Input<NonNullable<T[K]>> };

/**
 * A failure a program does not catch is printed as its sentence, without a stack of ours.
 *
 * The handler between the two promises is not for nothing. The SDK has an inspector's session open, under which V8 looks
 * at each throw for who will catch it, along every promise that waits: where outputs are made of a lookup's answer, that
 * takes minutes for each `await` on the error's way. It stops at a handler.
 */
function asked<T>(ask: (client: Lookups) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    lookups()
      .then(ask)
      .then(resolve, (error: unknown) => {
        const isOurs = typeof error === "object" && error !== null && "problem" in error;
        reject(isOurs ? explained((error as unknown as Error).message) : (error as Error));
      });
  });
}

let connected: Promise<Lookups> | undefined;

/** The client, with the stack's configuration; made once, so that a wrong configuration can be mended and tried again. */
function lookups(): Promise<Lookups> {
  connected ??= import("../provider/lookups.js").then(({ connectLookups }) => {
    const config = new pulumi.Config("compute");
    return connectLookups((key) => config.get(key.replace(/^compute:/, "")));
  });
  connected.catch(() => {
    connected = undefined;
  });
  return connected;
}
