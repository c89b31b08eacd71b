import type { DeclaredArguments, Stored } from "../../../../provider/pure/changes";
import { interruptionOf } from "../../../../provider/pure/verdict";
import type { Interruption } from "../../../../provider/pure/interruption";
import { unknownValue } from "../../../../provider/pure/unknown";
import type { ArgumentName } from "../../../../provider/pure/fields";

const one: Stored = {
  autoscalingLimitMinCu: 1,
  autoscalingLimitMaxCu: 1,
  branchId: "br-a",
  type: "read_write",
};

const bothLimits = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"] as const;
const limits = (min: unknown, max: unknown): DeclaredArguments => ({
  autoscalingLimitMinCu: min,
  autoscalingLimitMaxCu: max,
});

describe("the interruption of several changes at once", () => {
  it.each<{
    after: DeclaredArguments;
    changed: readonly ArgumentName[];
    is: Pick<Interruption, "effect" | "certain" | "also">;
    reason: string;
  }>([
    {
      after: { ...limits(2, 2), branchId: "br-b", disabled: true },
      changed: ["branchId", ...bothLimits, "disabled"],
      is: {
        effect: "move",
        certain: true,
        also: [
          { effect: "suspend", certain: true },
          { effect: "restart", certain: true },
        ],
      },
      reason: "each part counts",
    },
    {
      after: { ...limits(2, 2), branchId: unknownValue },
      changed: ["branchId", ...bothLimits],
      is: { effect: "restart", certain: true, also: [{ effect: "move", certain: false }] },
      reason: "the branch is created in the same run",
    },
    {
      after: { ...limits(2, 2), regionId: unknownValue },
      changed: ["regionId", ...bothLimits],
      is: { effect: "restart", certain: true, also: [{ effect: "replace", certain: false }] },
      reason: "the region is not known yet",
    },
    {
      after: { ...limits(2, 2), type: "read_only" },
      changed: ["type", ...bothLimits],
      is: { effect: "replace", certain: true },
      reason: "a new compute has its size from the start",
    },
    {
      after: { ...limits(2, 2), poolerEnabled: true },
      changed: [...bothLimits, "poolerEnabled"],
      is: { effect: "restart", certain: true },
      reason: "what the interface does not say adds nothing",
    },
  ])("says what the other parts do: $reason", ({ after, changed, is }) => {
    const { text, ...judged } = interruptionOf(one, after, { changed }) ?? { text: "" };
    expect(text).not.toBe("");
    expect(judged).toEqual(is);
  });

  it("is certain of no part of what it only guesses", () => {
    const guessed = interruptionOf(
      { ...one, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 },
      { ...limits(1, 1), disabled: true },
      { changed: [...bothLimits, "disabled"], isGuess: true },
    );
    expect(guessed).toMatchObject({
      effect: "suspend",
      certain: false,
      also: [{ effect: "restart", certain: false }],
    });
  });
});
