/**
 * How many CU-hours a month a compute can use, before and after a change. It is a band, because nobody knows how long
 * a compute that may suspend runs.
 */
import { isDeepStrictEqual } from "node:util";
import type { DeclaredArguments, Stored } from "../../provider/endpoint/planning/changes";
import { unknownValue } from "../../provider/endpoint/planning/unknown";
import { secret, sumOf } from "../read/values";
import type { CostBand, Outcome, TotalCost } from "./shape";

/** A month of 365 / 12 days. */
const monthHours = 730;

interface CostedStep {
  readonly outcome: Outcome;
  /** True if the old compute of a replacement goes on running. */
  readonly isKept: boolean;
  readonly stored: Stored | undefined;
  readonly declared: DeclaredArguments;
}

/** null if it is not known. */
type Cost = Readonly<Record<"before" | "after", CostBand | null>>;

/** undefined if the change does not affect what the compute can use. */
export function costOf({ outcome, isKept, stored = {}, declared }: CostedStep): Cost | undefined {
  const after = { ...stored, ...declared };
  switch (outcome) {
    case "create":
      return costBetween(none, sideOf(declared, "new"));
    case "replace":
      return costBetween(isKept ? none : sideOf(stored, "existing"), sideOf(declared, "new"));
    case "delete":
      return costBetween(sideOf(stored, "existing"), none);
    case "move":
    case "suspend":
    case "restart":
    case "interrupt":
    case "deferred":
    case "none":
      return costBetween(sideOf(stored, "existing"), sideOf(after, "existing"));
    // What an adopted compute runs now is not part of a preview.
    case "adopt":
      return costBetween({ band: null, values: [] }, sideOf(declared, "existing"));
    case "refused":
    case "gone":
    case "drift":
    case "release":
    case "handover":
      return undefined;
  }
}

/** The sum over the computes whose bands are known; undefined if the CU-hours of none change. */
export function totalCost(all: readonly (Cost | undefined)[]): TotalCost | undefined {
  const costs = all.filter((cost) => cost !== undefined);
  if (costs.length === 0) return undefined;
  const known = costs.flatMap(({ before, after }) => (before && after ? [{ before, after }] : []));
  const sum = (side: "before" | "after"): CostBand => ({
    floor: sumOf(known.map((cost) => cost[side].floor)),
    ceiling: sumOf(known.map((cost) => cost[side].ceiling)),
  });
  return { before: sum("before"), after: sum("after"), unknown: costs.length - known.length };
}

interface CostSide {
  readonly band: CostBand | null;
  /** The values that decide; empty if the band is known. */
  readonly values: readonly unknown[];
}

const none: CostSide = { band: { floor: 0, ceiling: 0 }, values: [] };

function costBetween(before: CostSide, after: CostSide): Cost | undefined {
  // Two secrets that are masked may differ.
  const isMasked = after.values.includes(secret);
  if (isDeepStrictEqual(before, after) && !isMasked) return undefined;
  return { before: before.band, after: after.band };
}

/**
 * @param age - a new compute that declares no suspend timeout gets the service's default, and suspends (interface 3.1,
 * 8.2); of an existing one it is not known.
 */
function sideOf(values: Readonly<Record<string, unknown>>, age: "new" | "existing"): CostSide {
  const { autoscalingLimitMinCu: minCu, autoscalingLimitMaxCu: maxCu, disabled } = values;
  if (disabled === true) return none;
  const timeout = values["suspendTimeoutSeconds"] ?? (age === "new" ? 0 : undefined);
  const isKnown =
    [minCu, maxCu, timeout].every((value) => typeof value === "number") &&
    disabled !== unknownValue &&
    disabled !== secret;
  if (!isKnown) return { band: null, values: [minCu, maxCu, timeout, disabled] };
  return { band: { floor: timeout === -1 ? hoursOf(minCu) : 0, ceiling: hoursOf(maxCu) }, values: [] };
}

function hoursOf(cu: unknown): number {
  return Number(cu) * monthHours;
}
