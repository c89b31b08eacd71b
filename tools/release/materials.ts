/** Adds Node, which the executables contain, to the bill of materials (CycloneDX) of the bundled packages. */
import { archiveName } from "../plugin/pack";
import { nodes, nodeVersion, platforms } from "./node";

interface Materials {
  readonly components: readonly object[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * @param bundled - dist/bundled.cdx.json.
 * @param version - of this package.
 */
export function withNode(bundled: string, version: string): string {
  const { components, dependencies, ...rest } = JSON.parse(bundled) as Materials;
  const purl = `pkg:generic/node@${nodeVersion}`;
  const node = {
    type: "platform",
    name: "node",
    version: nodeVersion,
    "bom-ref": purl,
    purl,
    // Scanners look up vulnerabilities of Node by this name.
    cpe: `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:*:*:*:*`,
    licenses: [{ license: { id: "MIT" } }],
    scope: "required",
    properties: platforms.flatMap((platform) => [
      { name: "bundled-in", value: archiveName(version, platform) },
      { name: `npm-package-${platform}`, value: `${nodes[platform].name} ${nodes[platform].integrity}` },
    ]),
  };
  const [own, ...others] = dependencies;
  const made = {
    ...rest,
    components: [...components, node],
    dependencies: [{ ...own, dependsOn: [...(own?.dependsOn ?? []), purl] }, ...others],
  };
  return `${JSON.stringify(made, undefined, 2)}\n`;
}
