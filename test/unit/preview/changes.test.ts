import { computeOn, fixtureReport } from "./previews";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const size = (cu: number): Record<string, unknown> => ({
  autoscalingLimitMinCu: cu,
  autoscalingLimitMaxCu: cu,
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
    {
      reason: "every unknown id says so",
      old: { ...size(1) },
      next: { ...size(1), autoscalingLimitMaxCu: "3eeb2bf0-c639-47a8-9e75-3b44932eb421" },
      is: ["autoscalingLimitMaxCu 1 [unknown]"],
    },
    {
      reason: "beside a trigger that changes, one in another order does not",
      old: { restartTriggers: { rows: [{ x: 1, y: 2 }], schema: 1 } },
      next: { restartTriggers: { rows: [{ y: 2, x: 1 }], schema: 2 } },
      is: ["restartTriggers.schema 1 2"],
    },
    { reason: "unknown says so", old: {}, next: { branchId: unknown }, is: ["branchId br-a [unknown]"] },
  ])("$reason", ({ old, next, is }) => {
    expect(changesOf(old, next)).toEqual(is);
  });
});

describe("what clients notice", () => {
  const limits = (minCu: unknown, maxCu = minCu): Record<string, unknown> => ({
    autoscalingLimitMinCu: minCu,
    autoscalingLimitMaxCu: maxCu,
  });
  const figures = (old: unknown, next: unknown, maxCu: unknown = next): readonly unknown[] =>
    computeOn({ old: limits(old), new: limits(next, maxCu) }).figures;

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
  ])("says nothing of connections where $reason", ({ old, next, maxCu }) => {
    expect(figures(old, next, maxCu)).toEqual([]);
  });

  it("says the RAM alone of a size that the interface does not list", () => {
    expect(figures(1, 16)).toEqual([{ name: "RAM", from: 4, to: 64, unit: "GB" }]);
  });

  it.each([
    { now: "idle", says: "none were open: it was idle when previewed" },
    { now: "active", says: "open connections drop" },
    { now: undefined, says: "open connections drop" },
  ] as const)("is what the service said: $now", ({ now, says }) => {
    // Neither a branch nor a trigger of that name makes a compute idle.
    const next = { branchId: "br-idle-rain-12345678", restartTriggers: { "idle-config": 1 } };
    const interruption =
      "move: branchId br-a → br-idle-rain-12345678 drops open connections; nothing to drop";
    const told = computeOn({ new: { ...next, interruption }, verdict: { effect: "move", now } });
    expect(told).toMatchObject({ outcome: "move", now: now ?? null, notice: interruption });
    expect(told.clients[0]?.text).toBe(says);
  });
});

it("puts no secret into a report", () => {
  expect(JSON.stringify(fixtureReport("changes.json"))).not.toMatch(/hunter2|correct horse/);
});
