import { failureKinds } from "../../../preview/judge/shape";
import { refusedKinds } from "../../../preview/judge/gate";
import type { Verdict } from "../../../provider/model/interruption";
import {
  computeOn,
  moves,
  restarts,
  settles,
  size,
  unknownId as unknown,
  warning,
  type StepParts,
} from "./previews";

/** Grows from 1 to 2 CU, and does this besides. */
const sized = (next: object = {}): StepParts => ({ ...restarts, new: { ...size(2), ...next } });
/** What the provider says of it, of the compute that is in the state. */
const says = (effect: Verdict["effect"], more: Partial<Verdict> = {}): { verdict: Partial<Verdict> } => ({
  verdict: { effect, ...more },
});
/** The same without an answer of the service. */
const unasked = (effect: Verdict["effect"], more: Partial<Verdict> = {}): { verdict: Partial<Verdict> } =>
  says(effect, { endpointId: undefined, ...more });
const unsure = { certain: false };
const adopted = (...said: Parameters<typeof says>): StepParts => ({
  op: "create",
  new: { ...size(2), adopt: "ep-app" },
  ...says(...said),
});
const disabled: StepParts = { old: { ...size(1), disabled: true }, new: { ...size(2), branchId: "br-b" } };
const replica: StepParts = { op: "replace", new: { type: "read_only" } };
const retained = { oldState: { retainOnDelete: true } };
const changed = (from: unknown, to: unknown): StepParts => ({ old: size(from), new: size(to) });
/** The provider says of one that is idle that it moves, and that it restarts. */
const idleMove = (certain: boolean): StepParts => ({
  ...moves,
  ...says("move", { now: "idle", also: [{ effect: "restart", certain }] }),
});
const failed = { initErrors: ["cut off"] };
const region = { regionId: unknown };

/** What a step is: its outcome, whether connections drop, and which kinds of `--fail-on` refuse it. */
type Row = [reason: string, parts: StepParts, is: string, warns?: string];

const rows: readonly Row[] = [
  ["an unknown operation is no all-clear", { op: "transmogrify" }, "interrupt may may"],
  ["a new compute has no clients", { op: "create" }, "create no"],
  ["what a taken-over compute runs is not known", { op: "create", new: { adopt: "ep-a" } }, "adopt may may"],
  ["a deleted compute drops all", { op: "delete" }, "delete yes delete drop"],
  ["retainOnDelete leaves it running", { op: "delete", ...retained }, "release no"],
  ["a replacement has no notice of its own", replica, "replace yes replace drop"],
  ["it gets its new size", { ...replica, ...sized({ type: "read_only" }) }, "replace yes replace drop"],
  [
    "an unknown project may be the old one",
    { op: "replace", new: { projectId: unknown } },
    "replace may may",
    "may replace: projectId, known only during the update, makes a new compute",
  ],
  ["the replaced compute is kept", { op: "replace", ...retained }, "replace no replace"],
  ["the streaming form says it in other words", { op: "create-replacement" }, "replace yes replace drop"],
  ["it drops, replaced or not", { ...sized(region), op: "replace" }, "replace yes restart may drop"],
  ["the old one would go on running", { ...sized(region), op: "replace", ...retained }, "replace no may"],
  ["it restarts and may be replaced", sized(region), "restart yes restart may drop"],
  ["the provider says so", { ...restarts, ...says("restart") }, "restart yes restart drop"],
  [
    "the provider says may",
    { ...sized({ autoscalingLimitMinCu: unknown }), ...says("restart", unsure) },
    "restart may may",
  ],
  ["it is not stated", { new: { poolerEnabled: true }, ...says("unstated", unsure) }, "interrupt may may"],
  ["settings beside a restart add nothing", sized({ poolerEnabled: true }), "restart yes restart drop"],
  ["the service was asked of it, and the state is old", { ...restarts, ...says("none") }, "none no"],
  [
    "the service may have been asked of another, and the state is sure",
    { ...restarts, ...says("none", { endpointId: "ep-other" }) },
    "restart yes restart drop",
  ],
  ["the state is surer than the verdict", { ...moves, ...unasked("restart", unsure) }, "move yes move drop"],
  [
    "the provider sees through the masks",
    { ...changed("[secret]", "[secret]"), ...unasked("restart") },
    "restart yes restart drop",
  ],
  [
    "only the provider compared the secret branch",
    {
      old: { ...size(1), branchId: "[secret]" },
      new: { ...size(2), branchId: "[secret]" },
      ...unasked("move", { also: [{ effect: "restart", certain: true }] }),
    },
    "restart yes move restart drop",
  ],
  ["made a secret, the value is the same", { ...changed(1, "[secret]"), ...unasked("none") }, "none no"],
  ["without a verdict, a masked value may have changed", changed("[secret]", "[secret]"), "restart may may"],
  ["without a verdict, a value masked now is another", changed(1, "[secret]"), "restart yes restart drop"],
  ["a warning is quoted and never read", { ...settles, name: "app" }, "none no", "suspend: disabling it"],
  [
    "without a verdict, the notice is quoted and never read",
    { new: { interruption: "restart: size", branchId: "br-b" } },
    "move yes move drop",
  ],
  ["no verdict, a notice of something hidden", { new: { interruption: "drops all" } }, "interrupt may may"],
  ["no notice came, the table of effects knows", moves, "move yes move drop"],
  ["no notice came, and the value is unknown", { new: { branchId: unknown } }, "move may may"],
  ["no notice came of settings", { new: { settings: { pgSettings: { a: 1 } } } }, "interrupt may may"],
  ["enabling drops nothing", { old: { disabled: true }, new: { disabled: false } }, "none no"],
  ["autosuspend interrupts nothing", settles, "none no"],
  [
    "the last update failed, and the state has what the notice is about",
    { ...sized({ interruption: "restart: size" }), outputs: size(2), oldState: failed },
    "interrupt may may",
  ],
  [
    "the same, in the provider's verdict",
    { ...restarts, outputs: size(2), oldState: failed, ...unasked("restart") },
    "restart may may",
  ],
  [
    "the last update failed, and the state differs from what was asked for",
    { old: size(2), outputs: size(1), new: size(2), oldState: failed, ...unasked("none") },
    "restart yes restart drop",
  ],
  ["it moves and restarts", sized({ branchId: "br-b" }), "move yes move restart drop"],
  ["it restarts and may move", sized({ branchId: unknown }), "restart yes restart may drop"],
  ["it moves and is disabled", { new: { branchId: "br-b", disabled: true } }, "move yes move suspend drop"],
  ["it is disabled and resized", sized({ disabled: true }), "suspend yes suspend restart drop"],
  ["a disabled one is resized and moved: it runs nothing", { ...disabled, ...unasked("none") }, "none no"],
  ["the same without a verdict", disabled, "none no"],
  ["a disabled compute is deleted", { op: "delete", old: { disabled: true } }, "delete no delete"],
  ["a disabled compute is replaced", { ...replica, old: { disabled: true } }, "replace no replace"],
  ["an idle one has no clients", { ...restarts, ...says("restart", { now: "idle" }) }, "restart no restart"],
  ["an idle one moves all the same", { ...moves, ...says("move", { now: "idle" }) }, "move no move"],
  ["an idle one moves, and may restart", idleMove(false), "move no move may"],
  ["an idle one moves, and the service knows that it restarts", idleMove(true), "move no move restart"],
  ["an active one moves", { ...moves, ...says("move", { now: "active" }) }, "move yes move drop"],
  [
    "another compute was idle",
    { ...restarts, ...says("restart", { now: "idle", endpointId: "ep-other" }) },
    "restart yes restart drop",
  ],
  ["an adopted compute runs what is declared", adopted("none", { now: "active" }), "adopt no"],
  ["an adopted compute is resized", adopted("restart", { now: "active" }), "adopt yes restart drop"],
  ["an adopted one is suspended", adopted("suspend", { now: "active" }), "adopt yes suspend drop"],
  ["an adopted one may have that size", adopted("restart", { now: "active", ...unsure }), "adopt may may"],
];

it.each(rows)("%s", (...[, parts, is, warns]) => {
  const diagnostics = warns === undefined ? [] : [warning("app", warns)];
  const compute = computeOn(parts, { diagnostics });
  const refused = refusedKinds(compute, failureKinds);
  expect([compute.outcome, compute.drops, ...refused].join(" ")).toBe(is);
});
