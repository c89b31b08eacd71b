import type { Verdict } from "../../../provider/endpoint/planning/interruption";
import type { ComputeReport } from "../../../preview/judge/shape";
import { computeOn, warning, type StepParts } from "./previews";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

interface Row {
  readonly reason: string;
  readonly parts: StepParts;
  readonly warns?: string;
  readonly is: `${ComputeReport["outcome"]} ${ComputeReport["drops"]}`;
}

const size = (cu: number): Record<string, unknown> => ({
  autoscalingLimitMinCu: cu,
  autoscalingLimitMaxCu: cu,
});
const hidden = { autoscalingLimitMinCu: "[secret]", autoscalingLimitMaxCu: "[secret]" };
const may = (effect: Verdict["effect"]): Partial<Verdict> => ({ effect, certain: false });
const failed = { initErrors: ["cut off"] };

const rows: readonly Row[] = [
  {
    reason: "an operation that this version does not know is no all-clear",
    parts: { op: "transmogrify" },
    is: "interrupt may",
  },
  { reason: "a new compute has no clients", parts: { op: "create" }, is: "create no" },
  {
    reason: "what a taken-over compute runs is not known",
    parts: { op: "create", new: { adopt: "ep-a" } },
    is: "adopt may",
  },
  { reason: "a deleted compute drops all", parts: { op: "delete" }, is: "delete yes" },
  {
    reason: "retainOnDelete leaves it running",
    parts: { op: "delete", oldState: { retainOnDelete: true } },
    is: "release no",
  },
  {
    reason: "a replacement has no notice of its own",
    parts: { op: "replace", new: { type: "read_only" } },
    is: "replace yes",
  },
  {
    reason: "an unknown project may be the old one",
    parts: { op: "replace", new: { projectId: unknown } },
    warns: "may replace: projectId, known only during the update, makes a new compute",
    is: "replace may",
  },
  {
    reason: "the replaced compute is kept",
    parts: { op: "replace", oldState: { retainOnDelete: true } },
    is: "replace no",
  },
  {
    reason: "the streaming form says it in other words",
    parts: { op: "create-replacement" },
    is: "replace yes",
  },
  {
    reason: "the provider says so",
    parts: { old: size(1), new: size(2), verdict: { effect: "restart" } },
    is: "restart yes",
  },
  {
    reason: "the provider says may",
    parts: { old: size(1), new: { ...size(2), autoscalingLimitMinCu: unknown }, verdict: may("restart") },
    is: "restart may",
  },
  {
    reason: "the interface does not say",
    parts: { new: { poolerEnabled: true }, verdict: may("unstated") },
    is: "interrupt may",
  },
  {
    reason: "the service was asked of this compute, and the state is old",
    parts: { old: size(1), new: size(2), verdict: { effect: "none" } },
    is: "none no",
  },
  {
    reason: "the service may have been asked of a stranger, and the state is sure",
    parts: { old: size(1), new: size(2), verdict: { effect: "none", endpointId: "ep-other" } },
    is: "restart yes",
  },
  {
    reason: "nobody asked the service, and the state is sure of more than an unknown value",
    parts: {
      new: { branchId: "br-b" },
      verdict: { ...may("restart"), endpointId: undefined },
    },
    is: "move yes",
  },
  {
    reason: "the provider sees through the masks",
    parts: { old: hidden, new: hidden, verdict: { effect: "restart", endpointId: undefined } },
    is: "restart yes",
  },
  {
    reason: "a value that is a secret now is the same to the provider",
    parts: { old: size(1), new: hidden, verdict: { effect: "none", endpointId: undefined } },
    is: "none no",
  },
  {
    reason: "without a verdict, a masked value may have changed",
    parts: { old: hidden, new: hidden },
    is: "restart may",
  },
  {
    reason: "without a verdict, a value that is masked now is another",
    parts: { old: size(1), new: hidden },
    is: "restart yes",
  },
  {
    reason: "of triggers masked alike, another one is sure",
    parts: {
      old: { restartTriggers: { key: "[secret]", schema: 1 } },
      new: { restartTriggers: { key: "[secret]", schema: 2 } },
    },
    is: "restart yes",
  },
  {
    reason: "a warning is quoted and never read",
    parts: { new: { suspendTimeoutSeconds: 60 } },
    warns: "suspend: disabling it",
    is: "none no",
  },
  {
    reason: "without a verdict, the notice is quoted and never read",
    parts: { new: { interruption: "restart: size", branchId: "br-b" } },
    is: "move yes",
  },
  {
    reason: "without a verdict, a notice of what the preview does not show",
    parts: { new: { interruption: "drops all" } },
    is: "interrupt may",
  },
  {
    reason: "a warning about anything else is none",
    parts: { new: { suspendTimeoutSeconds: 60 } },
    warns: "slow",
    is: "none no",
  },
  {
    reason: "no notice came, the table of effects knows",
    parts: { new: { branchId: "br-b" } },
    is: "move yes",
  },
  {
    reason: "no notice came, and the value is unknown",
    parts: { new: { branchId: unknown } },
    is: "move may",
  },
  {
    reason: "no notice came, settings are not stated",
    parts: { new: { settings: { pgSettings: { a: 1 } } } },
    is: "interrupt may",
  },
  {
    reason: "enabling drops nothing",
    parts: { old: { disabled: true }, new: { disabled: false } },
    is: "none no",
  },
  {
    reason: "a trigger that goes restarts nothing",
    parts: { old: { restartTriggers: { a: 1 } }, new: { restartTriggers: {} } },
    is: "none no",
  },
  { reason: "autosuspend interrupts nothing", parts: { new: { suspendTimeoutSeconds: 60 } }, is: "none no" },
  {
    reason: "the last update failed, and the state has what the notice is about",
    parts: {
      old: size(1),
      outputs: size(2),
      new: { ...size(2), interruption: "restart: size" },
      oldState: failed,
    },
    is: "interrupt may",
  },
  {
    reason: "the same, in the provider's verdict",
    parts: {
      old: size(1),
      outputs: size(2),
      new: size(2),
      oldState: failed,
      verdict: { effect: "restart", endpointId: undefined },
    },
    is: "restart may",
  },
  {
    reason: "the last update failed, and the state differs from what was asked for",
    parts: {
      old: size(2),
      outputs: size(1),
      new: size(2),
      oldState: failed,
      verdict: { effect: "none", endpointId: undefined },
    },
    is: "restart yes",
  },
  {
    reason: "a disabled compute is resized and moved: it runs nothing",
    parts: {
      old: { ...size(1), disabled: true },
      new: { ...size(2), branchId: "br-b" },
      verdict: { effect: "none", endpointId: undefined },
    },
    is: "none no",
  },
  {
    reason: "the same without a verdict",
    parts: { old: { ...size(1), disabled: true }, new: { ...size(2), branchId: "br-b" } },
    is: "none no",
  },
  {
    reason: "a disabled compute is deleted",
    parts: { op: "delete", old: { disabled: true } },
    is: "delete no",
  },
  {
    reason: "a disabled compute is replaced",
    parts: { op: "replace", old: { disabled: true }, new: { type: "read_only" } },
    is: "replace no",
  },
  {
    reason: "an idle compute has no connections",
    parts: { old: size(1), new: size(2), verdict: { effect: "restart", now: "idle" } },
    is: "restart no",
  },
  {
    reason: "a stranger was idle",
    parts: {
      old: size(1),
      new: size(2),
      verdict: { effect: "restart", now: "idle", endpointId: "ep-other" },
    },
    is: "restart yes",
  },
  {
    reason: "a trigger's members in another order are the same",
    parts: {
      old: { restartTriggers: { rows: [{ x: 1, y: 2 }] } },
      new: { restartTriggers: { rows: [{ y: 2, x: 1 }] }, suspendTimeoutSeconds: 60 },
    },
    is: "none no",
  },
  {
    reason: "the service was asked of a compute to be adopted, which runs what is declared",
    parts: { op: "create", new: { adopt: "ep-app" }, verdict: { effect: "none", now: "active" } },
    is: "adopt no",
  },
  {
    reason: "an adopted compute is resized",
    parts: { op: "create", new: { adopt: "ep-app" }, verdict: { effect: "restart", now: "active" } },
    is: "adopt yes",
  },
];

it.each(rows)("$is: $reason", ({ parts, warns, is }) => {
  const diagnostics = warns === undefined ? [] : [warning("app", warns)];
  const { outcome, drops } = computeOn(parts, { diagnostics });
  expect(`${outcome} ${drops}`).toBe(is);
});
