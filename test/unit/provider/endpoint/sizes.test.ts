import {
  checkInputs,
  type CheckFailure,
  type CheckRules,
} from "../../../../provider/endpoint/planning/inputs";
import { unknownValue } from "../../../../provider/endpoint/planning/unknown";
import { interfaceSizes } from "../../../../provider/sizes";
import { sizeTableFrom } from "../../../../provider/settings/sizeTables";

const least = { projectId: "calm-river-1", branchId: "br-calm-river-1" };
const unlisted =
  "for a size that the service offers beyond them, set compute:sizeTable to a table that has it, or compute:allowUnlistedSizes to true";

function failuresOf(
  more: Readonly<Record<string, unknown>>,
  rules: Partial<CheckRules>,
): readonly CheckFailure[] {
  return checkInputs({ ...least, ...more }, { allowUnlistedSizes: false, creates: true, ...rules }).failures;
}

describe("the table of sizes", () => {
  const table = (source: string): typeof interfaceSizes => {
    const read = sizeTableFrom(source);
    return "sizes" in read ? read : interfaceSizes;
  };
  const neon = table("neon");
  const own = table('[{"cu":2},{"cu":3}]');
  const limits = (min: unknown, max = min): Record<string, unknown> => ({
    autoscalingLimitMinCu: min,
    autoscalingLimitMaxCu: max,
  });

  it.each([
    { sizeTable: neon, more: limits(56) },
    { sizeTable: neon, more: limits(8, 16) },
    { sizeTable: own, more: limits(3) },
    {
      sizeTable: own,
      more: { autoscalingLimitMinCu: 2 },
      reason: "the smallest of the table fits every maximum",
    },
    { sizeTable: own, more: limits(1), allowUnlistedSizes: true },
    { sizeTable: neon, more: limits(8, 20), allowUnlistedSizes: true },
    { sizeTable: neon, more: limits(unknownValue, 20), reason: "the minimum may be the same" },
    { sizeTable: neon, more: limits(8, unknownValue), reason: "the maximum is not known yet" },
    { sizeTable: neon, more: limits(9, 20), stored: limits(8, 20), reason: "the maximum stays as it is" },
  ])("accepts $more by $sizeTable.source", ({ more, ...rules }) => {
    expect(failuresOf(more, rules)).toEqual([]);
  });

  it.each([
    {
      sizeTable: interfaceSizes,
      more: limits(16),
      is: `autoscalingLimitMinCu is 16, but must be one of 0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 CU; ${unlisted}`,
    },
    {
      sizeTable: own,
      more: limits(1),
      is: `autoscalingLimitMinCu is 1, but must be one of 2, 3 CU; ${unlisted}`,
    },
    {
      sizeTable: neon,
      more: limits(8, 20),
      is: "autoscalingLimitMaxCu is 20, but autoscaling goes to 16 CU: declare a larger compute with fixedSize",
    },
    {
      sizeTable: neon,
      more: limits(8, 20),
      secrets: ["autoscalingLimitMaxCu"],
      is: "autoscalingLimitMaxCu is (secret), but autoscaling goes to 16 CU: declare a larger compute with fixedSize",
    },
  ])("refuses $more by $sizeTable.source: $is", ({ more, is, ...rules }) => {
    expect(failuresOf(more, rules)[0]?.reason).toBe(is);
  });
});
