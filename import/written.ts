/**
 * What `compute-import` writes: the file for `pulumi import --file`, or a TypeScript program.
 */
import type { FoundCompute } from "./found";

/** The plugin's type. Its import id contains the project too (docs/install.md). */
const pluginType = "compute:index:Endpoint";

/**
 * The file for `pulumi import --file`, which reads each compute and writes the program.
 *
 * @param version - the provider's version that the program's SDK names. If the import recorded another version, a preview
 * of a TypeScript program would show `[diff: ~provider]`. Undefined for YAML, which names no version.
 */
export function toImportFile(computes: readonly FoundCompute[], version: string | undefined): string {
  const resources = computes.map(({ name, facts: { projectId, endpointId } }) => ({
    type: pluginType,
    name,
    id: `${projectId}/${endpointId}`,
    version,
  }));
  return `${literal({ resources }, 2)}\n`;
}

/** A program that adopts each compute as it is. */
export function toProgram(projectId: string, computes: readonly FoundCompute[]): string {
  const blocks = computes.map(blockOf);
  const helpers = ["autoscaling", "fixedSize"].filter((name) =>
    blocks.some((block) => block.includes(`...${name}(`)),
  );
  const imported = ["Endpoint", ...helpers].sort((left, right) =>
    left.toLowerCase() < right.toLowerCase() ? -1 : 1,
  );
  return [
    "// Adopts these computes without changing them. Keep the lines with `adopt`: because of them, removing a resource",
    "// or running `pulumi destroy` does not delete its compute at the service.",
    `import { ${imported.join(", ")} } from "pulumi-compute-endpoint";`,
    "",
    `const projectId = ${literal(projectId)};`,
    "",
    ...blocks,
    "",
  ].join("\n");
}

function blockOf({ name, facts, declared }: FoundCompute): string {
  const {
    projectId: _,
    branchId,
    type,
    autoscalingLimitMinCu: min,
    autoscalingLimitMaxCu: max,
    ...others
  } = declared;
  const sizes =
    min === undefined || max === undefined
      ? linesOf({ autoscalingLimitMinCu: min, autoscalingLimitMaxCu: max })
      : [min === max ? `...fixedSize(${min})` : `...autoscaling(${min}, ${max})`];
  const members = [
    "projectId",
    ...linesOf({ branchId, type: type === "read_write" ? undefined : type, adopt: facts.endpointId }),
    ...sizes,
    ...linesOf(others),
  ];
  return `new Endpoint(${literal(name)}, {\n${members.map((line) => `  ${line},\n`).join("")}});`;
}

function linesOf(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${literal(value)}`],
  );
}

/** The value as JSON, without characters that hide text or change its order: reviewers see what the program does. */
function literal(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      character
        .split("")
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join(""),
  );
}
