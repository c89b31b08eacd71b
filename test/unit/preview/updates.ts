/**
 * Updates and their previews, for the tests of the report after an update.
 */
import type { Receipt } from "../../../provider/endpoint/receipt";
import { urnOf } from "../../support/variants";
import { digest, eventLines, runPreview, size, step } from "./previews";

/** What an update's row says that happened. */
export const announced = (mostMs?: number): Receipt => ({
  happened: "restarted",
  operations: "apply_config 0.3 s, start_compute 0.6 s",
  mostMs,
  announced: "restart",
});
export const unannounced: Receipt = { happened: "restarted", operations: "start_compute 0.4 s", mostMs: 700 };
export const quiet: Receipt = { happened: "not shown", operations: "apply_config 0.2 s" };
export const notShown: Receipt = { ...quiet, operations: "apply_config 0.3 s", announced: "restart" };

/** The events of an update of one compute per receipt. */
export function events(
  receipts: Readonly<Record<string, Receipt | undefined>>,
  { op = "update", result = "succeeded", failing = [] as readonly string[], stack = "dev" } = {},
): string {
  const steps = Object.entries(receipts).map(([name, receipt]) => {
    const metadata = {
      op,
      urn: urnOf("native", name, stack),
      old: { id: `ep-${name}` },
      new: { id: `ep-${name}`, outputs: { __receipt: receipt } },
    };
    return failing.includes(name) ? { resOpFailedEvent: { metadata } } : { resOutputsEvent: { metadata } };
  });
  const first = {
    resourcePreEvent: { metadata: { op: "same", urn: `urn:pulumi:${stack}::app::pulumi:pulumi:Stack::app` } },
  };
  return eventLines(first, ...steps, { summaryEvent: { isPreview: false, result } }).toString();
}

/** A preview that restarts these computes, and changes those without an interruption. */
export function preview(restarting: readonly string[], quiet: readonly string[] = [], stack = "dev"): string {
  const old = { type: "read_only", suspendTimeoutSeconds: 300, ...size(1) };
  const change = (name: string, changed: object): object =>
    step({ name, urn: urnOf("native", name, stack), old, new: { ...old, ...changed } });
  const steps = [
    ...restarting.map((name) => change(name, size(2))),
    ...quiet.map((name) => change(name, { suspendTimeoutSeconds: 600 })),
  ];
  return digest(steps).toString();
}

/** What `compute-preview` prints, and how it ends. */
export function runApplied(
  words: readonly string[],
  files: Readonly<Record<string, string | Buffer>>,
): {
  readonly code: number;
  readonly printed: string;
  readonly complained: string;
} {
  const { code, out, err } = runPreview(words, files);
  return { code, printed: out, complained: err };
}
