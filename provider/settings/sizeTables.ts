/**
 * The tables of sizes besides the interface's: what services document, and what a user defines.
 *
 * Pure: stack programs, the provider and `compute-preview` all read them.
 */
import type { Unreadable } from "../errors";
import { interfaceSizes, type SizeRow, type SizeTable } from "../sizes";

/**
 * What Neon documents, and nothing else:
 *
 * - RAM to 56 CU, the cache (75 % of it) to 38 CU, max_connections to 38 CU, autoscaling to 16 CU:
 *   neon.com/docs/manage/computes, as of 2026-08-26.
 * - max_connections of 9 to 56 CU: neon.com/docs/connect/connection-pooling, as of 2026-01-24.
 * - which size decides max_connections: neon.com/docs/reference/compatibility, as of 2026-02-06.
 */
const neonConnections = new Map([
  [0.25, 104],
  [0.5, 209],
  [1, 419],
  [2, 839],
  [3, 1258],
  [4, 1678],
  [5, 2098],
  [6, 2517],
  [7, 2937],
  [8, 3357],
]);
const neonCappedConnections = 4000;
const neonCappedSizes = [
  9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54,
  56,
];
const largestNeonCacheCu = 38;

const neonSizes: SizeTable = {
  source: "neon",
  sizes: [...neonConnections.keys(), ...neonCappedSizes].map((cu) => ({
    cu,
    ramGb: 4 * cu,
    maxConnections: neonConnections.get(cu) ?? neonCappedConnections,
    ...(cu > largestNeonCacheCu ? {} : { localFileCacheGb: 3 * cu }),
  })),
  largestAutoscalingCu: 16,
  connectionsCu: (minCu, maxCu) => (maxCu === undefined ? undefined : Math.min(maxCu, 8 * minCu)),
};

const namedTables = [interfaceSizes, neonSizes] as const;

/** @param source - the value of `compute:sizeTable`: the name of a table, or its rows as JSON. */
export function sizeTableFrom(source: string): SizeTable | Unreadable {
  const named = namedTables.find((table) => table.source === source);
  if (named !== undefined) return named;
  const rows = parsed(source);
  if (!Array.isArray(rows) || rows.length === 0) {
    const is = rows === undefined ? "neither the name of a table nor JSON" : "no list of rows";
    return { what: `it is ${shown(rows ?? source)}, which is ${is}`, fix: setIt, example: neonSizes.source };
  }
  const problem = rows.map(problemOfRow).find((found) => found !== undefined) ?? problemOfPairs(rows);
  return problem ?? ownTable(rows as SizeRow[]);
}

/**
 * A user's rows do not say which limit decides max_connections, and services differ: with autoscaling, there is no
 * figure.
 */
function ownTable(rows: readonly SizeRow[]): SizeTable {
  const sizes = [...rows].sort((left, right) => left.cu - right.cu);
  return {
    source: JSON.stringify(sizes),
    sizes,
    connectionsCu: (minCu, maxCu) => (minCu === maxCu ? minCu : undefined),
  };
}

/** The same sizes without figures. */
export function withoutFigures({ sizes, largestAutoscalingCu }: SizeTable): SizeTable {
  return {
    source: "none",
    sizes: sizes.map(({ cu }) => ({ cu })),
    largestAutoscalingCu,
    connectionsCu: () => undefined,
  };
}

const names = namedTables.map((table) => table.source).join(", ");
const example = '[{"cu":1,"ramGb":4,"maxConnections":450,"localFileCacheGb":3.2}]';
const setIt = `Set it to ${names} or a list of rows such as ${example}`;

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/** Cut to fit into a line. */
function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}

const isAboveZero = (value: unknown): boolean => typeof value === "number" && value > 0;

/** The valid values of each member of a row. */
const members: Readonly<
  Record<keyof SizeRow, { readonly must: string; readonly isGood: (value: unknown) => boolean }>
> = {
  cu: { must: "a number of Compute Units above 0", isGood: isAboveZero },
  ramGb: { must: "a number of GB above 0", isGood: isAboveZero },
  maxConnections: {
    must: "a whole number above 0",
    isGood: (value) => isAboveZero(value) && Number.isInteger(value),
  },
  localFileCacheGb: { must: "a number of GB above 0", isGood: isAboveZero },
};

function problemOfRow(row: unknown, index: number): Unreadable | undefined {
  if (typeof row !== "object" || row === null || Array.isArray(row))
    return {
      what: `row ${index + 1} is ${shown(row)}`,
      fix: `Write it as an object, such as those of ${example}`,
    };
  const { cu } = row as Partial<SizeRow>;
  const place = `row ${index + 1}${isAboveZero(cu) ? ` (${cu} CU)` : ""}`;
  if (cu === undefined) return { what: `${place} has no cu`, fix: `Write its size: cu, ${members.cu.must}` };
  const wrong = Object.entries(row as Readonly<Record<string, unknown>>).find(
    ([name, value]) => !(isMember(name) && members[name].isGood(value)),
  );
  if (wrong === undefined) return undefined;
  const [name, value] = wrong;
  const what = `${place} has ${name} ${shown(value)}`;
  if (!isMember(name))
    return { what, fix: `Write ${Object.keys(members).join(", ")}, and leave out what you do not know` };
  const orNothing = name === "cu" ? "" : ", or leave it out where you do not know it";
  return { what, fix: `Write ${members[name].must}${orNothing}` };
}

function isMember(name: string): name is keyof SizeRow {
  return Object.hasOwn(members, name);
}

function problemOfPairs(rows: readonly SizeRow[]): Unreadable | undefined {
  const sizes = rows.map(({ cu }) => cu);
  const second = sizes.findIndex((cu, index) => sizes.indexOf(cu) < index);
  const cu = sizes[second];
  if (cu === undefined) return undefined;
  return {
    what: `rows ${sizes.indexOf(cu) + 1} and ${second + 1} are both of ${cu} CU`,
    fix: "Keep one of them",
  };
}
