/**
 * The software bill of materials (CycloneDX): what an installation brings, and what is bundled in the plugin.
 */

/** As `npm sbom --sbom-format cyclonedx` writes it; members that are not named here are kept. */
export interface Sbom {
  readonly metadata: { readonly component: Readonly<Record<string, unknown>> };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

const ofDevelopment = "cdx:npm:package:development";

/**
 * Leaves out what is used in this repository alone.
 *
 * @param all - of everything that package-lock.json pins.
 * @param bundled - the packages in the plugin's bundle: `@grpc/grpc-js@1.14.7`.
 */
export function shippedOf(all: Sbom, { name, bundled }: { name: string; bundled: readonly string[] }): Sbom {
  const isOfDevelopment = ({ properties = [] }: Component): boolean =>
    properties.some(({ name: property, value }) => property === ofDevelopment && value === "true");
  const components = all.components.filter(
    (component) => !isOfDevelopment(component) || bundled.includes(component["bom-ref"]),
  );
  const kept = new Set(components.map((component) => component["bom-ref"]));
  const root = all.metadata.component["bom-ref"];
  return {
    ...all,
    // npm takes the folder's name.
    metadata: { ...all.metadata, component: { ...all.metadata.component, name } },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => ref === root || kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((used) => kept.has(used)) })),
  };
}
