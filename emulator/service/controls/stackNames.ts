/**
 * The names of the Pulumi resources that declare computes, from a stack's own state.
 */

/** A resource in a stack's state, or in the output of `pulumi stack export`. */
export interface StoredResource {
  readonly urn?: string;
  readonly id?: string;
}

/** Names of resources, by the id of their compute. */
export function namesOfComputes(resources: readonly StoredResource[]): Record<string, string> {
  return Object.fromEntries(
    resources.flatMap(({ urn, id }) => {
      // The plugin's ids begin with the id of the project.
      const compute = /(?:^|\/)(ep-[\w-]+)$/.exec(id ?? "")?.[1];
      const name = urn?.split("::").at(-1);
      return compute !== undefined && name !== undefined ? [[compute, name] as const] : [];
    }),
  );
}
