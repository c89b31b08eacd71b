/** What a report makes of one step: what happens, to whom, and in which words. */
import { failureKinds } from "../../../preview/shape";
import { refusedKinds } from "../../../preview/judge/gate";
import { toText } from "../../../preview/render/text";
import { changeOf } from "../../../provider/model/interruption";
import { unknownValue } from "../../../provider/model/unknown";
import type { Verdict } from "../../../provider/model/notice";
import type { ServiceName } from "../../../provider/model/services";
import {
  commentOn,
  computeOn,
  failure,
  moves,
  reportOn,
  restarts,
  settles,
  size,
  step,
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
/** The dynamic provider's mark: its diff says on the row what it finds. */
const marked = { __service: "interface" };
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
const secretSize = { old: size("[secret]"), new: { ...size("[secret]"), ...marked } };
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
    "the provider sees through the masks",
    { ...changed("[secret]", "[secret]"), ...says("restart") },
    "restart yes restart drop",
  ],
  ["made a secret, the value is the same", { ...changed(1, "[secret]"), ...says("none") }, "none no"],
  [
    "a row sees through them too",
    secretSize,
    "restart yes restart drop",
    "restart: size (secret) drops open",
  ],
  ["masked alike, and no row says anything", secretSize, "none no"],
  [
    "masked alike, and only the sentence of the check is left: the rows were cut away",
    {
      ...secretSize,
      new: { ...secretSize.new, interruption: "restart: size (secret) drops open connections" },
    },
    "restart yes restart drop",
  ],
  ["without a verdict, a masked value may have changed", changed("[secret]", "[secret]"), "restart may may"],
  ["without a verdict, a value masked now is another", changed(1, "[secret]"), "restart yes restart drop"],
  [
    "a row is the dynamic provider's judgement",
    { new: { ...size(2), ...marked } },
    "move yes move restart drop",
    "move: branchId br-a → br-b and size 1 → 2 CU drops open connections (active now); also: restart; RAM 4 to 8 GB",
  ],
  [
    "a row says that the compute is idle",
    { ...restarts, new: { ...size(2), ...marked } },
    "restart no restart",
    "restart: size 1 → 2 CU drops open connections (idle now: none is open)",
  ],
  [
    "a row says that the values are there already",
    { ...restarts, new: { ...size(2), ...marked } },
    "none no",
    "nothing is interrupted: the service has these values already",
  ],
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
    "the last update failed, and the state has what was asked for: it only waits",
    { ...sized({ interruption: "restart: size", ...marked }), outputs: size(2), oldState: failed },
    "none no",
  ],
  [
    "the last update failed, and the state differs from what was asked for",
    { old: size(2), outputs: size(1), new: size(2), oldState: failed },
    "restart yes restart drop",
  ],
  ["it moves and restarts", sized({ branchId: "br-b" }), "move yes move restart drop"],
  ["it restarts and may move", sized({ branchId: unknown }), "restart yes restart may drop"],
  ["it moves and is disabled", { new: { branchId: "br-b", disabled: true } }, "move yes move suspend drop"],
  ["it is disabled and resized", sized({ disabled: true }), "suspend yes suspend restart drop"],
  ["a disabled one is resized and moved: it runs nothing", { ...disabled, ...says("none") }, "none no"],
  ["the same without a verdict", disabled, "none no"],
  ["a disabled compute is deleted", { op: "delete", old: { disabled: true } }, "delete no delete"],
  ["a disabled compute is replaced", { ...replica, old: { disabled: true } }, "replace no replace"],
  ["an idle one has no clients", { ...restarts, ...says("restart", { now: "idle" }) }, "restart no restart"],
  ["an idle one moves all the same", { ...moves, ...says("move", { now: "idle" }) }, "move no move"],
  ["an idle one moves, and may restart", idleMove(false), "move no move may"],
  ["an idle one moves, and the service knows that it restarts", idleMove(true), "move no move restart"],
  ["an active one moves", { ...moves, ...says("move", { now: "active" }) }, "move yes move drop"],
  ["an adopted compute runs what is declared", adopted("none", { now: "active" }), "adopt no"],
  ["an adopted compute is resized", adopted("restart", { now: "active" }), "adopt yes restart drop"],
  ["an adopted one is suspended", adopted("suspend", { now: "active" }), "adopt yes suspend drop"],
  ["an adopted one may have that size", adopted("restart", { now: "active", ...unsure }), "adopt may may"],
];

it.each(rows)("what happens: %s", (...[, parts, is, warns]) => {
  const diagnostics = warns === undefined ? [] : [warning("app", warns)];
  const compute = computeOn(parts, { diagnostics });
  const refused = refusedKinds(compute, failureKinds);
  expect([compute.outcome, compute.drops, ...refused].join(" ")).toBe(is);
});

const pg = (pgSettings: object): object => ({ settings: { pgSettings } });
const shownSecret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "x" };
const otherUnknown = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";
const masked = pg({ a: "[secret]" });

it.each<[reason: string, old: object, next: object, is?: string]>([
  ["an argument left out is unmanaged", { poolerEnabled: true }, {}],
  ["ours goes back to its default", { timeouts: { update: 9 } }, {}, "timeouts.update 9 null"],
  ["0 is the default of 300 s", { suspendTimeoutSeconds: 0 }, { suspendTimeoutSeconds: 300 }],
  ["settings are answered as text", pg({ a: "8" }), pg({ a: 8 })],
  ["a setting is removed", pg({ a: 1, b: 2 }), pg({ a: 1 }), "settings.pgSettings.b 2 null"],
  ["a secret may have changed", masked, masked, "settings.pgSettings.a [secret] [secret] hidden"],
  ["a secret map hides its names", pg({ a: 1 }), { settings: "[secret]" }, "settings null [secret]"],
  ["shown secrets stay masked", {}, pg({ key: shownSecret }), "settings.pgSettings.key null [secret]"],
  ["every unknown id says so", size(1), size(1, otherUnknown), "autoscalingLimitMaxCu 1 [unknown]"],
  ["unknown says so", {}, { branchId: unknown }, "branchId br-a [unknown]"],
])("what changes: %s", (...[, old, next, is]) => {
  const changes = computeOn({ old: { ...old }, new: { ...next } }).changes.map(
    ({ argument, from, to, hidden }) => `${argument} ${String(from)} ${String(to)}${hidden ? " hidden" : ""}`,
  );
  expect(changes).toEqual(is === undefined ? [] : [is]);
});

it.each<[reason: string, sizes: [unknown, unknown, unknown?], is?: string, of?: ServiceName | null]>([
  ["follow the smaller limit", [0.25, 1, 8], "max_connections 112 450 , RAM 1 4 GB, file cache 0.8 3.2 GB"],
  ["are none where the smaller limit stays", [1, 1, 4]],
  ["are none where the new size is unknown", [1, unknown, 4]],
  ["are none where the size is a secret", ["[secret]", "[secret]"]],
  ["follow the larger limit too where the service does", [1, 1, 4], "max_connections 419 1678 ", "neon"],
  ["are none where the service's sizes are not known", [1, 2], "", "unknown"],
  ["are none where the provider names no service", [1, 2], "", null],
  ["are none of a size that the service does not have", [1, 16]],
])("the figures that clients notice %s", (...[, [from, to, most = to], is = "", service = "interface"]) => {
  const verdict = { service: service ?? undefined };
  const { figures } = computeOn({ old: size(from), new: size(to, most), verdict });
  expect(figures.map((one) => `${one.name} ${one.from} ${one.to} ${one.unit}`).join(", ")).toBe(is);
});

it.each([
  ["idle", "none were open: it was idle when previewed"],
  ["active", "open connections drop"],
  [undefined, "open connections drop"],
] as const)("what clients notice is what the service said, and no name or notice: %s", (now, text) => {
  const interruption = "move: branchId br-a → br-idle; nothing to drop";
  const diagnostics = [warning("app", interruption)];
  const told = computeOn({ new: { branchId: "br-idle" }, verdict: { effect: "move", now } }, { diagnostics });
  expect(told).toMatchObject({ outcome: "move", now: now ?? null, notice: interruption });
  expect(told.clients[0]?.text).toBe(text);
});

const base = { projectId: "p", branchId: "br-a", type: "read_only", ...size(1) };
/** What the provider says of a change. */
const noticeOf = (change: object): string => changeOf(base, { ...base, ...change }).interruption!.text;
const firstIdle = "to the first update that finds it idle";
const until = { effect: "none", deferred: { effect: "restart", text: firstIdle } } as const;

it.each<[is: string, change: object]>([
  ["size 1 → 2 CU", size(2)],
  ["size 1 → 2 CU and disabling it", { ...size(2), disabled: true }],
  ["disabling it", { disabled: true }],
  ["branchId, known only during the update", { branchId: unknownValue }],
  ["type read_only → read_write", { type: "read_write" }],
  ["settings.pgSettings (a)", pg({ a: "b" })],
])(
  "a change that is not made is named by what it changes, and its reason is below, once: %s",
  (is, change) => {
    const notice = noticeOf(change);
    const said = `deferred ${firstIdle}: ${notice}`;
    const waits = reportOn([step({ verdict: until })], { diagnostics: [warning("app", said)] });
    expect(waits.computes).toMatchObject([{ heldBack: is, notice: said }]);
    expect(commentOn(waits)).toContain(`| \`${is}\` (waits) |`);
    expect(toText(waits)).toContain(`  change   ${is} (waits)\n`);

    const reason = `${notice}. This is forbidden here`;
    const message = `error: compute:index:Endpoint resource 'app' has a problem: ${reason}\n`;
    const refused = reportOn([], failure(message, "app"));
    expect(refused.computes).toMatchObject([{ outcome: "refused", heldBack: is, errors: [reason] }]);
    expect(commentOn(refused)).toContain(`| \`${is}\` | The preview stopped here |`);
    expect(commentOn(refused).match(/is forbidden here/g)).toHaveLength(1);
    expect(toText(refused)).toContain(`  change   ${is}\n`);
  },
);

it("what stops several computes has one line, and names no change where the provider names none", () => {
  const diagnostics = ["a", "b"].flatMap((name) => failure("no API key is set", name).diagnostics);
  const report = reportOn([], { diagnostics });
  expect(report.computes.map((compute) => "heldBack" in compute)).toEqual([false, false]);
  expect(commentOn(report)).toContain("\n- `a`, `b`: `no API key is set`\n");
  expect(commentOn(report)).toContain("| `a` | ⛔ refused | — | The preview stopped here |");
});

/** A policy pack may change a declaration after the check, which has written a sentence into it by then. The diff judges. */
describe("a policy pack", () => {
  const [interruption, now] = [noticeOf(size(4)), "(active now, last access 5 min ago)"];
  /** What the check has written about 4 CU, and what the pack makes of it. */
  const grows = (cu: number, more: object = {}): StepParts => ({
    old: size(1),
    new: { ...size(cu), interruption, ...marked, ...more },
  });
  const row = `${interruption} ${now}`;
  const smaller = `${noticeOf(size(2))} ${now}`;
  const waits = `deferred ${firstIdle}: ${interruption} (active now)`;
  const heldBack = { deferred: { effect: "restart", until: firstIdle }, heldBack: "size 1 → 4 CU" };

  it.each<[does: string, parts: StepParts, row: string | undefined, is: string, expected: object]>([
    ["changes nothing", grows(4), row, "restart yes", { notice: row, lastAccess: "5 min ago" }],
    ["makes another size of it", grows(2), smaller, "restart yes", { notice: smaller }],
    ["keeps the size", grows(1, { suspendTimeoutSeconds: 600 }), undefined, "none no", { notice: null }],
    ["lets it wait", grows(4), waits, "deferred no", heldBack],
  ])("that %s is reported as it is sent", (...[, parts, said, is, expected]) => {
    const compute = computeOn(parts, { diagnostics: said === undefined ? [] : [warning("app", said)] });
    expect(`${compute.outcome} ${compute.drops}`).toBe(is);
    expect(compute).toMatchObject(expected);
  });
});
