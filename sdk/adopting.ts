/**
 * Keeps an adopted compute at the service when its resource is removed. A compute that the program created is deleted as usual.
 */
import * as pulumi from "@pulumi/pulumi";
import { explained } from "./explained";
import { valueOf } from "./values";

/**
 * Refuses an import before Pulumi's provider process for dynamic resources does: the process fails without calling this
 * provider, and its error explains nothing (`Cannot read properties of undefined`).
 *
 * @throws if the resource has the option `import`.
 */
export function refuseImport(name: string, opts: pulumi.CustomResourceOptions | undefined): void {
  if (opts?.import === undefined) return;
  const id = opts.import.split("/").at(-1) ?? "";
  throw explained(
    `declaring compute ${name}: only the plugin supports the option import. Replace it with the argument ` +
      `adopt: ${JSON.stringify(id)}, or import Endpoint from pulumi-compute-endpoint/native.`,
  );
}

/**
 * The options of an Endpoint, with `retainOnDelete: true` if the resource adopts a compute and the program does not set
 * this option.
 *
 * An option cannot be an output. If `adopt` is an output, or if the resource's own transforms may set `adopt`, a last transform
 * is added. It gets the resolved value before the engine registers the resource, and retains the compute unless the value is
 * empty. Transforms of components and of the stack run after it.
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

/** False under the mocks of users' tests: they have no engine, so a transform would fail or wait forever. */
function takesTransforms(): boolean {
  const engine = pulumi.runtime.getMonitor();
  return engine !== undefined && "registerStackTransform" in engine;
}

/** Exported for its test. */
export const keepIfAdopted: pulumi.ResourceTransform = async ({ props, opts }) => {
  const adopt = await valueOf(props["adopt"]);
  // Only a preview has unknown values: the update decides.
  if (adopt === undefined || adopt === null || adopt === pulumi.runtime.unknownValue) return undefined;
  return { props, opts: { ...opts, retainOnDelete: true } };
};
