/**
 * What the lookups of both variants have in common.
 */
import * as pulumi from "@pulumi/pulumi";
import type { EndpointFacts, OperationFacts, OperationsPage } from "../provider/facts";
import { EndpointResource } from "./endpoint";
import { explained } from "./explained";
import { valueOf } from "./values";

/** The same arguments; each may be an output of another resource. */
export type Inputs<T> = { readonly [K in keyof T]: pulumi.Input<T[K]> };

/** A lookup; the options are those of its variant. */
export type Lookup<A, T, Options extends readonly unknown[] = []> = (args: A, ...opts: Options) => Promise<T>;

/** A lookup for arguments that may be outputs of other resources. */
export type OutputLookup<A, T, Options extends readonly unknown[] = []> = (
  args: Inputs<A>,
  ...opts: Options
) => pulumi.Output<T>;

/**
 * Like Pulumi's own calls, waits until all arguments are known and the resources that they come from exist: outputs such as
 * a branch are known before their resource is created. A failure never shows a secret argument.
 */
export function whenKnown<A, T, Options extends readonly unknown[]>(
  ask: Lookup<A, T, Options>,
): OutputLookup<A, T, Options> {
  return (args, ...opts) => {
    const ids = resourcesOf(args).then((resources) => resources.map(({ id }) => id));
    const conceal = concealerOf(args);
    const answer: pulumi.Output<unknown> = pulumi
      .all([args, ids])
      .apply(([known]) => concealing(conceal, () => ask(known as A, ...opts)));
    return answer as pulumi.Output<T>;
  };
}

/** Removes the secrets of a lookup from its failure. */
type Conceal = (error: Error) => Error;

/** A handler between the two promises is necessary: sdk/lookups.ts has the reason. */
function concealing<T>(conceal: Promise<Conceal>, ask: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    conceal
      .then((without) => {
        ask().then(resolve, (error: unknown) => {
          reject(without(error as Error));
        });
      })
      .catch(reject);
  });
}

/** Loads the redactor only if an argument is secret: most programs have no secret arguments. */
async function concealerOf(args: object): Promise<Conceal> {
  const secrets = await secretsIn(args);
  if (secrets.length === 0) return (error) => error;
  const { createRedactor } = await import("../provider/redact.js");
  const { hide, redact } = createRedactor();
  secrets.forEach(hide);
  return ({ message }) => explained(redact(message));
}

async function secretsIn(args: object): Promise<readonly string[]> {
  const values = Object.values(args).map(async (value: unknown) =>
    (await pulumi.isSecret(pulumi.output(value))) ? valueOf(value) : undefined,
  );
  return (await Promise.all(values)).filter((value): value is string => typeof value === "string");
}

/**
 * Like `whenKnown`, for a lookup by branch. The answer is also unknown in a preview that moves an Endpoint to this
 * branch: at the service, the compute is still on its former branch.
 *
 * @param list - the computes of a project, as the service has them.
 */
export function whenOnBranch<A extends BranchArgs, T, Options extends readonly unknown[]>(
  ask: Lookup<A, T, Options>,
  list: Lookup<{ readonly projectId: string }, readonly EndpointFacts[], Options>,
): OutputLookup<A, T, Options> {
  return (args, ...opts) => {
    const askOrWait = async (known: A): Promise<T> => {
      const expected = pulumi.runtime.isDryRun() ? await expectedOn(known.branchId, args) : [];
      const computes = expected.length === 0 ? [] : await list({ projectId: known.projectId }, ...opts);
      const isMoving = computes.some(
        ({ endpointId, branchId }) => expected.includes(endpointId) && branchId !== known.branchId,
      );
      return isMoving ? (pulumi.unknown as T) : ask(known, ...opts);
    };
    return whenKnown(askOrWait)(args);
  };
}

interface BranchArgs {
  readonly projectId: string;
  readonly branchId?: string | undefined;
}

/** Ids of the Endpoints that the arguments come from and that the program declares on this branch. */
async function expectedOn(branchId: string | undefined, args: object): Promise<readonly unknown[]> {
  if (branchId === undefined) return [];
  const endpoints = (await resourcesOf(args)).filter((resource) => resource instanceof EndpointResource);
  const isExpected = await Promise.all(
    endpoints.map(async (endpoint) => (await valueOf(endpoint.branchId)) === branchId),
  );
  return Promise.all(endpoints.filter((_, index) => isExpected[index]).map(({ id }) => valueOf(id)));
}

/** The resources whose outputs are among the arguments. */
async function resourcesOf(args: object): Promise<readonly pulumi.CustomResource[]> {
  const [, byArgument] = await pulumi.runtime.serializeResourceProperties("lookup", { ...args });
  const all = new Set([...byArgument.values()].flatMap((resources) => [...resources]));
  return [...all].filter((resource) => pulumi.CustomResource.isInstance(resource) && "id" in resource);
}

/** The operations of all pages, in order. */
export async function* everyPage<A extends { readonly projectId: string }>(
  args: A,
  pageOf: (args: A & { readonly cursor?: string }) => Promise<OperationsPage>,
): AsyncGenerator<OperationFacts, void, undefined> {
  const seen = new Set<string>();
  let page = await pageOf(args);
  for (;;) {
    yield* page.operations;
    const { cursor } = page;
    if (cursor === undefined) return;
    if (seen.has(cursor))
      throw explained(
        `listing the operations of project ${args.projectId}: the service answered the same cursor twice, so ` +
          "the list would never end. Use the operations listed so far (newest first), and report this to the service.",
      );
    seen.add(cursor);
    page = await pageOf({ ...args, cursor });
  }
}

/** All items of a list, from all pages. */
export async function all<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}
