import type { ServiceName } from "../../../provider/model/services";
import { computeOn, size, unknownId } from "./previews";

const pg = (pgSettings: object): object => ({ settings: { pgSettings } });
const shownSecret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "x" };
const otherUnknown = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";

it.each<[reason: string, old: object, next: object, is?: string]>([
  ["an argument left out is unmanaged", { poolerEnabled: true }, {}],
  ["ours goes back to its default", { timeouts: { update: 9 } }, {}, "timeouts.update 9 null"],
  ["0 is the default of 300 s", { suspendTimeoutSeconds: 0 }, { suspendTimeoutSeconds: 300 }],
  ["settings are answered as text", pg({ a: "8" }), pg({ a: 8 })],
  ["a setting is removed", pg({ a: 1, b: 2 }), pg({ a: 1 }), "settings.pgSettings.b 2 null"],
  [
    "a secret may have changed",
    pg({ a: "[secret]" }),
    pg({ a: "[secret]" }),
    "settings.pgSettings.a [secret] [secret] hidden",
  ],
  ["a secret map hides its names", pg({ a: 1 }), { settings: "[secret]" }, "settings null [secret]"],
  ["shown secrets stay masked", {}, pg({ key: shownSecret }), "settings.pgSettings.key null [secret]"],
  ["every unknown id says so", size(1), size(1, otherUnknown), "autoscalingLimitMaxCu 1 [unknown]"],
  ["unknown says so", {}, { branchId: unknownId }, "branchId br-a [unknown]"],
])("what changes: %s", (...[, old, next, is]) => {
  const changes = computeOn({ old: { ...old }, new: { ...next } }).changes.map(
    ({ argument, from, to, hidden }) => `${argument} ${String(from)} ${String(to)}${hidden ? " hidden" : ""}`,
  );
  expect(changes).toEqual(is === undefined ? [] : [is]);
});

describe("the figures that clients notice", () => {
  it.each<
    [
      reason: string,
      sizes: [from: unknown, to: unknown, most?: unknown],
      is?: string | undefined,
      of?: ServiceName | null,
    ]
  >([
    ["follow the smaller limit", [0.25, 1, 8], "max_connections 112 450 , RAM 1 4 GB, file cache 0.8 3.2 GB"],
    ["are none where the smaller limit stays", [1, 1, 4]],
    ["are none where the new size is unknown", [1, unknownId, 4]],
    ["are none where the size is a secret", ["[secret]", "[secret]"]],
    ["follow the larger limit too where the service does", [1, 1, 4], "max_connections 419 1678 ", "neon"],
    ["are none where the service's sizes are not known", [1, 2], undefined, "unknown"],
    ["are none where the provider names no service", [1, 2], undefined, null],
    ["are none of a size that the service does not have", [1, 16]],
  ])("%s", (...[, [from, to, most = to], is = "", service = "interface"]) => {
    const verdict = { service: service ?? undefined };
    const { figures } = computeOn({ old: size(from), new: size(to, most), verdict });
    expect(figures.map((one) => `${one.name} ${one.from} ${one.to} ${one.unit}`).join(", ")).toBe(is);
  });
});

it.each([
  ["idle", "none were open: it was idle when previewed"],
  ["active", "open connections drop"],
  [undefined, "open connections drop"],
] as const)("what clients notice is what the service said: %s", (now, says) => {
  // A branch of that name makes no compute idle.
  const next = { branchId: "br-idle-rain-12345678" };
  const interruption = "move: branchId br-a → br-idle-rain-12345678 drops open connections; nothing to drop";
  const told = computeOn({ new: { ...next, interruption }, verdict: { effect: "move", now } });
  expect(told).toMatchObject({ outcome: "move", now: now ?? null, notice: interruption });
  expect(told.clients[0]?.text).toBe(says);
});
