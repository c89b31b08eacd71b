import type { ServiceName } from "../../../provider/pure/services";
import { computeOn, fixtureReport, size, unknownId } from "./previews";

const pg = (pgSettings: object): object => ({ settings: { pgSettings } });

describe("changes", () => {
  const changesOf = (old: object, next: object): readonly string[] =>
    computeOn({ old: { ...old }, new: { ...next } }).changes.map(
      ({ argument, from, to, hidden }) =>
        `${argument} ${String(from)} ${String(to)}${hidden ? " hidden" : ""}`,
    );

  const shownSecret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "x" };
  const otherUnknown = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";

  it.each<[reason: string, old: object, next: object, is: string[]]>([
    ["an argument left out is unmanaged", { poolerEnabled: true }, {}, []],
    ["ours goes back to its default", { timeouts: { update: 9 } }, {}, ["timeouts.update 9 null"]],
    ["0 is the default of 300 s", { suspendTimeoutSeconds: 0 }, { suspendTimeoutSeconds: 300 }, []],
    ["settings are answered as text", pg({ a: "8" }), pg({ a: 8 }), []],
    ["a setting is removed", pg({ a: 1, b: 2 }), pg({ a: 1 }), ["settings.pgSettings.b 2 null"]],
    [
      "a secret may have changed",
      pg({ a: "[secret]" }),
      pg({ a: "[secret]" }),
      ["settings.pgSettings.a [secret] [secret] hidden"],
    ],
    ["a secret map hides its names", pg({ a: 1 }), { settings: "[secret]" }, ["settings null [secret]"]],
    [
      "secrets that the engine shows stay masked",
      {},
      { settings: { pgSettings: { key: shownSecret } } },
      ["settings.pgSettings.key null [secret]"],
    ],
    ["every unknown id says so", size(1), size(1, otherUnknown), ["autoscalingLimitMaxCu 1 [unknown]"]],
    ["unknown says so", {}, { branchId: unknownId }, ["branchId br-a [unknown]"]],
  ])("%s", (...[, old, next, is]) => {
    expect(changesOf(old, next)).toEqual(is);
  });
});

describe("what clients notice", () => {
  const figures = (
    old: unknown,
    next: unknown,
    { maxCu = next, service = "interface" }: { maxCu?: unknown; service?: ServiceName } = {},
  ): readonly unknown[] =>
    computeOn({ old: size(old), new: size(next, maxCu), verdict: { service } }).figures;

  it("follows the smaller limit", () => {
    expect(figures(0.25, 1, { maxCu: 8 })).toEqual([
      { name: "max_connections", from: 112, to: 450, unit: "" },
      { name: "RAM", from: 1, to: 4, unit: "GB" },
      { name: "file cache", from: 0.8, to: 3.2, unit: "GB" },
    ]);
  });

  it.each([
    { reason: "the smaller limit stays", old: 1, next: 1, maxCu: 4 },
    { reason: "the new size is unknown", old: 1, next: unknownId, maxCu: 4 },
    { reason: "the size is a secret", old: "[secret]", next: "[secret]", maxCu: "[secret]" },
  ])("says nothing of connections where $reason", ({ old, next, maxCu }) => {
    expect(figures(old, next, { maxCu })).toEqual([]);
  });

  it("follows the larger limit too where the service does", () => {
    expect(figures(1, 1, { maxCu: 4, service: "neon" })).toEqual([
      { name: "max_connections", from: 419, to: 1678, unit: "" },
    ]);
  });

  it.each([
    { reason: "the service's sizes are not known", service: "unknown" },
    { reason: "the provider names no service", service: undefined },
  ] as const)("shows no figure where $reason", ({ service }) => {
    expect(computeOn({ old: size(1), new: size(2), verdict: { service } }).figures).toEqual([]);
  });

  it("shows no figure of a size that the service does not have", () => {
    expect(figures(1, 16)).toEqual([]);
  });

  it.each([
    { now: "idle", says: "none were open: it was idle when previewed" },
    { now: "active", says: "open connections drop" },
    { now: undefined, says: "open connections drop" },
  ] as const)("is what the service said: $now", ({ now, says }) => {
    // A branch of that name makes no compute idle.
    const next = { branchId: "br-idle-rain-12345678" };
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
