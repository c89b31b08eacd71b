/** Ids of computes by the URNs of their resources, as `pulumi stack export` prints them. */
export function exportOf({ held }: { readonly held: Readonly<Record<string, string>> }): string {
  const resources = Object.entries(held).map(([urn, id]) => ({ urn, id }));
  return JSON.stringify({ version: 3, deployment: { resources } });
}
