/**
 * Keeps an adopted compute at the service when its resource goes, and leaves a compute that the program creates to
 * `destroy`.
 */
import * as pulumi from "@pulumi/pulumi";
import { explained } from "./explained";
import { valueOf } from "./values";

/**
 * Pulumi's provider process for dynamic resources fails at an import before it calls this provider, with an error that
 * names neither (`Cannot read properties of undefined`).
 *
 * @throws if the resource has the option `import`.
 */
export function refuseImport(name: string, opts: pulumi.CustomResourceOptions | undefined): void {
  if (opts?.import === undefined) return;
  const id = opts.import.split("/").at(-1) ?? "";
  throw explained(
    `declaring compute ${name}: only the plugin takes the option import. Write adopt: ${JSON.stringify(id)} among the ` +
      "arguments in place of the option, or import Endpoint from pulumi-compute-endpoint/native.",
  );
}

/**
 * The options of an Endpoint, with `retainOnDelete: true` if the resource adopts a compute and the program does not set
 * this option.
 *
 * An option cannot be an output. If `adopt` is one, or if the resource's own transforms may set it, a last transform gets
 * the resolved value before the engine registers the resource: if it is empty, the compute is not retained. Transforms of
 * components and of the stack come after it.
 */
export function keepingAdopted(
  adopt: pulumi.Input<string | undefined> | null | undefined,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.CustomResourceOptions | undefined {
  if (opts?.retainOnDelete !== undefined) return opts;
  if (typeof adopt === "string") return { ...opts, retainOnDelete: true };
  const { transforms = [], transformations = [] } = opts ?? {};
  const mayAdopt = (adopt !== undefined && adopt !== null) || [...transforms, ...transformations].length > 0;
  if (!mayAdopt || !takesTransforms()) return opts;
  return { ...opts, transforms: [...transforms, keepIfAdopted] };
}

/** False under the mocks of a user's tests, which have no engine: a transform would fail or wait for ever. */
function takesTransforms(): boolean {
  const engine = pulumi.runtime.getMonitor();
  return engine !== undefined && "registerStackTransform" in engine;
}

/** Exported for its test. */
export const keepIfAdopted: pulumi.ResourceTransform = async ({ props, opts }) => {
  const adopt = await valueOf(props["adopt"]);
  // Unknown in previews only: the update decides.
  if (adopt === undefined || adopt === null || adopt === pulumi.runtime.unknownValue) return undefined;
  return { props, opts: { ...opts, retainOnDelete: true } };
};
