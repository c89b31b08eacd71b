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
const folderProperty = "cdx:npm:package:path";

/**
 * Leaves out what is used in this repository alone.
 *
 * @param all - of everything that package-lock.json pins.
 * @param bundled - folders of the packages in the plugin's bundle: `node_modules/@grpc/grpc-js`.
 */
export function shippedOf(all: Sbom, { name, bundled }: { name: string; bundled: readonly string[] }): Sbom {
  const property = (component: Component, wanted: string): string | undefined =>
    component.properties?.find((found) => found.name === wanted)?.value;
  const components = all.components.filter(
    (component) =>
      property(component, ofDevelopment) !== "true" ||
      bundled.includes(property(component, folderProperty) ?? ""),
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
