import { unknownValue } from "../../../provider/pure/unknown";
import { failureCodes } from "../../../preview/judge/failureKinds";
import { commentLength, toMarkdown } from "../../../preview/render/markdown";
import { digest, reportOn, restarts, runPreview, step } from "./previews";
import type { ComputeReport } from "../../../preview/judge/shape";

const types = {
  dynamic: "pulumi-nodejs:dynamic/compute:EndpointRestart",
  native: "compute:index:EndpointRestart",
} as const;

const urn = `urn:pulumi:dev::shop::${types.dynamic}::weekly`;

interface Parts {
  readonly op?: string;
  readonly type?: keyof typeof types;
  readonly old?: Record<string, unknown>;
  readonly new?: Record<string, unknown>;
  readonly reasons?: readonly string[];
}

/** A step of an EndpointRestart in `pulumi preview --json`. */
function restart({ op = "update", type = "dynamic", reasons, ...sides }: Parts): object {
  const place = { projectId: "p", endpointId: "ep-app" };
  const old = { ...place, triggers: { release: 1 }, ...sides.old };
  const next = { ...place, triggers: { release: 2 }, ...sides.new };
  return {
    op,
    urn: urn.replace(types.dynamic, types[type]),
    ...(op === "create" ? {} : { oldState: { id: "restart-weekly", inputs: old, outputs: old } }),
    ...(op === "delete" ? {} : { newState: { inputs: next } }),
    ...(reasons && { diffReasons: reasons }),
  };
}

const computeOn = (parts: Parts, more: object = {}): ComputeReport | undefined =>
  reportOn([restart(parts)], more).computes[0];

const verdict = {
  effect: "restart",
  certain: true,
  endpointId: "ep-app",
  now: "active",
  lastAccess: "5 min ago",
};

describe("a restart in the report", () => {
  it("is one of its compute, with its name, its trigger and what the compute does now", () => {
    expect(
      computeOn({ new: { __verdict: verdict, interruption: "restart: triggers (release) drops" } }),
    ).toMatchObject({
      name: "weekly",
      endpointId: "ep-app",
      projectId: "p",
      outcome: "restart",
      certain: true,
      drops: "yes",
      now: "active",
      lastAccess: "5 min ago",
      changes: [{ argument: "triggers.release", from: 1, to: 2, effect: "restart" }],
      clients: [{ text: "open connections drop" }],
      notice: "restart: triggers (release) drops",
    });
  });

  it("takes the plugin's judgement from the reasons of its diff", () => {
    const reasons = ["triggers", `__verdict:${JSON.stringify({ ...verdict, certain: false, now: "idle" })}`];
    expect(computeOn({ type: "native", reasons })).toMatchObject({
      outcome: "restart",
      certain: false,
      drops: "no",
      now: "idle",
      clients: [{ text: "none were open: it was idle when previewed" }],
    });
  });

  it.each([
    { reason: "is created", parts: { op: "create" }, drops: "yes" },
    {
      reason: "has a new trigger of unknown value",
      parts: { new: { triggers: { a: unknownValue } } },
      drops: "yes",
    },
    {
      reason: "may have another value",
      parts: { new: { triggers: { release: unknownValue } } },
      drops: "may",
    },
    { reason: "has not been done yet", parts: { old: { triggers: undefined } }, drops: "yes" },
  ])("without a judgement is compared here: it $reason", ({ parts, drops }) => {
    expect(computeOn(parts)).toMatchObject({ outcome: "restart", drops });
  });

  it.each([
    { reason: "it is deleted", parts: { op: "delete" } },
    { reason: "a trigger is removed", parts: { new: { triggers: {} } } },
    {
      reason: "another argument changes",
      parts: { new: { triggers: { release: 1 }, timeouts: { update: 9 } } },
    },
    { reason: "its compute starts anyway", parts: { new: { __verdict: { effect: "none", certain: true } } } },
  ])("is none where $reason: it counts among the other changes", ({ parts }) => {
    expect(reportOn([restart(parts)])).toMatchObject({ computes: [], otherChanges: 1 });
  });

  it("names a secret trigger without its value", () => {
    const secret = { triggers: { token: "[secret]" } };
    expect(computeOn({ old: secret, new: { ...secret, __verdict: verdict } })?.changes).toMatchObject([
      { argument: "triggers.token", from: "[secret]", to: "[secret]", hidden: true },
    ]);
  });

  const text = "until it is idle, or until Sat 28 Nov 02:00 (UTC)";
  const said = `${text}: restart: triggers (release) drops open connections`;
  it.each([
    {
      reason: "the check says so",
      parts: {
        new: {
          deferred: said,
          __verdict: { effect: "none", certain: true, deferred: { effect: "restart", text } },
        },
      },
      more: {},
    },
    {
      reason: "its row says so, where it waits since an earlier run",
      parts: {},
      more: { diagnostics: [{ urn, severity: "warning", message: `warning: deferred ${said}\n` }] },
    },
  ])("waits where $reason", ({ parts, more }) => {
    expect(computeOn(parts, more)).toMatchObject({
      outcome: "deferred",
      drops: "no",
      heldBack: "triggers (release)",
      clients: [{ text: "restart deferred", value: text }, { text: "connections are unaffected" }],
    });
  });

  it("is refused with its reason, once", () => {
    const message =
      "restarting compute ep-app: restart: triggers (release) drops open connections. Forbidden";
    const report = reportOn([], { diagnostics: [{ urn, severity: "error", message }] });
    expect(report.computes).toMatchObject([
      { outcome: "refused", heldBack: "triggers (release)", errors: [message] },
    ]);
    expect(toMarkdown(report, { maxLength: commentLength }).match(/Forbidden/g)).toHaveLength(1);
  });

  it.each([
    { kind: "restart" as const, parts: {} },
    { kind: "drop" as const, parts: { new: { __verdict: verdict } } },
    { kind: "may" as const, parts: { new: { triggers: { release: unknownValue } } } },
  ])("ends --fail-on $kind with that code", ({ kind, parts }) => {
    expect(runPreview(["--fail-on", kind], digest([restart(parts)])).code).toBe(failureCodes[kind]);
  });

  it("stands beside the computes that change", () => {
    const report = reportOn([step(restarts), restart({})]);
    expect(report.computes.map(({ label }) => label)).toEqual(["app", "weekly"]);
    expect(report.summary).toContain("2 computes");
  });
});
