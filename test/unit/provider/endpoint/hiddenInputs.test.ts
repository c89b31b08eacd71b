import { checkInputs, type CheckFailure } from "../../../../provider/endpoint/planning/inputs";
import { unknownValue } from "../../../../provider/pure/unknown";

const least = { projectId: "calm-river-1", branchId: "br-calm-river-1" };

function failuresOf(more: object, secrets: readonly string[] = []): readonly CheckFailure[] {
  return checkInputs({ ...least, ...more }, { service: "interface", creates: true, secrets }).failures;
}

describe("unknown values", () => {
  it.each([
    { projectId: unknownValue },
    { branchId: unknownValue },
    { type: unknownValue },
    { autoscalingLimitMinCu: unknownValue, autoscalingLimitMaxCu: unknownValue },
    { autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: unknownValue },
    { suspendTimeoutSeconds: unknownValue },
    { poolerEnabled: unknownValue, poolerMode: unknownValue, disabled: unknownValue },
    { settings: unknownValue },
    { settings: { pgSettings: unknownValue } },
    { settings: { pgSettings: { work_mem: unknownValue, jit: true } } },
    { timeouts: { create: unknownValue } },
    { adopt: unknownValue, onInterruption: unknownValue },
  ])("pass, and stay unknown: %j", (more) => {
    const { inputs, failures } = checkInputs({ ...least, ...more }, { service: "interface", creates: true });
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject(more);
  });

  it("hide no failure of another argument", () => {
    expect(failuresOf({ branchId: unknownValue, poolerMode: "x" })).toHaveLength(1);
  });
});

describe("secret values", () => {
  it("never shows the value of a Postgres setting, which may be secret", () => {
    const failures = failuresOf({ settings: { pgSettings: { key: { value: "s3cret" } } } });
    expect(failures).toHaveLength(1);
    expect(JSON.stringify(failures)).not.toContain("s3cret");
  });

  it.each([
    ['poolerMode must be "transaction"', { poolerMode: "session" }, ["poolerMode"]],
    ["settings must be { pgSettings: { … } }", { settings: 5 }, ["settings"]],
    [
      "autoscalingLimitMinCu is (secret), but must not be above autoscalingLimitMaxCu, which is (secret)",
      { autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 },
      ["autoscalingLimitMaxCu"],
    ],
    [
      "autoscalingLimitMaxCu is missing: with a minimum of … CU, declare the maximum too, with fixedSize(…) or autoscaling(…, …)",
      { autoscalingLimitMinCu: 4 },
      ["autoscalingLimitMinCu"],
    ],
    [
      "autoscalingLimitMinCu is 4, but must not be above autoscalingLimitMaxCu, which is 2",
      { autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 },
      ["poolerMode"],
    ],
    ['adopt must be a compute id: it begins with "ep-"', { adopt: "s3cret" }, ["adopt"]],
    ["timeouts.create must be between 1 and 86400 seconds", { timeouts: { create: 98_765 } }, ["timeouts"]],
  ])("is not shown in a failure, and no other is left out: %s", (reason, more, secrets) => {
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
    const { inputs } = checkInputs(declared, { service: "interface", creates: true });
    expect(inputs).toEqual({ ...declared, type: "read_write" });
  });
});
