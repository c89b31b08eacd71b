import type { Interruption, Now } from "../../../../provider/pure/interruption";
import { forcedReplacement, interruptionOf, rowText } from "../../../../provider/pure/verdict";
import { fixedSize } from "../../../../provider/pure/sizes";

const one = { ...fixedSize(1), branchId: "br-a", type: "read_write" };
const bothLimits = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] as const;

const textOf = (told: Interruption, now: Now): string => rowText({ property: "interruption", ...told, now });

describe("the text of a row", () => {
  it("adds what the service says now", () => {
    const now = { running: "idle" } as const;
    const told = interruptionOf(one, fixedSize(2), { changed: bothLimits, now, service: "interface" })!;
    expect(textOf(told, now)).toMatch(/drops open connections \(idle now: none is open\); max_connections/);
    expect(told.text).toMatch(/drops open connections; max_connections/);
  });

  const active = { running: "active", lastAccess: "5 min ago" } as const;

  it.each([
    [
      "the pooler is on",
      interruptionOf({ ...one, poolerEnabled: true }, fixedSize(2), {
        changed: bothLimits,
        service: "interface",
      }),
      / drops open connections, pooled ones too \(active now, last access 5 min ago\); max_connections /,
    ],
    [
      "the effect is unstated",
      interruptionOf({}, { settings: {} }, { changed: ["settings"] }),
      / whether open connections survive \(active now, last access 5 min ago\)$/,
    ],
    [
      "it is replaced",
      forcedReplacement,
      /; its host goes away and open connections drop \(active now, last access 5 min ago\)$/,
    ],
  ])("adds it to the connections where %s", (_reason, told, says) => {
    expect(textOf(told!, active)).toMatch(says);
    expect(textOf(told!, { running: undefined })).toBe(told!.text);
  });
});
