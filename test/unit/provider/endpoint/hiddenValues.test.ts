import { checkInputs, type CheckFailure } from "../../../../provider/endpoint/planning/inputs";
import { unknownValue } from "../../../../provider/endpoint/planning/unknown";

const least = { projectId: "calm-river-1", branchId: "br-calm-river-1" };

function failuresOf(more: object, secrets: readonly string[] = []): readonly CheckFailure[] {
  return checkInputs({ ...least, ...more }, { allowUnlistedSizes: false, creates: true, secrets }).failures;
}

describe("a secret value", () => {
  it.each([
    {
      more: { poolerMode: "session" },
      secrets: ["poolerMode"],
      reason: 'poolerMode must be "transaction"',
    },
    {
      more: { settings: 5 },
      secrets: ["settings"],
      reason: "settings must be { pgSettings: { … } }",
    },
    {
      more: { autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 },
      secrets: ["autoscalingLimitMaxCu"],
      reason:
        "autoscalingLimitMinCu is (secret), but must not be above autoscalingLimitMaxCu, which is (secret)",
    },
    {
      more: { autoscalingLimitMinCu: 4 },
      secrets: ["autoscalingLimitMinCu"],
      reason:
        "autoscalingLimitMaxCu is missing: with a minimum of … CU, declare the maximum too, with fixedSize(…) or autoscaling(…, …)",
    },
    {
      more: { autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 },
      secrets: ["poolerMode"],
      reason: "autoscalingLimitMinCu is 4, but must not be above autoscalingLimitMaxCu, which is 2",
    },
  ])("is not shown in a failure, and no other is left out: $reason", ({ more, secrets, reason }) => {
    expect(failuresOf(more, secrets).map((failure) => failure.reason)).toEqual([reason]);
  });
});

describe("a declaration with failures", () => {
  it("says nothing of two sizes to each other where one of them is none", () => {
    const failures = failuresOf({ autoscalingLimitMinCu: 16, autoscalingLimitMaxCu: 10 });
    expect(failures.map(({ property }) => property)).toEqual(["autoscalingLimitMinCu"]);
  });

  it("keeps what was declared, with the default type", () => {
    const declared = { ...least, poolerMode: "session" };
    const { inputs } = checkInputs(declared, { allowUnlistedSizes: false, creates: true });
    expect(inputs).toEqual({ ...declared, type: "read_write" });
  });
});

describe("a value that is not known yet", () => {
  it.each([
    { restartTriggers: { a: ["x", { b: unknownValue }] }, reason: "deep in a list" },
    { restartTriggers: { a: [null, { b: unknownValue }] }, reason: "beside a null" },
    { restartTriggers: { a: { b: { c: unknownValue } } }, reason: "deep in a map" },
  ])("keeps its argument as it came: $reason", ({ restartTriggers }) => {
    const declared = { ...least, type: "read_write", restartTriggers };
    const { inputs, failures } = checkInputs(declared, { allowUnlistedSizes: false, creates: true });
    expect(failures).toEqual([]);
    expect(inputs).toEqual(declared);
  });
});
