/**
 * What a report makes of one step. Each row is a promise; `golden/steps.txt` has what is said of it: the mark in a comment, the
 * outcome, whether connections drop, the kinds of `--fail-on` that refuse it, and the lines of a text.
 * `GOLDENS=write npx jest unit/preview/steps` writes it anew. Read what differs.
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
const resized = (from: unknown, to: unknown, most = to): StepParts => ({
  old: size(from),
  new: size(to, most),
});
const figures = (service: ServiceName | undefined, ...sizes: Parameters<typeof resized>): StepParts => ({
  ...resized(...sizes),
  ...says("restart", { service }),
});
const secretSize = { old: size("[secret]"), new: { ...size("[secret]"), ...marked } };
/** The provider says of one that is idle that it moves, and that it restarts. */
const idleMove = (certain: boolean): StepParts => ({
  ...moves,
  ...says("move", { now: "idle", also: [{ effect: "restart", certain }] }),
});
const failed = { initErrors: ["cut off"] };
const region = { regionId: unknown };
const pg = (pgSettings: object): Record<string, unknown> => ({ settings: { pgSettings } });
const shownSecret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "x" };
const otherUnknown = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";
const masked = pg({ a: "[secret]" });
const beside = (cu: number): StepParts => ({
  old: { ...size(1), ...masked },
  new: { ...size(cu), ...masked },
});

const base = { projectId: "p", branchId: "br-a", type: "read_only", ...size(1) };
/** What the provider says of a change. */
const noticeOf = (change: object): string => changeOf(base, { ...base, ...change }).interruption!.text;
const firstIdle = "to the first update that finds the compute idle";
const until: StepParts = says("none", { deferred: { effect: "restart", text: firstIdle } });
/** What the check has written about 4 CU, and what a policy pack makes of it. */
const ofPolicy = (cu: number, more: object = {}): StepParts => ({
  old: size(1),
  new: { ...size(cu), interruption: noticeOf(size(4)), ...marked, ...more },
});
const active = "(compute active now, last access 5 min ago)";
/** Parts of an update that a program has read before. */
const isRead = {
  oldState: { external: true },
  new: { adopt: "ep-app", __verdict: { effect: "none", certain: true } },
};

/** Steps as a filter has left them. */
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
  ["an unknown operation is no all-clear", { op: "transmogrify" }],
  ["a known operation in the spelling of .NET", { op: "CreateReplacement" }],
  ["it gets its new size", { ...replica, ...sized({ type: "read_only" }) }],
  ["an unknown project may be the old one", { op: "replace", new: { projectId: unknown } }],
  ["it drops, replaced or not", { ...sized(region), op: "replace" }],
  ["the old one would go on running", { ...sized(region), op: "replace", ...retained }],
  ["it restarts and may be replaced", sized(region)],
  ["a replacement by force waits for nothing", { op: "replace", ...until }],
  ["what the program has only read before is not deleted", { op: "replace", ...isRead }],
  ["settings beside a restart add nothing", sized({ poolerEnabled: true })],
  ["the service was asked of it, and the state is old", { ...restarts, ...says("none") }],
  ["the provider sees through the masks", { ...resized("[secret]", "[secret]"), ...says("restart") }],
  ["made a secret, the value is the same", { ...resized(1, "[secret]"), ...says("none") }],
  ["masked alike, and no row says anything", secretSize],
  [
    "masked alike, and only the sentence of the check is left: the rows were cut away",
    {
      ...secretSize,
      new: { ...secretSize.new, interruption: "restart: size (secret) drops open connections" },
    },
  ],
  ["without a verdict, a masked value may have changed", resized("[secret]", "[secret]")],
  ["without a verdict, a value masked now is another", resized(1, "[secret]")],
  [
    "a row is the dynamic provider's judgement",
    { new: { ...size(2), ...marked } },
    "move: branchId br-a → br-b and size 1 → 2 CU drops open connections (compute active now); also: restart; RAM 4 to 8 GB",
  ],
  [
    "a row says that the values are there already",
    sized(marked),
    "nothing is interrupted: the service has these values already",
  ],
  [
    "without a verdict, the notice is quoted and never read",
    { new: { interruption: "restart: size", branchId: "br-b" } },
  ],
  ["no verdict, a notice of something hidden", { new: { interruption: "drops all" } }],
  ["no notice came, and the value is unknown", { new: { branchId: unknown } }],
  [
    "the last update failed, and the state has what was asked for: it only waits",
    { ...sized({ interruption: "restart: size", ...marked }), outputs: size(2), oldState: failed },
  ],
  [
    "the last update failed, and the state differs from what was asked for",
    { old: size(2), outputs: size(1), new: size(2), oldState: failed },
  ],
  ["it moves and restarts", sized({ branchId: "br-b" })],
  ["it restarts and may move", sized({ branchId: unknown })],
  ["it moves and is disabled", { new: { branchId: "br-b", disabled: true } }],
  [
    "a part that this version does not know is not named",
    { ...moves, ...says("move", { also: [{ effect: "reboot", certain: true }] as never }) },
  ],
  ["a disabled one is resized and moved, without a verdict", disabled],
  ["a disabled compute is replaced", { ...replica, old: { disabled: true } }],
  ["an idle one moves, and may restart", idleMove(false)],
  ["an idle one moves, and the service knows that it restarts", idleMove(true)],
  ["an adopted compute is resized", adopted("restart", { now: "active" })],
  ["an adopted one may have that size", adopted("restart", { now: "active", ...unsure })],

  ["an argument left out is unmanaged", { old: { poolerEnabled: true } }],
  ["ours goes back to its default", { old: { timeouts: { update: 9 } } }],
  ["0 is the default of 300 s", { old: { suspendTimeoutSeconds: 0 }, new: { suspendTimeoutSeconds: 300 } }],
  ["settings are answered as text", { old: pg({ a: "8" }), new: pg({ a: 8 }) }],
  ["a setting is removed", { old: pg({ a: 1, b: 2 }), new: pg({ a: 1 }) }],
  ["a secret is what may change if nothing else does", beside(1)],
  ["an unchanged secret beside another change is none", beside(2)],
  ["a secret map hides its names", { old: pg({ a: 1 }), new: { settings: "[secret]" } }],
  ["shown secrets stay masked", { new: pg({ key: shownSecret }) }],
  ["every unknown id says so", { old: size(1), new: size(1, otherUnknown) }],

  ["no figures where the smaller limit stays", figures("interface", 1, 1, 4)],
  ["no figures where the service's sizes are not known", figures("unknown", 1, 2)],
  ["no figures of a size that the service does not have", figures("interface", 1, 16)],

  [
    "what waits is named, and so is its moment",
    until,
    `deferred ${firstIdle}, then ${noticeOf({ ...size(2), disabled: true })}`,
  ],
  [
    "the same of a value that only the update knows",
    until,
    `deferred ${firstIdle}, then ${noticeOf({ branchId: unknownValue })}`,
  ],
  ["a policy pack changes nothing", ofPolicy(4), `${noticeOf(size(4))} ${active}`],
  ["a policy pack makes another size of it", ofPolicy(2), `${noticeOf(size(2))} ${active}`],
  ["a policy pack keeps the size", ofPolicy(1, { suspendTimeoutSeconds: 600 })],
  [
    "a policy pack lets it wait",
    ofPolicy(4),
    `deferred ${firstIdle}, then ${noticeOf(size(4))} (compute active now)`,
  ],
  ["the service could not be asked", { ...restarts, ...says("restart", { unasked: true }) }],

  ["a filter left the inputs out", { left: [{ ...step(restarts), newState: {} }] }],
  [
    "a filter left the outputs out",
    { left: [{ ...step(restarts), oldState: { id: "ep-app", inputs: {} } }] },
  ],
  ["a deletion is one, whatever is left of it", { left: [{ op: "delete", urn: urnOf("app") }] }],
  ["a change that is refused is named", nothing, stopped(`${noticeOf(size(2))}. This is forbidden here`)],
  ["no change is named where the provider names none", nothing, stopped("no API key is set")],
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

it("says of each step what its row promises", () => {
  expectKept(goldenFile("steps"), rows.map(told).join("\n"));
});
