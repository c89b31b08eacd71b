/**
 * The former identities of an Endpoint, so that a program can move to the other variant without changing a compute.
 */
import * as pulumi from "@pulumi/pulumi";

type Alias = pulumi.URN | pulumi.Alias;

/** The type of the resource, and that of the other variant. */
interface Types {
  readonly own: string;
  readonly other: string;
}

/**
 * The aliases that the SDK adds, each with the other variant's type: one with the present name and parent, and one for
 * each alias that the program lists. So a program may rename or move a resource and change its variant in one step.
 */
export function aliasesOfOtherVariant(
  types: Types,
  listed: readonly pulumi.Input<Alias>[] | undefined,
): pulumi.Input<Alias>[] {
  const products = (listed ?? []).map((alias) => {
    if (typeof alias === "string") return inOtherVariant(types, alias);
    if (pulumi.Output.isInstance(alias) || alias instanceof Promise)
      return pulumi.output(alias).apply((known) => inOtherVariant(types, known as Alias));
    return inOtherVariant(types, alias);
  });
  return [{ type: types.other }, ...products];
}

/** An alias that names its type is complete, and is not changed. */
function inOtherVariant({ own, other }: Types, alias: Alias): Alias {
  if (typeof alias === "object") return { type: other, ...alias };
  // urn:pulumi:STACK::PROJECT::TYPES-OF-PARENTS$TYPE::NAME
  const [stack = "", project = "", type = "", ...name] = alias.split("::");
  const parents = type.slice(0, -own.length);
  const isOwn = type === own || (type.endsWith(own) && parents.endsWith("$"));
  return isOwn ? [stack, project, `${parents}${other}`, ...name].join("::") : alias;
}
