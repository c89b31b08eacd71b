/**
 * Reads a list page by page, for a program that asks the service itself and for one that asks the plugin. Pure; it
 * imports only types.
 */
import type { OperationFacts } from "./facts";

export interface OperationsPage {
  readonly operations: readonly OperationFacts[];
  /** The cursor of the next page; undefined after the last page. */
  readonly cursor?: string | undefined;
}

/**
 * The operations of all pages, in order.
 *
 * @param repeated - the error for a repeated cursor: the list would never end.
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
