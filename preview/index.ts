/**
 * What programs get that read a report: its types, and the versions of its shapes. `report.schema.json` beside this
 * file, made from the same types, says the same to programs in other languages.
 */
export { outcomes, reportVersion, stacksVersion } from "./judge/shape";
export type {
  Allowance,
  Change,
  ComputeReport,
  Deferred,
  Difference,
  Drift,
  Outcome,
  Remark,
  Report,
  Resize,
  SharedBranch,
  StackReport,
  StacksReport,
  UnreadablePreview,
} from "./judge/shape";
export type { FailureKind } from "./judge/failures";
export type { Figure } from "../provider/sizes";
