/**
 * Builders and files for the tests of compute-preview.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../../../preview/command";
import { managedNames, settingNames } from "../../../provider/model/changes";
import type { Verdict } from "../../../provider/model/notice";
import { toReason } from "../../../provider/model/stored";
import { readPreview } from "../../../preview/input";
import { reportOf } from "../../../preview/judge/report";
import type { Report, StacksReport } from "../../../preview/shape";
import type { MarkdownOptions } from "../../../preview/render/fit";
import { commentLength, toMarkdown } from "../../../preview/render/markdown";

export function fixtureFile(name: string): string {
  return path.join(__dirname, "fixtures", name);
}

/** Previews of the real engine. */
export const fixtureNames = readdirSync(fixtureFile(".")).filter((name) => /\.(json|ndjson)$/.test(name));

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

/** Parts of a step of `pulumi preview --json`. The default is a step of a running compute. */
export interface StepParts {
  readonly name?: string;
  readonly urn?: string;
  readonly op?: string;
  readonly old?: Properties;
  /** Outputs that differ from what was declared. */
  readonly outputs?: Properties;
  readonly oldState?: object;
  /** The URNs of other resources, as in a document. */
  readonly dependencies?: readonly string[];
  readonly new?: Properties;
  /** The provider's verdict, about this compute unless `endpointId` names another. */
  readonly verdict?: Partial<Verdict>;
  readonly parent?: string;
  /** The engine's reference to the provider; undefined for a form without one. */
  readonly provider?: string | undefined;
}

const declared = { projectId: "p", branchId: "br-a", type: "read_write" };

export function step(parts: StepParts): object {
  const { name = "app", op = "update", old, oldState, new: next, verdict, parent, dependencies } = parts;
  const provider =
    "provider" in parts ? parts.provider : "urn:pulumi:dev::shop::pulumi:providers:x::default::id";
  const before = { ...declared, ...old };
  const endpointId = `ep-${name}`;
  const __managed = [...managedNames(before), ...settingNames(before)];
  const outputs = { ...before, endpointId, host: `${endpointId}.example`, __managed, ...parts.outputs };
  const judged = { effect: "none", certain: true, endpointId, ...verdict } as const;
  const inputs = { ...declared, ...next, ...(verdict && op === "create" && { __verdict: judged }) };
  return {
    op,
    urn: parts.urn ?? urnOf(name),
    // The plugin's diff passes the verdict on in this form.
    ...(verdict && op !== "create" && { diffReasons: [toReason(judged)] }),
    ...(op === "create"
      ? {}
      : { oldState: { id: endpointId, parent, inputs: before, outputs, ...oldState } }),
    ...(op === "delete" ? {} : { newState: { parent, provider, inputs, dependencies } }),
  };
}

export const size = (minCu: unknown, maxCu = minCu): Properties => ({
  autoscalingLimitMinCu: minCu,
  autoscalingLimitMaxCu: maxCu,
});
/** What `pulumi preview --json` shows instead of a value that only the update knows. */
export const unknownId = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export const restarts: StepParts = { old: size(1), new: size(2) };
export const moves: StepParts = { name: "mover", new: { branchId: "br-b" } };
export const settles: StepParts = { name: "settler", new: { suspendTimeoutSeconds: 60 } };
export const starts: StepParts = { name: "starter", op: "create" };
export const leaves: StepParts = { name: "leaver", op: "delete" };

export function digest(steps: readonly object[], more: object = {}): Buffer {
  return Buffer.from(JSON.stringify({ steps, diagnostics: [], changeSummary: {}, ...more }));
}

export function previewOf(...parts: readonly StepParts[]): Buffer {
  return digest(parts.map(step));
}

/** The preview of a stack of the project `shop`. */
export function stackOf(stack: string, steps: readonly StepParts[], more: object = {}): Buffer {
  const root = { op: "same", urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev" };
  const json = digest([root, ...steps.map(step)], more).toString();
  return Buffer.from(json.replaceAll("urn:pulumi:dev::", `urn:pulumi:${stack}::`));
}

/** Events in the form in which the engine prints them. */
export function eventLines(...events: readonly object[]): Buffer {
  return Buffer.from(events.map((event, sequence) => JSON.stringify({ sequence, ...event })).join("\n"));
}

/** A preview's error on this resource. Without a name, the error belongs to no resource. */
export function failure(message: string, name?: string): { diagnostics: readonly object[] } {
  return { diagnostics: [{ ...(name && { urn: urnOf(name) }), severity: "error", message }] };
}

export function warning(name: string, text: string): object {
  return { urn: urnOf(name), severity: "warning", message: `warning: ${text}\n` };
}

export function reportOn(steps: readonly object[], more: object = {}): Report {
  return reportOf(readPreview(digest(steps, more)));
}

/** The comment on a report: GitHub's, unless options say otherwise. */
export function commentOn(report: Report | StacksReport, options: Partial<MarkdownOptions> = {}): string {
  return toMarkdown(report, { maxLength: commentLength, ...options });
}

/** Markdown without its code. Foreign text is allowed only in code. */
export function outsideCode(markdown: string): string {
  return markdown
    .replaceAll(/(`+)[^`][^]*?(?<!`)\1(?!`)/g, "")
    .replaceAll(/<code>(?:[^<]|<wbr>)*<\/code>/g, "");
}

/** How the command ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command on one input, or on files by name: `-` is stdin, and `previews/` is a folder. */
export function runPreview(
  args: readonly string[],
  input: Uint8Array | Readonly<Record<string, Uint8Array | string>>,
  screen: { readonly isTerminal?: boolean; readonly isOneScreen?: boolean } = {},
): Ran {
  const [out, err]: [string[], string[]] = [[], []];
  const code = runCommand(args, {
    read: (file = "-") => {
      const bytes = input instanceof Uint8Array ? input : input[file];
      if (bytes === undefined) throw new Error(`ENOENT: no such file, open '${file}'`);
      return typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    },
    list: (folder) =>
      folder === "previews" ? Object.keys(input).map((file) => file.replace("previews/", "")) : undefined,
    isTerminal: false,
    ...screen,
    print: (text) => out.push(text),
    complain: (text) => err.push(text),
  });
  return { code, out: out.join(""), err: err.join("") };
}

/** A promise, the command's input, and its arguments. The report is text unless an argument asks for another form. */
export type PreviewRow = readonly [
  reason: string,
  input: Parameters<typeof runPreview>[1],
  ...args: readonly string[],
];

/** The sentence that lists what a document does not show. The golden comments already contain it. */
const restOfDocument = /\n*Not shown: any pending deletions and[^]*?--save\s+shows them\)\.\n(?=$)/;

/** What the command prints for each row, and its exit code, for a file in `golden/`. */
export function printed(rows: readonly PreviewRow[]): string {
  const texts = rows.map(([reason, input, ...args]) => {
    const isText = !args.some((arg) => /^--(?:format|annotations)/.test(arg));
    const words = isText ? [...args, "--format=text"] : args;
    const { code, out, err } = runPreview(words, input, { isOneScreen: true });
    const parts = [out.replace(restOfDocument, "").trimEnd(), err.trimEnd()].filter((text) => text !== "");
    return [`# ${reason}`, ["compute-preview", ...args].join(" "), ...parts, `exit ${code}`, ""].join("\n");
  });
  return texts.join("\n");
}

/** The file with a test's kept text; `GOLDENS=write` writes it anew. */
export function goldenFile(name: string): string {
  return path.join(__dirname, "golden", `${name}.txt`);
}
