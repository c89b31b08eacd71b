import type { ServiceName } from "../../../../provider/pure/services";
import type { DeclaredArguments, Stored } from "../../../../provider/pure/changes";
import { interruptionOf } from "../../../../provider/pure/verdict";
import { unknownValue } from "../../../../provider/pure/unknown";
import type { ArgumentName } from "../../../../provider/pure/fields";

/** Whole sentences: what is left out of one matters as much as what is in it. */

const one: Stored = {
  projectId: "p",
  branchId: "br-a",
  type: "read_write",
  autoscalingLimitMinCu: 1,
  autoscalingLimitMaxCu: 1,
};

const size = (min: unknown, max: unknown): DeclaredArguments => ({
  autoscalingLimitMinCu: min,
  autoscalingLimitMaxCu: max,
});
const bothLimits = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] as const;
const larger = "; max_connections 450 to 901, RAM 4 to 8 GB, file cache 3.2 to 6.4 GB";
const unstated = "changes, and the interface does not say whether open connections survive";
const goes = "makes a new compute and deletes this one; its host goes away and open connections drop";

interface Row {
  readonly before?: Stored;
  readonly after: DeclaredArguments;
  readonly changed: readonly ArgumentName[];
  readonly secrets?: readonly string[];
  readonly says: string | undefined;
  readonly reason: string;
}

const rows: readonly Row[] = [
  {
    after: size(2, 2),
    changed: bothLimits,
    says: `restart: size 1 → 2 CU drops open connections${larger}`,
    reason: "what clients notice follows the minimum",
  },
  {
    after: size(1, 4),
    changed: ["autoscalingLimitMaxCu"],
    says: "restart: size 1 → 1–4 CU drops open connections",
    reason: "clients notice nothing of the maximum",
  },
  {
    after: { autoscalingLimitMaxCu: 4 },
    changed: ["autoscalingLimitMaxCu"],
    says: "restart: size 1 → 1–4 CU drops open connections",
    reason: "a limit that is not declared stays",
  },
  {
    after: size(unknownValue, 4),
    changed: bothLimits,
    says: "restart: size 1 → ?–4 CU drops open connections",
    reason: "one limit is not known yet",
  },
  {
    before: { autoscalingLimitMinCu: 1 },
    after: size(1, 2),
    changed: ["autoscalingLimitMaxCu"],
    says: "may restart: size 1–2 CU, if it runs at another, drops open connections",
    reason: "nobody has declared the maximum before",
  },
  {
    before: { autoscalingLimitMinCu: 1 },
    after: size(2, 2),
    changed: bothLimits,
    says: `restart: size 1 → 2 CU drops open connections${larger}`,
    reason: "one limit is known to change",
  },
  {
    before: { autoscalingLimitMaxCu: 1 },
    after: size(2, 2),
    changed: bothLimits,
    says: "restart: size 1 → 2 CU drops open connections",
    reason: "the minimum was the service's choice",
  },
  {
    after: size(56, 56),
    changed: bothLimits,
    says: "restart: size 1 → 56 CU drops open connections",
    reason: "nothing is known of the new size",
  },
  {
    before: { autoscalingLimitMinCu: 56, autoscalingLimitMaxCu: 56 },
    after: size(1, 1),
    changed: bothLimits,
    says: "restart: size 56 → 1 CU drops open connections",
    reason: "nothing is known of the old size",
  },
  {
    after: size(2, 2),
    changed: bothLimits,
    secrets: ["autoscalingLimitMinCu"],
    says: "restart: size (secret) drops open connections",
    reason: "what clients notice would tell the minimum",
  },
  {
    after: size(1, 2),
    changed: ["autoscalingLimitMaxCu"],
    secrets: ["autoscalingLimitMaxCu"],
    says: "restart: size (secret) drops open connections",
    reason: "one of two limits is secret",
  },
  {
    before: { ...one, disabled: true },
    after: size(2, 2),
    changed: bothLimits,
    says: undefined,
    reason: "a disabled compute runs nothing",
  },
  {
    before: { ...one, disabled: true },
    after: { ...size(2, 2), projectId: "q" },
    changed: ["projectId", ...bothLimits],
    says: `replace: projectId p → q ${goes}`,
    reason: "the host of a disabled compute can go away",
  },
  {
    after: { ...size(2, 2), projectId: "q" },
    changed: ["projectId", ...bothLimits],
    says: `replace: projectId p → q ${goes}`,
    reason: "a new compute has its size from the start",
  },
  {
    after: { ...size(2, 2), poolerEnabled: true },
    changed: [...bothLimits, "poolerEnabled"],
    says: `restart: size 1 → 2 CU and poolerEnabled true drops open connections${larger}`,
    reason: "one cause is certain",
  },
  {
    after: { ...size(2, 2), branchId: unknownValue },
    changed: ["branchId", ...bothLimits],
    says: `restart: branchId, known only during the update, and size 1 → 2 CU drops open connections${larger}`,
    reason: "the certain one is told, though the other would be heavier",
  },
  {
    after: { ...size(2, 2), suspendTimeoutSeconds: 60 },
    changed: [...bothLimits, "suspendTimeoutSeconds"],
    says: `restart: size 1 → 2 CU drops open connections${larger}`,
    reason: "what drops nothing is not named",
  },
  {
    after: { ...size(2, 2), disabled: false },
    changed: [...bothLimits, "disabled"],
    says: `restart: size 1 → 2 CU drops open connections${larger}`,
    reason: "nor is what enables it",
  },
  {
    before: { ...one, settings: { pgSettings: { work_mem: "4MB", jit: "off" } } },
    after: { settings: { pgSettings: { work_mem: "4MB", jit: "on" } } },
    changed: ["settings"],
    says: `may interrupt: settings.pgSettings (jit) ${unstated}`,
    reason: "the setting that changes, without its value",
  },
  {
    before: { ...one, settings: { pgSettings: { work_mem: "4MB", jit: "off" } } },
    after: { settings: { pgSettings: { work_mem: "4MB" } } },
    changed: ["settings"],
    says: `may interrupt: settings.pgSettings ${unstated}`,
    reason: "one is left out",
  },
  {
    after: { settings: unknownValue },
    changed: ["settings"],
    says: `may interrupt: settings.pgSettings ${unstated}`,
    reason: "none is known yet",
  },
];

describe("a notice", () => {
  it.each(rows)("says $says: $reason", ({ before = one, after, changed, secrets = [], says }) => {
    expect(interruptionOf(before, after, { changed, secrets, service: "interface" })?.text).toBe(says);
  });

  it.each<[ServiceName, DeclaredArguments, DeclaredArguments, string]>([
    [
      "neon",
      size(1, 8),
      size(0.25, 8),
      "size 1–8 → 0.25–8 CU drops open connections; max_connections 3357 to 839, RAM 4 to 1 GB, file cache 3 to 0.75 GB",
    ],
    ["neon", size(1, 1), size(1, 4), "size 1 → 1–4 CU drops open connections; max_connections 419 to 1678"],
    ["neon", size(16, 16), size(56, 56), "size 16 → 56 CU drops open connections; RAM 64 to 224 GB"],
    ["unknown", size(1, 1), size(2, 2), "size 1 → 2 CU drops open connections"],
  ])("has the figures of the service: on %s, %j → %j is %s", (...[service, before, after, says]) => {
    expect(interruptionOf(before, after, { changed: bothLimits, service })?.text).toBe(`restart: ${says}`);
  });

  it("shows no more of a maximum that is secret", () => {
    const secrets = ["autoscalingLimitMaxCu"];
    const told = interruptionOf(size(1, 8), size(2, 8), { changed: bothLimits, secrets, service: "neon" });
    expect(told?.text).toBe(
      "restart: size (secret) drops open connections; RAM 4 to 8 GB, file cache 3 to 6 GB",
    );
  });

  it("shows nothing of a secret limit in the figures that follow from it", () => {
    const told = interruptionOf(one, size(2, 8), {
      changed: bothLimits,
      secrets: ["autoscalingLimitMinCu"],
      service: "interface",
    });
    expect(told?.text).toBe("restart: size (secret) drops open connections");
  });
});
