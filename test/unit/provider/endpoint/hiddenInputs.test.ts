import { checkInputs, type CheckFailure } from "../../../../provider/endpoint/planning/inputs";
import { unknownValue } from "../../../../provider/endpoint/planning/unknown";

const least = { projectId: "calm-river-1", branchId: "br-calm-river-1" };

function failuresOf(more: Readonly<Record<string, unknown>>): readonly CheckFailure[] {
  return checkInputs({ ...least, ...more }, { allowUnlistedSizes: false, creates: true }).failures;
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
    { restartTriggers: unknownValue },
    { restartTriggers: { release: unknownValue } },
    { restartTriggers: { release: [unknownValue] } },
    { timeouts: { create: unknownValue } },
    { adopt: unknownValue, onInterruption: unknownValue },
  ])("pass, and stay unknown: %j", (more) => {
    const { inputs, failures } = checkInputs(
      { ...least, ...more },
      { allowUnlistedSizes: false, creates: true },
    );
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
    { more: { poolerMode: "s3cret" }, secrets: ["poolerMode"] },
    { more: { adopt: "s3cret" }, secrets: ["adopt"] },
    { more: { suspendTimeoutSeconds: 31_337 * 31_337 }, secrets: ["suspendTimeoutSeconds"] },
    { more: { autoscalingLimitMinCu: 9, autoscalingLimitMaxCu: 8 }, secrets: ["autoscalingLimitMinCu"] },
    { more: { autoscalingLimitMinCu: 9 }, secrets: ["autoscalingLimitMinCu"] },
    { more: { timeouts: { create: 98_765 } }, secrets: ["timeouts"] },
  ])("shows nothing of a secret: $more", ({ more, secrets }) => {
    const rules = { allowUnlistedSizes: false, creates: true, secrets };
    const { failures } = checkInputs({ ...least, ...more }, rules);
    expect(failures).toHaveLength(1);
    expect(failures[0]?.reason).not.toMatch(/s3cret|982007569|98765|\b9\b(?!, 10)|\b8\b(?!, 9)/);
  });
});
