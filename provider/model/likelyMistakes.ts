/**
 * Says of frequent mistakes what to write, in one failure each, in place of what the schema says of them. Pure.
 */
import { nearestOf } from "./nearest";
import type { CheckFailure } from "./sizeFailures";

interface Mistake extends CheckFailure {
  /** The properties whose other failures it explains. */
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

/** What Pulumi's SDKs make of an output in a template literal, in an f-string, or in a sum of texts. */
const outputText = /Calling (\[to\w+\]|__str__) on an \[?Output/;

/** The service would take such a text for most arguments, and a message about it would have its twelve lines. */
function outputTexts(value: unknown, path = ""): readonly Mistake[] {
  if (typeof value === "string" && outputText.test(value)) {
    const reason = `${path} is an output that was made a text. Pass the output itself, or join texts with pulumi.interpolate (in Python with pulumi.Output.format)`;
    return [{ property: path, reason, explains: [path] }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    outputTexts(member, path === "" ? name : `${path}.${name}`),
  );
}

/** Postgres parameters one level too high. */
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

const unmanaged = "This package does not manage it: what the service has for it stays as it is";

/** Members of a compute's settings that a known service has, and that cannot be declared. */
export const otherSettings: Readonly<Record<string, string>> = {
  preloadLibraries: unmanaged,
  preload_libraries: unmanaged,
  pgbouncerSettings: unmanaged,
  pgbouncer_settings: unmanaged,
};

/** A fixed size that the service does not have: it is wrong once, not twice. */
function equalLimits(failures: readonly CheckFailure[]): readonly Mistake[] {
  const limits = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"];
  const said = limits.map((name) =>
    failures.find(({ property }) => property === name)?.reason.slice(name.length),
  );
  const [ofMin, ofMax] = said;
  if (ofMin === undefined || ofMin !== ofMax) return [];
  const reason = `${limits.join(" and ")}${ofMin.replace(/^ is /, " are ")}`;
  return [{ property: "autoscalingLimitMinCu", reason, explains: limits }];
}
