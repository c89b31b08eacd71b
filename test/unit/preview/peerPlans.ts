/**
 * Previews and plans with computes of other providers.
 */
import { readPreview } from "../../../preview/read/preview";
import { reportOf } from "../../../preview/judge/report";
import type { Report } from "../../../preview/judge/shape";

export const failOn = ["restart"] as const;

export function reportOn(document: unknown): Report {
  return reportOf(readPreview(Buffer.from(JSON.stringify(document))), failOn);
}

interface Values {
  readonly before: object | null;
  readonly after: object | null;
}

/** A preview of Pulumi with one step. */
export function previewOf(type: string, op: string, { before, after }: Values): object {
  const urn = `urn:pulumi:dev::shop::${type}::app`;
  // What is planned has no id yet.
  const states = {
    ...(before && { oldState: { id: "ep-app", inputs: before, outputs: before } }),
    ...(after && { newState: { inputs: after, outputs: after } }),
  };
  return { steps: [{ op, urn, ...states }], changeSummary: { [op]: 1 } };
}

/** A plan of Terraform with one change. */
export function planOf(type: string, actions: readonly string[], values: Values): object {
  const change = { actions, ...values, after_unknown: {}, before_sensitive: {}, after_sensitive: {} };
  return {
    format_version: "1.2",
    planned_values: {},
    resource_changes: [{ address: `${type}.app`, mode: "managed", type, change }],
  };
}

export const neonPlan = {
  id: "ep-app",
  project_id: "p",
  branch_id: "br-a",
  type: "read_write",
  autoscaling_limit_min_cu: 1,
  autoscaling_limit_max_cu: 8,
  compute_provisioner: "k8s-pod",
};
