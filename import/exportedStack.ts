/**
 * Reads `pulumi stack export`: which computes a stack already has.
 */
import { isCompute } from "../preview/peers/table";
import { parseUrn } from "../preview/read/urn";

/** The computes of a stack. */
export interface HeldByStack {
  /** By compute id: the name of its resource. */
  readonly holders: ReadonlyMap<string, string>;
  readonly names: ReadonlySet<string>;
}

/** The text is not an exported stack. */
export class NoStackError extends Error {}

export const emptyStack: HeldByStack = { holders: new Map(), names: new Set() };

/** @throws NoStackError */
export function readExportedStack(text: string): HeldByStack {
  const resources = resourcesIn(text).filter(({ urn }) => isCompute(urn));
  return {
    holders: new Map(resources.map(({ id, urn }) => [id, parseUrn(urn).name])),
    names: new Set(resources.map(({ urn }) => parseUrn(urn).name)),
  };
}

interface ExportedResource {
  readonly urn: string;
  readonly id: string;
  /** True for a resource that was only read by its id: another program owns it. */
  readonly external?: boolean;
}

function resourcesIn(text: string): readonly ExportedResource[] {
  const { deployment } = parsed(text) as {
    readonly deployment?: { readonly resources?: readonly (Partial<ExportedResource> | null)[] } | null;
  };
  if (typeof deployment !== "object" || deployment === null) throw new NoStackError("it has no deployment");
  // An empty stack has no list of resources.
  return (deployment.resources ?? []).filter(
    (resource): resource is ExportedResource =>
      typeof resource?.urn === "string" && typeof resource.id === "string" && resource.external !== true,
  );
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new NoStackError("it is not JSON");
}
