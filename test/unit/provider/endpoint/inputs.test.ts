import {
  checkInputs,
  type CheckFailure,
  type CheckRules,
} from "../../../../provider/endpoint/planning/inputs";

const least = { projectId: "calm-river-1", branchId: "br-calm-river-1" };
const sizes = "0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10";
const unlisted = "for a size that the service offers beyond them, set compute:allowUnlistedSizes to true";

function failuresOf(
  more: Readonly<Record<string, unknown>>,
  rules: Partial<CheckRules> = {},
): readonly CheckFailure[] {
  return checkInputs({ ...least, ...more }, { allowUnlistedSizes: false, creates: true, ...rules }).failures;
}

describe("checkInputs", () => {
  it("fills in the type, and leaves out what is not declared", () => {
    const { inputs, failures } = checkInputs(least, { allowUnlistedSizes: false, creates: true });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ ...least, type: "read_write" });
  });

  it("passes a full declaration unchanged", () => {
    const full = {
      ...least,
      type: "read_only",
      autoscalingLimitMinCu: 0.25,
      autoscalingLimitMaxCu: 10,
      suspendTimeoutSeconds: -1,
      poolerEnabled: true,
      poolerMode: "transaction",
      disabled: false,
      passwordlessAccess: false,
      settings: { pgSettings: { work_mem: "8MB", jit: false, max_parallel_workers: 2 } },
      regionId: "local-1",
      adopt: "ep-calm-river-1",
      onInterruption: "forbid",
      restartTriggers: { release: { any: ["value"] } },
      timeouts: { create: 1, update: 86_400, delete: 300 },
    };
    const { inputs, failures } = checkInputs(full, { allowUnlistedSizes: false, creates: true });
    expect(failures).toEqual([]);
    expect(inputs).toEqual(full);
  });

  it.each([
    {
      more: { projectId: undefined },
      property: "projectId",
      reason: "is missing: it must be the id of a project",
    },
    {
      more: { projectId: "br-calm-1" },
      property: "projectId",
      reason:
        'is "br-calm-1", but must be the id of a project: letters, digits and dashes, no br- or ep- before it',
    },
    {
      more: { projectId: "a/b" },
      property: "projectId",
      reason: 'is "a/b", but must be the id of a project',
    },
    { more: { projectId: "" }, property: "projectId", reason: 'is "", but must be the id of a project' },
    { more: { projectId: 7 }, property: "projectId", reason: "is 7, but must be the id of a project" },
    {
      more: { branchId: undefined },
      property: "branchId",
      reason: "is missing: it must be the id of a branch",
    },
    {
      more: { branchId: "main" },
      property: "branchId",
      reason: 'is "main", but must be the id of a branch: it begins with "br-"',
    },
    { more: { branchId: "br-" }, property: "branchId", reason: 'is "br-", but must be the id of a branch' },
    {
      more: { branchId: "br-a\nb" },
      property: "branchId",
      reason: 'is "br-a\\nb", but must be the id of a branch',
    },
    {
      more: { type: "replica" },
      property: "type",
      reason: 'is "replica", but must be "read_write" (the primary of its branch) or "read_only" (a replica)',
    },
    {
      more: { autoscalingLimitMaxCu: 0.75 },
      property: "autoscalingLimitMaxCu",
      reason: `is 0.75, but must be one of ${sizes} CU; ${unlisted}`,
    },
    {
      more: { autoscalingLimitMinCu: 16, autoscalingLimitMaxCu: 10 },
      property: "autoscalingLimitMinCu",
      reason: `is 16, but must be one of ${sizes} CU`,
    },
    {
      more: { autoscalingLimitMaxCu: "1" },
      property: "autoscalingLimitMaxCu",
      reason: 'is "1", but must be a number',
    },
    {
      more: { autoscalingLimitMaxCu: 0 },
      property: "autoscalingLimitMaxCu",
      reason: "is 0, but must be one of",
    },
    {
      more: { autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 },
      property: "autoscalingLimitMinCu",
      reason: "is 4, but must not be above autoscalingLimitMaxCu, which is 2",
    },
    {
      more: { autoscalingLimitMinCu: 2 },
      property: "autoscalingLimitMaxCu",
      reason:
        "is missing: with a minimum of 2 CU, declare the maximum too, with fixedSize(2) or autoscaling(2, …)",
    },
    {
      more: { suspendTimeoutSeconds: 59 },
      property: "suspendTimeoutSeconds",
      reason: "is 59, but must be 0 (the",
    },
    {
      more: { suspendTimeoutSeconds: -2 },
      property: "suspendTimeoutSeconds",
      reason: "is -2, but must be 0 (the",
    },
    {
      more: { suspendTimeoutSeconds: 604_801 },
      property: "suspendTimeoutSeconds",
      reason:
        "is 604801, but must be 0 (the service's default of 300 s), -1 (never suspends) or a whole number of seconds from 60 to 604800 (7 days)",
    },
    {
      more: { suspendTimeoutSeconds: 90.5 },
      property: "suspendTimeoutSeconds",
      reason: "is 90.5, but must be",
    },
    {
      more: { suspendTimeoutSeconds: "5m" },
      property: "suspendTimeoutSeconds",
      reason: 'is "5m", but must be a number of seconds',
    },
    {
      more: { poolerEnabled: "yes" },
      property: "poolerEnabled",
      reason: 'is "yes", but must be true or false',
    },
    { more: { disabled: 1 }, property: "disabled", reason: "is 1, but must be true or false" },
    {
      more: { passwordlessAccess: "no" },
      property: "passwordlessAccess",
      reason: 'is "no", but must be true or false',
    },
    {
      more: { poolerMode: "session" },
      property: "poolerMode",
      reason: 'is "session", but must be "transaction"',
    },
    { more: { settings: { work_mem: "8MB" } }, property: "settings.pgSettings", reason: "must be a map" },
    {
      more: { settings: { pgSettings: { work_mem: ["8MB"] } } },
      property: "settings.pgSettings.work_mem",
      reason: "must be a string, a number or a boolean",
    },
    { more: { settings: "fast" }, property: "settings", reason: "must be { pgSettings: { … } }" },
    { more: { regionId: "" }, property: "regionId", reason: 'is "", but must be the id of a region' },
    {
      more: { adopt: "br-calm-1" },
      property: "adopt",
      reason: 'is "br-calm-1", but must be a compute id: it begins with "ep-"',
    },
    {
      more: { onInterruption: "ask" },
      property: "onInterruption",
      reason: 'is "ask", but must be "warn", "forbid", "forbid-when-active", "defer" or "when-idle"',
    },
    {
      more: { restartTriggers: ["v1"] },
      property: "restartTriggers",
      reason: "must be a map: a changed value restarts the compute",
    },
    {
      more: { timeouts: { create: 0 } },
      property: "timeouts.create",
      reason: "is 0, but must be between 1 and 86400 seconds",
    },
    {
      more: { timeouts: { delete: 90_000 } },
      property: "timeouts.delete",
      reason: "is 90000, but must be between",
    },
    {
      more: { timeouts: 60 },
      property: "timeouts",
      reason: "must be { create, update, delete }, each in seconds",
    },
    {
      more: { branch_id: "br-a" },
      property: "branch_id",
      reason: "is not an argument of Endpoint. Write branchId",
    },
    {
      more: { "auto-scaling-limit-min-cu": 1 },
      property: "auto-scaling-limit-min-cu",
      reason: "is not an argument of Endpoint. Write autoscalingLimitMinCu",
    },
    {
      more: { size: 1 },
      property: "size",
      reason: "is not an argument of Endpoint. Its arguments: projectId, type,",
    },
  ])("refuses $more: $property $reason", ({ more, property, reason }) => {
    const failure = failuresOf(more).find((one) => one.property === property);
    expect(failure?.reason).toContain(`${property} ${reason}`);
  });

  it("names every failure at once", () => {
    const failures = failuresOf({
      projectId: "",
      type: "x",
      autoscalingLimitMinCu: 4,
      autoscalingLimitMaxCu: 2,
      poolerMode: "y",
      sise: 1,
    });
    expect(failures.map(({ property }) => property).sort()).toEqual([
      "autoscalingLimitMinCu",
      "poolerMode",
      "projectId",
      "sise",
      "type",
    ]);
  });

  it.each([
    { more: { autoscalingLimitMaxCu: 4 }, reason: "a maximum alone fits every minimum" },
    { more: { autoscalingLimitMinCu: 0.25 }, reason: "the smallest minimum fits every maximum" },
    { more: { suspendTimeoutSeconds: 0 }, reason: "the service's default" },
    { more: { suspendTimeoutSeconds: 60 }, reason: "the shortest" },
    { more: { suspendTimeoutSeconds: 604_800 }, reason: "the longest" },
    { more: { regionId: null, adopt: null }, reason: "null is not declared" },
    { more: { restartTriggers: {} }, reason: "no trigger yet" },
  ])("passes $more: $reason", ({ more }) => {
    expect(failuresOf(more)).toEqual([]);
  });

  it("asks for the maximum only where a compute is made", () => {
    expect(failuresOf({ autoscalingLimitMinCu: 2 }, { creates: false })).toEqual([]);
  });

  it("takes sizes outside the table where the configuration allows it, but none of 0 or less", () => {
    const size = (cu: number): object => ({ autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu });
    expect(failuresOf({ ...size(56) }, { allowUnlistedSizes: true })).toEqual([]);
    expect(failuresOf({ ...size(0) }, { allowUnlistedSizes: true })).toHaveLength(2);
  });

  it("keeps a long value short", () => {
    const [failure] = failuresOf({ poolerMode: "x".repeat(1_000) });
    expect(failure?.reason.length).toBeLessThan(150);
  });
});
