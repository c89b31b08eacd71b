/**
 * Helpers for the `…Output` forms of the lookups, of the program and of the plugin.
 */
import * as pulumi from "@pulumi/pulumi";

/** The same arguments; each may be an output of another resource. */
export type Inputs<T> = { readonly [K in keyof T]: pulumi.Input<NonNullable<T[K]>> };

/** Calls the lookup once all arguments are known. */
export function whenKnown<A, T, Options extends readonly unknown[]>(
  args: Inputs<A>,
  ask: (known: A, ...opts: Options) => Promise<T>,
  ...opts: Options
): pulumi.Output<T> {
  const answer: pulumi.Output<unknown> = pulumi.output(args).apply((known) => ask(known as A, ...opts));
  return answer as pulumi.Output<T>;
}

/** All items of a list, from all pages. */
export async function all<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}
