/**
 * Parses the URN of a resource.
 */
import { dynamicType, nativeType } from "../../provider/model/fields";
import { peerOf } from "./peerTable";

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

/** Terraform has no URNs: its addresses get one of their own form. */
export function terraformUrn(type: string, address: string): string {
  return `urn:terraform:${type}::${address}`;
}

export function typeOf(urn: string): string | undefined {
  return parseUrn(urn).types.at(-1);
}

/** Whether it is a compute: of this provider, or of another one that is known. */
export function isEndpoint(urn: string): boolean {
  const type = typeOf(urn) ?? "";
  return type === dynamicType || type === nativeType || peerOf(type) !== undefined;
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
