import type { Arguments } from "../../../../provider/model/changes";
import { changeOf } from "../../../../provider/model/interruption";
import { autoscaling as size, fixedSize } from "../../../../provider/model/sizes";
import { unknownValue } from "../../../../provider/model/unknown";

const one: Arguments = { projectId: "p", branchId: "br-a", type: "read_write", ...fixedSize(1) };

const unknown = unknownValue as unknown as number;
const restart = (text: string, figures = ""): string =>
  `restart: size ${text} drops open connections${figures}`;
const larger = "; max_connections 450 to 901, RAM 4 to 8 GB, file cache 3.2 to 6.4 GB";
const unstated = "changes, and the interface does not say whether open connections survive";
const goes = "makes a new compute and deletes this one; its host goes away and open connections drop";
const withJit = {
  ...one,
  settings: { pgSettings: { work_mem: "4MB", jit: "off" } },
  managed: ["settings.pgSettings.work_mem", "settings.pgSettings.jit"],
};
const off = { ...one, disabled: true };

/** Whole sentences: what is left out of one matters as much as what is in it. */
describe("a notice", () => {
  it.each<[says: string | undefined, reason: string, after: Arguments, before?: Arguments]>([
    [restart("1 → 2 CU", larger), "what clients notice follows the minimum", fixedSize(2)],
    [restart("1 → 1–4 CU"), "clients notice nothing of the maximum", size(1, 4)],
    [restart("1 → 1–4 CU"), "a limit that is not declared stays", { autoscalingLimitMaxCu: 4 }],
    [restart("1 → ?–4 CU"), "one limit is not known yet", size(unknown, 4)],
    [
      "may restart: size, known only during the update, drops open connections",
      "none is known yet",
      size(unknown, unknown),
    ],
    [
      "may restart: size 1–2 CU, if it runs at another, drops open connections",
      "nobody has declared the maximum before",
      size(1, 2),
      { autoscalingLimitMinCu: 1 },
    ],
    [restart("1 → 2 CU", larger), "one limit is known to change", fixedSize(2), { autoscalingLimitMinCu: 1 }],
    [restart("1 → 2 CU"), "the minimum was the service's choice", fixedSize(2), { autoscalingLimitMaxCu: 1 }],
    [restart("1 → 56 CU"), "nothing is known of the new size", fixedSize(56)],
    [undefined, "a disabled compute runs nothing", fixedSize(2), off],
    [`replace: projectId p → q ${goes}`, "a disabled one can go away", { projectId: "q" }, off],
    [
      `replace: projectId p → q ${goes}`,
      "a new compute has its size from the start",
      { ...fixedSize(2), projectId: "q" },
    ],
    [`replace: type read_write → read_only ${goes}`, "another type", { type: "read_only" }],
    [
      `restart: size 1 → 2 CU and poolerEnabled true drops open connections${larger}`,
      "one cause is certain",
      { ...fixedSize(2), poolerEnabled: true },
    ],
    [
      `restart: branchId, known only during the update, and size 1 → 2 CU drops open connections${larger}`,
      "the certain one is told, though the other would be heavier",
      { ...fixedSize(2), branchId: unknownValue },
    ],
    [
      `move: branchId br-a → br-b and size 1 → 2 CU drops open connections${larger}`,
      "two causes, the heavier one first",
      { ...fixedSize(2), branchId: "br-b" },
    ],
    [
      restart("1 → 2 CU", larger),
      "what drops nothing is not named, nor what enables it",
      { ...fixedSize(2), suspendTimeoutSeconds: 60, disabled: false },
    ],
    ["suspend: disabling it drops open connections", "disabling", { disabled: true }],
    [
      "may suspend: disabled, known only during the update, drops open connections",
      "whether it is disabled is not known yet",
      { disabled: unknownValue },
    ],
    [undefined, "enabling drops nothing", { disabled: false }, off],
    [
      `may interrupt: settings.pgSettings (jit) ${unstated}`,
      "the setting that changes, without its value",
      { settings: { pgSettings: { work_mem: "4MB", jit: "on" } } },
      withJit,
    ],
    [
      `may interrupt: settings.pgSettings ${unstated}`,
      "one is left out",
      { settings: { pgSettings: { work_mem: "4MB" } } },
      withJit,
    ],
    [`may interrupt: settings.pgSettings ${unstated}`, "none is known yet", { settings: unknownValue }],
    [`may interrupt: poolerEnabled true ${unstated}`, "the pooler", { poolerEnabled: true }],
    [undefined, "nothing changes", {}],
  ])("says %s: %s", (...[says, , after, before = one]) => {
    expect(changeOf(before, after, { service: "interface" }).interruption?.text).toBe(says);
  });

  const limits = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"];
  it.each<[says: string, reason: string, after: Arguments, secrets: readonly string[]]>([
    [restart("(secret)"), "what clients notice would tell the minimum", size(2, 8), limits.slice(0, 1)],
    [
      restart("(secret)", "; RAM 4 to 8 GB, file cache 3 to 6 GB"),
      "the connections of Neon would tell the maximum",
      size(2, 8),
      limits.slice(1),
    ],
    [restart("(secret)"), "one of two limits is secret", size(1, 2), limits.slice(1)],
    ["move: branchId (secret) drops open connections", "a move", { branchId: "br-s3cret" }, ["branchId"]],
    [`replace: regionId (secret) ${goes}`, "a region", { regionId: "s3cret" }, ["regionId"]],
  ])("says no more than %s of what is secret: %s", (...[says, , after, secrets]) => {
    const before = {
      ...one,
      autoscalingLimitMaxCu: after.autoscalingLimitMaxCu === 8 ? 8 : 1,
      regionId: "x",
    };
    expect(changeOf(before, after, { secrets, service: "neon" }).interruption?.text).toBe(says);
  });
});
