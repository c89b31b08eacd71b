/**
 * The names of imported resources. They come from the branch and the type, so that a name never depends on which other
 * computes the project has.
 */
import type { EndpointFacts } from "../provider/facts";

/** `br-odd-river-g7oyvpbt` without its prefix. */
function withoutPrefix(id: string): string {
  return id.replace(/^(br|ep)-/, "");
}

/**
 * `main-primary` for a primary, since a branch has only one primary. `main-replica-ugsg797l` for a replica, with the
 * end of the compute's id: a number would change when another replica is deleted.
 */
function importNameOf(
  { branchId, endpointId, type }: Pick<EndpointFacts, "branchId" | "endpointId" | "type">,
  branchNames: ReadonlyMap<string, string>,
): string {
  const branch = branchNames.get(branchId) ?? withoutPrefix(branchId);
  if (type === "read_write") return `${branch}-primary`;
  return `${branch}-replica-${withoutPrefix(endpointId).split("-").at(-1) ?? ""}`;
}

/**
 * @param taken - the names of the stack's own resources.
 * @returns a name for each compute, in their order. A name that two computes would share, or that a resource already
 * has, is followed by the whole id of the compute.
 */
export function importNamesOf(
  computes: readonly Pick<EndpointFacts, "branchId" | "endpointId" | "type">[],
  {
    branchNames,
    taken,
  }: { readonly branchNames: ReadonlyMap<string, string>; readonly taken: ReadonlySet<string> },
): readonly string[] {
  const names = computes.map((compute) => importNameOf(compute, branchNames));
  return computes.map(({ endpointId }, index) => {
    const name = names[index] ?? "";
    const isShared = taken.has(name) || names.indexOf(name) !== names.lastIndexOf(name);
    return isShared ? `${name}-${endpointId}` : name;
  });
}
