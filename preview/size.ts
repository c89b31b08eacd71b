/**
 * A compute's size before and after a step, and what the difference means to clients.
 */
import { computeSize, type ComputeSize } from "../provider/sizes";
import { valueBefore } from "./changes";
import type { Step } from "./input";
import { leavesOf, secret, unknown, type Shown } from "./values";

/** The two limits in CU, as shown; null where neither the program nor the state has one. */
export interface Size {
  readonly minCu: Shown;
  readonly maxCu: Shown;
}

/** A figure that follows from the size. */
export interface Figure {
  readonly name: "max_connections" | "RAM" | "file cache";
  /** null where the size was not known before. */
  readonly from: number | null;
  readonly to: number;
  readonly unit: "" | "GB";
}

export function sizesOf(step: Step): { readonly from: Size; readonly to: Size } {
  const limits = (valueOf: (name: string) => unknown): Size => ({
    minCu: shownValue(valueOf("autoscalingLimitMinCu")),
    maxCu: shownValue(valueOf("autoscalingLimitMaxCu")),
  });
  const from = limits((name) => valueBefore(step, name));
  // A limit that is not declared stays as it is; a new compute gets the service's.
  const declared = limits((name) => step.after?.inputs?.[name]);
  return { from, to: { minCu: declared.minCu ?? from.minCu, maxCu: declared.maxCu ?? from.maxCu } };
}

function shownValue(value: unknown): Shown {
  return leavesOf("", value)[0]?.[1] ?? null;
}

/** In CU: `1`, `0.5–2`; undefined where there is nothing to say. */
export function describeSize({ minCu, maxCu }: Size): string | undefined {
  const limits = [...new Set([minCu, maxCu].filter((limit) => limit !== null))];
  if (limits.length === 0 || limits.includes(secret)) return undefined;
  return limits.map((limit) => (limit === unknown ? "?" : String(limit))).join("–");
}

/** max_connections follow the smaller limit (interface 8.2); so do the RAM and the cache that are always there. */
export function figuresOf(step: Step): readonly Figure[] {
  const { from, to } = sizesOf(step);
  const old = sizeFor(from.minCu);
  const next = sizeFor(to.minCu);
  if (next === undefined || (old === undefined && step.before !== undefined) || old?.cu === next.cu)
    return [];
  return [
    { name: "max_connections", from: old?.maxConnections ?? null, to: next.maxConnections, unit: "" },
    { name: "RAM", from: old?.ramGb ?? null, to: next.ramGb, unit: "GB" },
    { name: "file cache", from: old?.localFileCacheGb ?? null, to: next.localFileCacheGb, unit: "GB" },
  ];
}

function sizeFor(minCu: Shown): ComputeSize | undefined {
  return typeof minCu === "number" ? computeSize(minCu) : undefined;
}

/** `max_connections 112 → 450`, or the new one alone. */
export function describeFigure({ name, from, to, unit }: Figure): string {
  const after = unit === "" ? String(to) : `${to} ${unit}`;
  return from === null ? `${name} ${after}` : `${name} ${from} → ${after}`;
}
