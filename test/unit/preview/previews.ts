/**
 * Builders and files for the tests of compute-preview.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

import { runCommand } from "../../../preview/command";
import { managedNames } from "../../../provider/endpoint/planning/changes";
import type { Verdict } from "../../../provider/endpoint/planning/interruption";
import { readPreview } from "../../../preview/read/preview";
import { reportOf } from "../../../preview/judge/report";
import type { ComputeReport, Report } from "../../../preview/judge/shape";

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
  readonly urn?: string;
  readonly op?: string;
  readonly old?: Properties;
  /** Where the service runs something else than what was declared. */
  readonly outputs?: Properties;
  readonly oldState?: object;
  readonly new?: Properties;
  /** What `check` says, in the provider's own words; of this compute unless `endpointId` says otherwise. */
  readonly verdict?: Partial<Verdict>;
  readonly parent?: string;
  /** Of the engine; undefined for a form that does not say it. */
  readonly provider?: string | undefined;
}

const declared = { projectId: "p", branchId: "br-a", type: "read_write" };

export function step(parts: StepParts): object {
  const { name = "app", op = "update", old, oldState, new: next, verdict, parent } = parts;
  const provider =
    "provider" in parts ? parts.provider : "urn:pulumi:dev::shop::pulumi:providers:x::default::id";
  const before = { ...declared, ...old };
  const endpointId = `ep-${name}`;
  const __managed = managedNames(before);
  const outputs = { ...before, endpointId, host: `${endpointId}.example`, __managed, ...parts.outputs };
  const __verdict = { effect: "none", certain: true, endpointId, ...verdict };
  const inputs = { ...declared, ...next, ...(verdict === undefined ? {} : { __verdict }) };
  return {
    op,
    urn: parts.urn ?? urnOf(name),
    ...(op === "create"
      ? {}
      : { oldState: { id: endpointId, parent, inputs: before, outputs, ...oldState } }),
    ...(op === "delete" ? {} : { newState: { parent, provider, inputs } }),
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

/** How the command ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs it on one input, or on files by name: `-` is stdin, and those below `previews/` are in a folder. */
export function runPreview(
  args: readonly string[],
  input: Uint8Array | Readonly<Record<string, Uint8Array>>,
  isTerminal = false,
): Ran {
  const [out, err]: [string[], string[]] = [[], []];
  const code = runCommand(args, {
    read: (file = "-") => {
      const bytes = input instanceof Uint8Array ? input : input[file];
      if (bytes === undefined) throw new Error(`ENOENT: no such file, open '${file}'`);
      return bytes;
    },
    list: (folder) =>
      folder === "previews" ? Object.keys(input).map((file) => file.replace("previews/", "")) : undefined,
    isTerminal,
    print: (text) => out.push(text),
    complain: (text) => err.push(text),
  });
  return { code, out: out.join(""), err: err.join("") };
}
