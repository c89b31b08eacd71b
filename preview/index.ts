/**
 * The types of a report, for programs that read one, and the versions of its forms. `report.schema.json` beside this
 * file, generated from these types, describes it for programs in other languages.
 *
 * @example
 * ```ts
 * import { readFileSync } from "node:fs";
 * import { reportVersion, type Report } from "pulumi-compute-endpoint/preview";
 *
 * const report = JSON.parse(readFileSync("report.json", "utf8")) as Report;
 * if (report.version !== reportVersion) throw new Error("written by another version of compute-preview");
 * for (const { label, drops, now } of report.computes) if (drops === "yes") console.log(label, now ?? "not asked");
 * ```
 *
 * @module pulumi-compute-endpoint/preview
 */
export { outcomes, reportVersion, stacksVersion } from "./shape";
export type { FailureKind } from "./shape";
export type {
  Cause,
  Change,
  CheckVerdict,
  ComputeReport,
  ConnectedApplication,
  Connections,
  Deferred,
  Difference,
  Drift,
  Outcome,
  Refusal,
  Remark,
  Rename,
  Report,
  Resize,
  SharedBranch,
  SourceLine,
  StackReport,
  StacksReport,
  UnreadablePreview,
} from "./shape";
export { isReportedEvent } from "./read/events";
export type { Shown } from "./read/values";
export type { FurtherEffect, Running } from "../provider/model/interruption";
export type { Effect } from "../provider/model/fields";
export type { Figure } from "../provider/model/sizes";
