/**
 * Labels of computes: their names, preceded by the names of their components if names collide.
 */
import type { Preview, PreviewStep } from "./preview";
import { isStack, parseUrn } from "./urn";
import { groupBy } from "./values";

/** Labels by URN. */
export function labelsOf(computes: readonly PreviewStep[], preview: Preview): ReadonlyMap<string, string> {
  const parents = new Map([
    ...preview.refreshes.map(({ urn, before }) => [urn, before?.parent] as const),
    ...preview.steps.map(({ urn, before, after }) => [urn, after?.parent ?? before?.parent] as const),
  ]);
  const urns = [...new Set(computes.map(({ urn }) => urn))];
  return new Map(
    [...groupBy(urns, (urn) => parseUrn(urn).name).values()].flatMap((same) => {
      if (same.length === 1) return same.map((urn) => [urn, parseUrn(urn).name] as const);
      const labelOf = (urn: string): string => [...ancestorsOf(urn, parents), parseUrn(urn).name].join(" / ");
      // If names are equal, types distinguish them: no two resources have one URN.
      const areDistinct = new Set(same.map(labelOf)).size === same.length;
      return same.map((urn) => [urn, areDistinct ? labelOf(urn) : typedLabel(urn)] as const);
    }),
  );
}

/** Names of the components around a resource, outermost first, as far as the preview shows them. */
function ancestorsOf(urn: string, parents: ReadonlyMap<string, string | undefined>): readonly string[] {
  const parent = parents.get(urn);
  // A URN contains its ancestors' types, so a chain cannot be longer than that, or circular.
  if (!parent || isStack(parent) || parseUrn(parent).types.length >= parseUrn(urn).types.length) return [];
  return [...ancestorsOf(parent, parents), parseUrn(parent).name];
}

function typedLabel(urn: string): string {
  const { types, name } = parseUrn(urn);
  return [...types.slice(0, -1), name].join(" / ");
}
