/**
 * The engine's `List`: the computes of a project by their import ids, for `pulumi do compute:index:Endpoint list`.
 */
import { unknownValue } from "../endpoint/planning/unknown";
import { ComputeError } from "../errors";
import { nativeType } from "../fields";
import { importNamesOf } from "../importNames";
import type { OpenLookups } from "./invoke";
import type { Values } from "./stored";

export interface ListQuery {
  readonly token: string;
  /** `projectId`, and `branchId` to list the computes of one branch. */
  readonly query: Values;
  /** Longest list; none below 1. */
  readonly limit: number;
  /** Longest page; none below 1. */
  readonly pageSize: number;
  /** The id of the last compute of the page before; empty for the first page. */
  readonly continuation: string;
}

export interface ListedPage {
  readonly computes: readonly { readonly id: string; readonly name: string }[];
  /** Where the next page begins; undefined at the end of the list. */
  readonly continuation: string | undefined;
}

/** @returns undefined if what to list is not known yet. */
export async function listComputes(
  lookups: OpenLookups,
  { token, query, limit, pageSize, continuation }: ListQuery,
): Promise<ListedPage | undefined> {
  if (token !== nativeType) throw notListed(token, "there is no such resource", `List ${nativeType}`);
  const { projectId, branchId } = query;
  if ([projectId, branchId].includes(unknownValue)) return undefined;
  if (typeof projectId !== "string" || projectId === "")
    throw notListed(token, "projectId is missing", "Name the project: `--project-id PROJECT`");
  const ofBranch = typeof branchId === "string" ? { branchId } : {};
  const listed = await (await lookups()).listEndpoints({ projectId, ...ofBranch });
  // In the order of their ids: a page begins after the last one, whatever has been created since.
  const computes = listed.toSorted((left, right) => (left.endpointId < right.endpointId ? -1 : 1));
  const names = importNamesOf(computes, { branchNames: new Map(), taken: new Set() });
  const rest = computes
    .map(({ endpointId }, index) => ({ id: `${projectId}/${endpointId}`, name: names[index] ?? "" }))
    .filter(({ id }) => id > continuation);
  const allowed = rest.slice(0, limit < 1 ? undefined : limit);
  const page = allowed.slice(0, pageSize < 1 ? undefined : pageSize);
  return { computes: page, continuation: page.length < allowed.length ? page.at(-1)?.id : undefined };
}

function notListed(token: string, what: string, fix: string): ComputeError {
  return new ComputeError({ doing: `listing ${token}`, what, fix });
}
