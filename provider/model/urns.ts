/**
 * URNs: the engine's names of resources.
 */
import { dynamicType, nativeType } from "./fields";

/** Whether two URNs name one resource: it keeps its name if its stack moves between the variants. */
export function isSameResource(left: string, right: string): boolean {
  return anyVariant(left) === anyVariant(right);
}

/** A URN without the variant, which is in its type. */
export function anyVariant(urn: string): string {
  const [stack, project, type, ...name] = urn.split("::");
  if (type === undefined || !type.endsWith(nativeType)) return urn;
  return [stack, project, `${type.slice(0, -nativeType.length)}${dynamicType}`, ...name].join("::");
}

/** Whether a URN is an Endpoint's, in either variant. */
export function isEndpoint(urn: string): boolean {
  return anyVariant(urn).split("::")[2]?.endsWith(dynamicType) === true;
}

/** A resource's name, for people. */
export function titleIn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** Whether a URN is that of a provider instance of either variant. */
export function isProvider(urn: string): boolean {
  return /^pulumi:providers:(compute|pulumi-nodejs)$/.test(urn.split("::")[2] ?? "");
}
