/**
 * Parses the URN of a resource, and labels computes by their names. If names collide, the names of their components
 * come first.
 */
import { dynamicType, nativeType } from "../../provider/model/fields";
import type { Preview, PreviewStep } from "./steps";
import { groupBy } from "./values";

interface Urn {
  readonly stack?: string;
  readonly project?: string;
  /** The types of the components around it, outermost first, and its own type. */
  readonly types: readonly string[];
  readonly name: string;
}

/** `urn:pulumi:STACK::PROJECT::[PARENT$]TYPE::NAME`; a name may contain any text. */
export function parseUrn(urn: string): Urn {
  const [, terraformType, address] = /^urn:terraform:(.*?)::([^]*)$/.exec(urn) ?? [];
  if (terraformType !== undefined) return { types: [terraformType], name: address ?? urn };
  const [, stack, project, types, name] = /^urn:pulumi:(.*?)::(.*?)::(.*?)::([^]*)$/.exec(urn) ?? [];
  if (stack === undefined || project === undefined || types === undefined) return { types: [], name: urn };
  return { stack, project, types: types.split("$"), name: name ?? urn };
}

/** Terraform has no URNs: its addresses are written in a similar form. */
export function terraformUrn(type: string, address: string): string {
  return `urn:terraform:${type}::${address}`;
}

export function isTerraformUrn(urn: string): boolean {
  return urn.startsWith("urn:terraform:");
}

export function typeOf(urn: string): string | undefined {
  return parseUrn(urn).types.at(-1);
}

/** Whether it is a compute of this provider, in either variant. */
export function isEndpoint(urn: string): boolean {
  const type = typeOf(urn);
  return type === dynamicType || type === nativeType;
}

/** The engine treats the stack as a resource, but its users do not. */
export function isStack(urn: string): boolean {
  return parseUrn(urn).types.at(-1) === "pulumi:pulumi:Stack";
}

/** The engine creates default providers itself. Its output for people and its `--json` leave them out. */
export function isDefaultProvider(urn: string): boolean {
  const { types, name } = parseUrn(urn);
  return (types.at(-1) ?? "").startsWith("pulumi:providers:") && /^default(?:_|$)/.test(name);
}

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
      // If names are equal, types distinguish them: no two resources share a URN.
      const areDistinct = new Set(same.map(labelOf)).size === same.length;
      return same.map((urn) => [urn, areDistinct ? labelOf(urn) : typedLabel(urn)] as const);
    }),
  );
}

/** Names of the components around a resource, outermost first, as far as the preview shows them. */
function ancestorsOf(urn: string, parents: ReadonlyMap<string, string | undefined>): readonly string[] {
  const parent = parents.get(urn);
  // A URN contains the types of all ancestors, so a parent's URN has fewer types. Otherwise the chain might be
  // circular.
  if (!parent || isStack(parent) || parseUrn(parent).types.length >= parseUrn(urn).types.length) return [];
  return [...ancestorsOf(parent, parents), parseUrn(parent).name];
}

function typedLabel(urn: string): string {
  const { types, name } = parseUrn(urn);
  return [...types.slice(0, -1), name].join(" / ");
}
