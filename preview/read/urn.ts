/**
 * Parses the URN of a resource.
 */
import { dynamicRestartType, dynamicType, nativeRestartType, nativeType } from "../../provider/fields";

interface Urn {
  readonly stack?: string;
  readonly project?: string;
  /** The types of the components around it, outermost first, and its own type. */
  readonly types: readonly string[];
  readonly name: string;
}

/** `urn:pulumi:STACK::PROJECT::[PARENT$]TYPE::NAME`; a name may contain any text. */
export function parseUrn(urn: string): Urn {
  const [, stack, project, types, name] = /^urn:pulumi:(.*?)::(.*?)::(.*?)::([^]*)$/.exec(urn) ?? [];
  if (stack === undefined || project === undefined || types === undefined) return { types: [], name: urn };
  return { stack, project, types: types.split("$"), name: name ?? urn };
}

export function isEndpoint(urn: string): boolean {
  const type = parseUrn(urn).types.at(-1);
  return type === dynamicType || type === nativeType;
}

export function isRestart(urn: string): boolean {
  const type = parseUrn(urn).types.at(-1);
  return type === dynamicRestartType || type === nativeRestartType;
}

/** The engine treats the stack as a resource, its users do not. */
export function isStack(urn: string): boolean {
  return parseUrn(urn).types.at(-1) === "pulumi:pulumi:Stack";
}

/** The engine makes these providers by itself; what it prints for people and for `--json` leaves them out. */
export function isDefaultProvider(urn: string): boolean {
  const { types, name } = parseUrn(urn);
  return (types.at(-1) ?? "").startsWith("pulumi:providers:") && /^default(?:_|$)/.test(name);
}
