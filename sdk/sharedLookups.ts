/**
 * What the lookups of both variants share.
 */
import * as pulumi from "@pulumi/pulumi";
import type { OperationFacts, OperationsPage } from "../provider/facts";
import { explained } from "./explained";

/** The same arguments; each may be an output of another resource. */
export type Inputs<T> = { readonly [K in keyof T]: pulumi.Input<NonNullable<T[K]>> };

/** A lookup; the options are those of its variant. */
export type Lookup<A, T, Options extends readonly unknown[] = []> = (args: A, ...opts: Options) => Promise<T>;

/** A lookup for arguments that may be outputs of other resources. */
export type OutputLookup<A, T, Options extends readonly unknown[] = []> = (
  args: Inputs<A>,
  ...opts: Options
) => pulumi.Output<T>;

/** Calls the lookup once all arguments are known. */
export function whenKnown<A, T, Options extends readonly unknown[]>(
  ask: Lookup<A, T, Options>,
): OutputLookup<A, T, Options> {
  return (args, ...opts) => {
    const answer: pulumi.Output<unknown> = pulumi.output(args).apply((known) => ask(known as A, ...opts));
    return answer as pulumi.Output<T>;
  };
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
        `listing the operations of project ${args.projectId}: the service answered the same cursor twice, so that ` +
          "the list would never end. Take the operations listed so far (the newest come first), and report this to the service.",
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
