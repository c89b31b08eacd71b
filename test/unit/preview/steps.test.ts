/**
 * What a report says about one step. Each row is a promise. For each row, `golden/steps.txt` has the mark in a comment, the
 * outcome, whether connections drop, the kinds of `--fail-on` that refuse the step, and the lines of the text report.
 * `GOLDENS=write npx jest unit/preview/steps` writes it anew. Read the differences.
 */
import { failureKinds } from "../../../preview/shape";
import { refusedKinds } from "../../../preview/judge/gate";
import { toText } from "../../../preview/render/text";
import { changeOf } from "../../../provider/model/interruption";
import { unknownValue } from "../../../provider/model/unknown";
import type { Verdict } from "../../../provider/model/notice";
import type { ServiceName } from "../../../provider/model/services";
import { expectKept } from "../../support/kept";
import {
  commentOn,
  failure,
  goldenFile,
  moves,
  reportOn,
  restarts,
  size,
  step,
  unknownId as unknown,
  urnOf,
  warning,
  type StepParts,
} from "./previews";

/** Grows from 1 to 2 CU, with other changes. */
const sized = (next: object = {}): StepParts => ({ ...restarts, new: { ...size(2), ...next } });
/** The provider's verdict on the compute in the state. */
const says = (effect: Verdict["effect"], more: Partial<Verdict> = {}): { verdict: Partial<Verdict> } => ({
  verdict: { effect, ...more },
});
/** The dynamic provider's mark: its diff writes the verdict on the row. */
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
const resized = (from: unknown, to: unknown, most = to): StepParts => ({
  old: size(from),
  new: size(to, most),
});
const figures = (service: ServiceName | undefined, ...sizes: Parameters<typeof resized>): StepParts => ({
  ...resized(...sizes),
  ...says("restart", { service }),
});
const secretSize = { old: size("[secret]"), new: { ...size("[secret]"), ...marked } };
/** The provider says that an idle compute moves and restarts. */
const idleMove = (certain: boolean): StepParts => ({
  ...moves,
  ...says("move", { now: "idle", also: [{ effect: "restart", certain }] }),
});
const failed = { initErrors: ["cut off"] };
const region = { regionId: unknown };
const pg = (pgSettings: object | string): Record<string, unknown> => ({ settings: { pgSettings } });
const shownSecret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "x" };
const otherUnknown = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";
const masked = pg({ a: "[secret]" });
const hidden = { ...pg("[secret]"), ...marked };
const beside = (cu: number): StepParts => ({
  old: { ...size(1), ...masked },
  new: { ...size(cu), ...masked },
});

const base = { projectId: "p", branchId: "br-a", type: "read_only", ...size(1) };
/** The provider's notice of a change. */
const noticeOf = (change: object): string => changeOf(base, { ...base, ...change }).interruption!.text;
const settled = { suspendTimeoutSeconds: 60 };
const firstIdle = "until an update finds the compute idle";
/** The same notice, deferred. */
const deferring = (notice: string): string => notice.replace(": ", `, deferred ${firstIdle}: `);
const until: StepParts = says("none", { deferred: { effect: "restart", text: firstIdle } });
/** The check wrote its notice for 4 CU; then a policy pack changed the arguments to these. */
const ofPolicy = (cu: number, more: object = {}): StepParts => ({
  old: size(1),
  new: { ...size(cu), interruption: noticeOf(size(4)), ...marked, ...more },
});
const active = "(compute active now, last access 5 min ago)";
/** Parts of an update of a compute that the program only read before. */
const isRead = {
  oldState: { external: true },
  new: { adopt: "ep-app", __verdict: { effect: "none", certain: true } },
};

/** Steps after a filter has removed parts of them. */
interface CutPreview {
  readonly left: readonly object[];
}

/** The preview stopped before it planned a step. */
const nothing: CutPreview = { left: [] };

/** What the preview says on the compute's row, or why it stopped there. */
type Said = string | { readonly diagnostics: readonly object[] };

const stopped = (reason: string): Said =>
  failure(`error: compute:index:Endpoint resource 'app' has a problem: ${reason}\n`, "app");

type Row = readonly [reason: string, parts: StepParts | CutPreview, said?: Said];

const rows: readonly Row[] = [
  ["a limit that is left out shows no new size", { old: size(1, 2), new: { ...size(1, null), ...settled } }],
  ["an unknown operation may interrupt the compute", { op: "transmogrify" }],
  ["a known operation is recognised in .NET's spelling", { op: "CreateReplacement" }],
  ["a replacement has its new size from the start", { ...replica, ...sized({ type: "read_only" }) }],
  ["the project is unknown, so it may be the same as before", { op: "replace", new: { projectId: unknown } }],
  ["connections drop, whether the compute is replaced or restarts", { ...sized(region), op: "replace" }],
  [
    "the compute may be replaced, but the old one would go on running",
    { ...sized(region), op: "replace", ...retained },
  ],
  ["a compute restarts, and may be replaced", sized(region)],
  ["a forced replacement is not deferred", { op: "replace", ...until }],
  ["a compute that the program only read before is not deleted", { op: "replace", ...isRead }],
  ["a change of settings adds nothing to a restart", sized({ poolerEnabled: true })],
  [
    "the provider's verdict counts if the state is out of date: the compute already has this size",
    { ...restarts, ...says("none") },
  ],
  [
    "both values are masked, but the provider's verdict knows them",
    { ...resized("[secret]", "[secret]"), ...says("restart") },
  ],
  [
    "the value becomes a secret, but stays the same, as the verdict says",
    { ...resized(1, "[secret]"), ...says("none") },
  ],
  ["both values are masked, and there is no warning on the row", secretSize],
  [
    "both values are masked, and the warnings were removed: only the notice in the inputs is left",
    {
      ...secretSize,
      new: { ...secretSize.new, interruption: "restart: size (secret) drops open connections" },
    },
  ],
  ["without a verdict, a masked value may have changed", resized("[secret]", "[secret]")],
  ["without a verdict, a value that becomes masked counts as changed", resized(1, "[secret]")],
  [
    "the row has the dynamic provider's verdict",
    { new: { ...size(2), ...marked } },
    "move: branchId br-a → br-b and size 1 → 2 CU drop open connections (compute active now); also: restart; RAM 4 to 8 GB",
  ],
  [
    "the row says that the service already has the values",
    sized(marked),
    "nothing is interrupted: the service already has these values",
  ],
  [
    "without a verdict, the notice is quoted but never parsed",
    { new: { interruption: "restart: size", branchId: "br-b" } },
  ],
  [
    "without a verdict, a notice without a visible change means that the compute may be interrupted",
    { new: { interruption: "drops all" } },
  ],
  ["there is no notice, and the value is unknown", { new: { branchId: unknown } }],
  [
    "the last update failed, but the state has the declared values: the next update only waits",
    { ...sized({ interruption: "restart: size", ...marked }), outputs: size(2), oldState: failed },
  ],
  [
    "the last update failed, and the state differs from the declaration",
    { old: size(2), outputs: size(1), new: size(2), oldState: failed },
  ],
  ["a compute moves and restarts", sized({ branchId: "br-b" })],
  ["a compute restarts, and may move", sized({ branchId: unknown })],
  ["a compute moves and is disabled", { new: { branchId: "br-b", disabled: true } }],
  [
    "an effect in the verdict that this version does not know is not named",
    { ...moves, ...says("move", { also: [{ effect: "reboot", certain: true }] as never }) },
  ],
  ["a disabled compute is resized and moved, without a verdict", disabled],
  ["a disabled compute is replaced", { ...replica, old: { disabled: true } }],
  ["an idle compute moves, and may restart", idleMove(false)],
  ["an idle compute moves, and certainly restarts", idleMove(true)],
  ["an adopted compute is resized", adopted("restart", { now: "active" })],
  ["an adopted compute may have that size already", adopted("restart", { now: "active", ...unsure })],

  ["an argument that is left out becomes unmanaged", { old: { poolerEnabled: true } }],
  ["one of the provider's own arguments goes back to its default", { old: { timeouts: { update: 9 } } }],
  [
    "a suspend timeout of 0 means the default of 300 s",
    { old: { suspendTimeoutSeconds: 0 }, new: { suspendTimeoutSeconds: 300 } },
  ],
  ["the service answers settings as text, which is no change", { old: pg({ a: "8" }), new: pg({ a: 8 }) }],
  ["a setting is removed", { old: pg({ a: 1, b: 2 }), new: pg({ a: 1 }) }],
  ["a secret may change if nothing else does", beside(1)],
  ["a secret beside another change counts as unchanged", beside(2)],
  ["a secret map of settings counts as unchanged", { old: hidden, new: { ...hidden, ...settled } }],
  ["a secret map hides the names of its settings", { old: pg({ a: 1 }), new: { settings: "[secret]" } }],
  ["a secret that the preview shows is masked", { new: pg({ key: shownSecret }) }],
  ["every id for an unknown value is recognised", { old: size(1), new: size(1, otherUnknown) }],

  ["no figures are shown if the smaller limit stays", figures("interface", 1, 1, 4)],
  ["no figures are shown if the service's sizes are not known", figures("unknown", 1, 2)],
  ["no figures are shown for a size that the service does not have", figures("interface", 1, 16)],

  [
    "a deferred change is named, with the time until which it is deferred",
    until,
    deferring(noticeOf({ ...size(2), disabled: true })),
  ],
  [
    "a deferred change to a value that only the update knows is named too",
    until,
    deferring(noticeOf({ branchId: unknownValue })),
  ],
  ["a policy pack changes nothing", ofPolicy(4), `${noticeOf(size(4))} ${active}`],
  ["a policy pack sets another size", ofPolicy(2), `${noticeOf(size(2))} ${active}`],
  ["a policy pack keeps the size", ofPolicy(1, { suspendTimeoutSeconds: 600 })],
  ["a policy pack defers the change", ofPolicy(4), `${deferring(noticeOf(size(4)))} (compute active now)`],
  ["the service could not be asked", { ...restarts, ...says("restart", { unasked: true }) }],

  ["a filter has removed the inputs of an adoption", { left: [{ ...step(adopted("none")), newState: {} }] }],
  ["a filter has removed the inputs", { left: [{ ...step(restarts), newState: {} }] }],
  [
    "a filter has removed the outputs",
    { left: [{ ...step(restarts), oldState: { id: "ep-app", inputs: {} } }] },
  ],
  [
    "a deletion counts even if a filter has removed everything else",
    { left: [{ op: "delete", urn: urnOf("app") }] },
  ],
  [
    "a change that the provider refuses is named",
    nothing,
    stopped(`${noticeOf(size(2))}. This is forbidden here`),
  ],
  ["no change is named if the provider's error names no change", nothing, stopped("no API key is set")],
];

function told([reason, parts, said = { diagnostics: [] }]: Row): string {
  const [steps, name = "app"] = "left" in parts ? [parts.left] : [[step(parts)], parts.name];
  const { diagnostics } = typeof said === "string" ? { diagnostics: [warning(name, said)] } : said;
  const report = reportOn(steps, { diagnostics });
  const [compute, ...others] = report.computes;
  expect(others).toEqual([]);
  const [, mark = ""] = /^\| `[^|]*\| (\S+) /m.exec(commentOn(report))!;
  const refused = refusedKinds(compute!, failureKinds);
  const text = toText(report).split("\n");
  const begin = text.findIndex((line) => line.startsWith(`${compute!.name} `));
  return [
    `# ${reason}`,
    [mark, compute!.outcome, `${compute!.drops};`, ...refused].join(" "),
    ...report.unjudged.map((resource) => `cannot be judged: ${resource}`),
    ...text.slice(begin, text.indexOf("", begin) + 1),
  ].join("\n");
}

it("the report says about each step what its row promises", () => {
  expectKept(goldenFile("steps"), rows.map(told).join("\n"));
});
