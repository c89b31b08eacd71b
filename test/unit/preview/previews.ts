/**
 * Builders and files for the tests of compute-preview.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

import { readPreview } from "../../../preview/input";
import { reportOf } from "../../../preview/report";
import type { ComputeReport, Report } from "../../../preview/shape";

export function fixtureFile(name: string): string {
  return path.join(__dirname, "fixtures", name);
}

export function fixture(name: string): Buffer {
  return readFileSync(fixtureFile(name));
}

export function fixtureReport(name: string): Report {
  return reportOf(readPreview(fixture(name)));
}

export function urnOf(name: string): string {
  return `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/compute:Endpoint::${name}`;
}

type Properties = Record<string, unknown>;

/** A step of `pulumi preview --json`; states without inputs and outputs of their own have a running compute's. */
export interface StepParts {
  readonly name?: string;
  readonly op?: string;
  readonly old?: Properties;
  readonly oldState?: object;
  readonly new?: Properties;
}

const declared = { projectId: "p", branchId: "br-a", type: "read_write" };

export function step({ name = "app", op = "update", old, oldState, new: next }: StepParts): object {
  const urn = urnOf(name);
  const before = { ...declared, ...old };
  const outputs = { ...before, endpointId: `ep-${name}`, host: `ep-${name}.example` };
  return {
    op,
    urn,
    ...(op === "create" ? {} : { oldState: { id: `ep-${name}`, inputs: before, outputs, ...oldState } }),
    ...(op === "delete" ? {} : { newState: { inputs: { ...declared, ...next } } }),
  };
}

export function digest(steps: readonly object[], more: object = {}): Buffer {
  return Buffer.from(JSON.stringify({ steps, diagnostics: [], changeSummary: {}, ...more }));
}

export function warning(name: string, text: string): object {
  return { urn: urnOf(name), severity: "warning", message: `warning: ${text}\n` };
}

export function reportOn(steps: readonly object[], more: object = {}): Report {
  return reportOf(readPreview(digest(steps, more)));
}

/** The one compute of a preview of one step. */
export function computeOn(parts: StepParts, more: object = {}): ComputeReport {
  return reportOn([step(parts)], more).computes[0]!;
}
