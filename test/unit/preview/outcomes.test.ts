import type { ComputeReport } from "../../../preview/shape";
import { computeOn, fixtureReport, warning, type StepParts } from "./previews";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

interface Row {
  readonly reason: string;
  readonly parts: StepParts;
  readonly warns?: string;
  readonly is: `${ComputeReport["outcome"]} ${ComputeReport["drops"]}`;
}

const rows: readonly Row[] = [
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
  { reason: "the property says so", parts: { new: { interruption: "restart: size" } }, is: "restart yes" },
  {
    reason: "the property says may",
    parts: { new: { interruption: "may restart: size" } },
    is: "restart may",
  },
  {
    reason: "the interface does not say",
    parts: { new: { interruption: "may interrupt: settings" } },
    is: "interrupt may",
  },
  {
    reason: "only the warning knows the state",
    parts: {},
    warns: "suspend: disabling it",
    is: "suspend yes",
  },
  {
    reason: "the heavier of two counts",
    parts: { new: { interruption: "restart: size" } },
    warns: "move: branch",
    is: "move yes",
  },
  {
    reason: "a property in other words is still one",
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
    parts: { new: { interruption: "restart: size" }, oldState: { initErrors: ["cut off"] } },
    is: "restart may",
  },
  {
    reason: "the last update failed, and the state differs",
    parts: { new: { interruption: "move: branch", branchId: "br-b" }, oldState: { initErrors: ["cut off"] } },
    is: "move yes",
  },
];

it.each(rows)("$is: $reason", ({ parts, warns, is }) => {
  const diagnostics = warns === undefined ? [] : [warning("app", warns)];
  const { outcome, drops } = computeOn(parts, { diagnostics });
  expect(`${outcome} ${drops}`).toBe(is);
});

describe("changes", () => {
  const changesOf = (old: object, next: object): readonly string[] =>
    computeOn({ old: { ...old }, new: { ...next } }).changes.map(
      ({ argument, from, to, hidden }) =>
        `${argument} ${String(from)} ${String(to)}${hidden ? " hidden" : ""}`,
    );

  it.each([
    { reason: "an argument left out is unmanaged", old: { poolerEnabled: true }, next: {}, is: [] },
    {
      reason: "ours goes back to its default",
      old: { timeouts: { update: 9 } },
      next: {},
      is: ["timeouts.update 9 null"],
    },
    {
      reason: "0 is the default of 300 s",
      old: { suspendTimeoutSeconds: 0 },
      next: { suspendTimeoutSeconds: 300 },
      is: [],
    },
    {
      reason: "settings are answered as text",
      old: { settings: { pgSettings: { a: "8" } } },
      next: { settings: { pgSettings: { a: 8 } } },
      is: [],
    },
    {
      reason: "a setting is removed",
      old: { settings: { pgSettings: { a: 1, b: 2 } } },
      next: { settings: { pgSettings: { a: 1 } } },
      is: ["settings.pgSettings.b 2 null"],
    },
    {
      reason: "a secret may have changed",
      old: { settings: { pgSettings: { a: "[secret]" } } },
      next: { settings: { pgSettings: { a: "[secret]" } } },
      is: ["settings.pgSettings.a [secret] [secret] hidden"],
    },
    {
      reason: "a secret map hides its names",
      old: { settings: { pgSettings: { a: 1 } } },
      next: { settings: "[secret]" },
      is: ["settings null [secret]"],
    },
    {
      reason: "secrets that the engine shows stay masked",
      old: {},
      next: {
        restartTriggers: {
          key: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "x" },
        },
      },
      is: ["restartTriggers.key null [secret]"],
    },
    { reason: "unknown says so", old: {}, next: { branchId: unknown }, is: ["branchId br-a [unknown]"] },
  ])("$reason", ({ old, next, is }) => {
    expect(changesOf(old, next)).toEqual(is);
  });
});

describe("what clients notice", () => {
  const size = (minCu: unknown, maxCu = minCu): Record<string, unknown> => ({
    autoscalingLimitMinCu: minCu,
    autoscalingLimitMaxCu: maxCu,
  });
  const figures = (old: unknown, next: unknown, maxCu: unknown = next): readonly unknown[] =>
    computeOn({ old: size(old), new: size(next, maxCu) }).figures;

  it("follows the smaller limit", () => {
    expect(figures(0.25, 1, 8)).toEqual([
      { name: "max_connections", from: 112, to: 450, unit: "" },
      { name: "RAM", from: 1, to: 4, unit: "GB" },
      { name: "file cache", from: 0.8, to: 3.2, unit: "GB" },
    ]);
  });

  it.each([
    { reason: "the smaller limit stays", old: 1, next: 1, maxCu: 4 },
    { reason: "the new size is unknown", old: 1, next: unknown, maxCu: 4 },
    { reason: "the size is a secret", old: "[secret]", next: "[secret]", maxCu: "[secret]" },
    { reason: "the table has no such size", old: 1, next: 16, maxCu: 16 },
  ])("says nothing of connections where $reason", ({ old, next, maxCu }) => {
    expect(figures(old, next, maxCu)).toEqual([]);
  });

  it("believes the provider that a compute was idle", () => {
    const { clients } = computeOn({ new: { interruption: "restart: size 1 → 2 CU; it is idle now" } });
    expect(clients[0]?.text).toContain("idle");
  });
});

describe("secrets", () => {
  it("withholds a notice that may quote one", () => {
    const vault = fixtureReport("edges.json").computes.find(({ name }) => name === "vault");
    expect(vault).toMatchObject({ outcome: "restart", notice: null, size: null, figures: [] });
  });

  it("are in no report", () => {
    expect(JSON.stringify(fixtureReport("changes.json"))).not.toMatch(/hunter2|correct horse/);
  });
});
