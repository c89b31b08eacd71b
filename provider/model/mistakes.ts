/**
 * Suggests what the user probably meant: the known name nearest to a misspelt one, and corrections of common mistakes. Each
 * mistake gives one failure, which replaces the schema's failures. Pure: stack programs use it too.
 */
import type { CheckFailure } from "./sizeFailures";

interface Mistake extends CheckFailure {
  /** The properties whose other failures this mistake explains. */
  readonly explains: readonly string[];
}

/** @param known - the declaration, without unknown values. */
export function withLikelyMistakes(
  failures: readonly CheckFailure[],
  known: Readonly<Record<string, unknown>>,
): readonly CheckFailure[] {
  const mistakes = [...outputTexts(known), ...misplacedParameters(known), ...equalLimits(failures)];
  const explained = new Set(mistakes.flatMap(({ explains }) => explains));
  return [
    ...mistakes.map(({ property, reason }) => ({ property, reason })),
    ...failures.filter(({ property }) => !explained.has(property)),
  ];
}

/** What Pulumi's SDKs turn an output into in a template literal, an f-string, or a concatenation. */
const outputText = /Calling (\[to\w+\]|__str__) on an \[?Output/;

/**
 * Finds outputs that were turned into text. The service would accept such a text for most arguments, and a message that quotes
 * it would be twelve lines long.
 */
function outputTexts(value: unknown, path = ""): readonly Mistake[] {
  if (typeof value === "string" && outputText.test(value)) {
    const reason = `${path} is an output that was turned into a string. Pass the output itself, or build the string with pulumi.interpolate (in Python: pulumi.Output.format)`;
    return [{ property: path, reason, explains: [path] }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    outputTexts(member, path === "" ? name : `${path}.${name}`),
  );
}

/** Finds Postgres parameters that are declared one level too high. */
function misplacedParameters({ settings, ...others }: Readonly<Record<string, unknown>>): readonly Mistake[] {
  const atTop = Object.entries(others)
    .filter(([name]) => /^pg_?settings$/i.test(name))
    .map(([name, value]) => misplaced(name, namesIn(value), [name]));
  const inSettings = namesIn(settings);
  if (inSettings.includes("pgSettings")) return atTop;
  const misspelt = inSettings.find(isPgSettings);
  const parameters = inSettings.filter((name) => !(name in otherSettings));
  const [first] = parameters;
  if (misspelt !== undefined) return [...atTop, misspeltIn(`settings.${misspelt}`)];
  if (first === undefined) return atTop;
  const paths = [...parameters, "pgSettings"].map((name) => `settings.${name}`);
  return [...atTop, misplaced(`settings.${first}`, parameters, paths)];
}

function misspeltIn(property: string): Mistake {
  const reason = `${property} is not an argument of Endpoint. Write settings.pgSettings`;
  return { property, reason, explains: [property, "settings.pgSettings"] };
}

function misplaced(property: string, parameters: readonly string[], explains: readonly string[]): Mistake {
  const shown = parameters
    .slice(0, 3)
    .map((name) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: …`);
  const inside = [...shown, ...(parameters.length > 3 || parameters.length === 0 ? ["…"] : [])].join(", ");
  const reason = `${property} is not an argument of Endpoint. Write settings: { pgSettings: { ${inside} } }`;
  return { property, reason, explains };
}

function namesIn(value: unknown): readonly string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

function isPgSettings(name: string): boolean {
  return nearestOf(name, ["pgSettings"]) !== undefined;
}

/** Pulumi's resource options, as TypeScript and YAML name them. */
const options = [
  ...[
    "additionalSecretOutputs",
    "aliases",
    "customTimeouts",
    "deleteBeforeReplace",
    "deletedWith",
    "dependsOn",
  ],
  ...[
    "envVarMappings",
    "hideDiffs",
    "hooks",
    "ignoreChanges",
    "import",
    "parent",
    "pluginDownloadURL",
    "protect",
  ],
  ...["provider", "providers", "replaceOnChanges", "replaceWith", "replacementTrigger", "retainOnDelete"],
  ...["transformations", "transforms", "urn", "version"],
];

/** What to write instead of a name that is no argument, if Pulumi has an option of this name. */
export function asOption(name: string): string | undefined {
  const option = options.find((known) => plain(known) === plain(name));
  if (option === undefined) return undefined;
  return `, but an option of Pulumi. Write it among the options of the resource, which follow its arguments: { ${option}: … } (in YAML: below options; in Python: opts=pulumi.ResourceOptions(…))`;
}

const unmanaged = "This package does not manage it, and does not change its value";

/** Members of a compute's settings that a known service has, and that cannot be declared. */
export const otherSettings: Readonly<Record<string, string>> = {
  preloadLibraries: unmanaged,
  preload_libraries: unmanaged,
  pgbouncerSettings: unmanaged,
  pgbouncer_settings: unmanaged,
};

/** Gives one failure, not two, for a fixed size that the service does not have. */
function equalLimits(failures: readonly CheckFailure[]): readonly Mistake[] {
  const limits = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"];
  const said = limits.map((name) =>
    failures.find(({ property }) => property === name)?.reason.slice(name.length),
  );
  const [ofMin, ofMax] = said;
  if (ofMin === undefined || ofMin !== ofMax) return [];
  const reason = `${limits.join(" and ")}${ofMin.replace(" is ", " are ")}`;
  return [{ property: "autoscalingLimitMinCu", reason, explains: limits }];
}

/** @returns the nearest of the known names; undefined if none is near enough. */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, edits: editsBetween(plain(name), plain(candidate)) }))
    .filter(({ candidate, edits }) => edits <= candidate.length / 4)
    .sort((left, right) => left.edits - right.edits);
  return ranked[0]?.candidate;
}

/** Ignores case, dashes and underscores: other languages write names differently. */
function plain(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}

/** How many letters have to be added, removed, replaced, or swapped with their neighbour. */
function editsBetween(from: string, to: string): number {
  let [before, last]: [readonly number[], readonly number[]] = [[], Array.from(`${to} `, (_, at) => at)];
  for (const [row, letter] of Array.from(from).entries()) {
    const next = [row + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (last[column] ?? 0) + (letter === other ? 0 : 1);
      const oneSide = Math.min(last[column + 1] ?? 0, next[column] ?? 0) + 1;
      const isSwap = letter === to[column - 1] && other === from[row - 1];
      const swapped = isSwap ? (before[column - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, oneSide, swapped));
    }
    [before, last] = [last, next];
  }
  return last.at(-1) ?? 0;
}
