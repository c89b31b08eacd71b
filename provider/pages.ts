/**
 * A list that comes in pages, for a program that asks the service itself and for one that asks the plugin. Pure and
 * without imports but of types.
 */
import type { OperationFacts } from "./facts";

export interface OperationsPage {
  readonly operations: readonly OperationFacts[];
  /** Of the next page; none after the last. */
  readonly cursor?: string | undefined;
}

/**
 * The operations of all pages, in their order.
 *
 * @param repeated - the error for a cursor that comes twice: the list would never end.
 */
export async function* everyPage(
  pageFrom: (cursor: string | undefined) => Promise<OperationsPage>,
  repeated: () => Error,
): AsyncGenerator<OperationFacts, void, undefined> {
  const seen = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const page = await pageFrom(cursor);
    yield* page.operations;
    if (page.cursor === undefined) return;
    if (seen.has(page.cursor)) throw repeated();
    seen.add(page.cursor);
    cursor = page.cursor;
  }
}
