import { unknownValue } from "../../../provider/pure/unknown";
import { commentOn, reportOn, restarts, step, type StepParts } from "./previews";
import type { ComputeReport } from "../../../preview/judge/shape";

const types = {
  dynamic: "pulumi-nodejs:dynamic/compute:EndpointRestart",
  native: "compute:index:EndpointRestart",
} as const;

interface Parts extends Pick<StepParts, "op" | "old" | "new"> {
  readonly type?: keyof typeof types;
  readonly reasons?: readonly string[];
}

const urnOf = (type: keyof typeof types): string => `urn:pulumi:dev::shop::${types[type]}::weekly`;

/** A step of an EndpointRestart in `pulumi preview --json`. */
function restart({ type = "dynamic", reasons, ...parts }: Parts): object {
  const old = { endpointId: "ep-app", triggers: { release: 1 }, ...parts.old };
  const next = { endpointId: "ep-app", triggers: { release: 2 }, ...parts.new };
  const made = step({ ...parts, urn: urnOf(type), old, outputs: old, new: next });
  return { ...made, ...(reasons && { diffReasons: reasons }) };
}

const computeOn = (parts: Parts, more: object = {}): ComputeReport | undefined =>
  reportOn([restart(parts)], more).computes[0];

const base = { effect: "restart", certain: true, endpointId: "ep-app" };
const verdict = { ...base, now: "active", lastAccess: "5 min ago" };

describe("a restart in the report", () => {
  it("is one of its compute, with its name, its trigger and what the compute does now", () => {
    const interruption = "restart: triggers (release) drops";
    expect(computeOn({ new: { __verdict: verdict, interruption } })).toMatchObject({
      ...{ name: "weekly", endpointId: "ep-app", projectId: "p", outcome: "restart", certain: true },
      ...{ drops: "yes", now: "active", lastAccess: "5 min ago", notice: interruption },
      changes: [{ argument: "triggers.release", from: 1, to: 2, effect: "restart" }],
      clients: [{ text: "open connections drop" }],
    });
  });

  it("takes the plugin's judgement from the reasons of its diff", () => {
    const reasons = ["triggers", `__verdict:${JSON.stringify({ ...base, certain: false, now: "idle" })}`];
    expect(computeOn({ type: "native", reasons })).toMatchObject({
      ...{ outcome: "restart", certain: false, drops: "no", now: "idle" },
      clients: [{ text: "none were open: it was idle when previewed" }],
    });
  });

  it.each<[reason: string, parts: Parts, drops: string]>([
    ["is created", { op: "create" }, "yes"],
    ["has a new trigger of unknown value", { new: { triggers: { a: unknownValue } } }, "yes"],
    ["may have another value", { new: { triggers: { release: unknownValue } } }, "may"],
    ["has not been done yet", { old: { triggers: undefined } }, "yes"],
  ])("without a judgement is compared here: it %s", (_reason, parts, drops) => {
    expect(computeOn(parts)).toMatchObject({ outcome: "restart", drops });
  });

  it.each<[reason: string, parts: Parts]>([
    ["it is deleted", { op: "delete" }],
    ["a trigger is removed", { new: { triggers: {} } }],
    ["another argument changes", { new: { triggers: { release: 1 }, timeouts: { update: 9 } } }],
    ["its compute starts anyway", { new: { __verdict: { effect: "none", certain: true } } }],
  ])("is none where %s: it counts among the other changes", (_reason, parts) => {
    expect(reportOn([restart(parts)])).toMatchObject({ computes: [], otherChanges: 1 });
  });

  it("names a secret trigger without its value", () => {
    const secret = { triggers: { token: "[secret]" } };
    expect(computeOn({ old: secret, new: { ...secret, __verdict: verdict } })?.changes).toMatchObject([
      { argument: "triggers.token", from: "[secret]", to: "[secret]", hidden: true },
    ]);
  });

  const text = "until it is idle, or until Sat 28 Nov 02:00 (UTC)";
  const deferred = `${text}: restart: triggers (release) drops open connections`;
  const urn = urnOf("dynamic");
  it.each<[reason: string, parts: Parts, diagnostics: readonly object[]]>([
    [
      "the check says so",
      { new: { deferred, __verdict: { ...base, effect: "none", deferred: { effect: "restart", text } } } },
      [],
    ],
    ["its row says so alone", {}, [{ urn, severity: "warning", message: `warning: deferred ${deferred}\n` }]],
  ])("waits where %s", (_reason, parts, diagnostics) => {
    expect(computeOn(parts, { diagnostics })).toMatchObject({
      ...{ outcome: "deferred", drops: "no", heldBack: "triggers (release)" },
      clients: [{ text: "restart deferred", value: text }, { text: "connections are unaffected" }],
    });
  });

  it("is refused with its reason, once", () => {
    const message =
      "restarting compute ep-app: restart: triggers (release) drops open connections. Forbidden";
    const report = reportOn([], { diagnostics: [{ urn, severity: "error", message }] });
    const refused = { outcome: "refused", heldBack: "triggers (release)", errors: [message] };
    expect(report.computes).toMatchObject([refused]);
    expect(commentOn(report).match(/Forbidden/g)).toHaveLength(1);
  });

  it("stands beside the computes that change", () => {
    const report = reportOn([step(restarts), restart({})]);
    expect(report.computes.map(({ label }) => label)).toEqual(["app", "weekly"]);
    expect(report.summary).toContain("2 computes");
  });
});
