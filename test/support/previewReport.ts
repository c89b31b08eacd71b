/** What `compute-preview` makes of a preview that the engine printed. */
import { readReport, renderReport } from "../../preview/command";
import type { Report } from "../../preview/judge/shape";
import { commentLength } from "../../preview/render/markdown";

/** Has a preview print its events, in place of one document. */
export const asEvents = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };

export interface PreviewReport {
  readonly code: number;
  readonly report: Report;
  readonly markdown: string;
}

export function reportOfPreview(printed: string, ...options: readonly string[]): PreviewReport {
  const files = { read: () => Buffer.from(printed), list: () => undefined, isTerminal: false };
  const { code, complaint, report } = readReport(options, files);
  if (report?.format !== "compute-preview") throw new Error(complaint);
  return { code, report, markdown: renderReport(report, { format: "markdown", maxLength: commentLength }) };
}
