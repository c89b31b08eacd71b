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
    [{ projectId: undefined }, "projectId", "is missing: it must be the id of a project"],
    [
      { projectId: "br-calm-1" },
      "projectId",
      'is "br-calm-1", but must be the id of a project: letters, digits and dashes, no br- or ep- before it',
    ],
    [{ projectId: "a/b" }, "projectId", 'is "a/b", but must be the id of a project'],
    [{ projectId: "" }, "projectId", 'is "", but must be the id of a project'],
    [{ projectId: 7 }, "projectId", "is 7, but must be the id of a project"],
    [{ branchId: undefined }, "branchId", "is missing: it must be the id of a branch"],
    [{ branchId: "main" }, "branchId", 'is "main", but must be the id of a branch: it begins with "br-"'],
    [{ branchId: "br-" }, "branchId", 'is "br-", but must be the id of a branch'],
    [{ branchId: "br-a\nb" }, "branchId", 'is "br-a\\nb", but must be the id of a branch'],
    [
      { type: "replica" },
      "type",
      'is "replica", but must be "read_write" (the primary of its branch) or "read_only" (a replica)',
    ],
    [
      { autoscalingLimitMaxCu: 0.75 },
      "autoscalingLimitMaxCu",
      `is 0.75, but must be one of ${sizes} CU; ${unlisted}`,
    ],
    [
      { autoscalingLimitMinCu: 16, autoscalingLimitMaxCu: 10 },
      "autoscalingLimitMinCu",
      `is 16, but must be one of ${sizes} CU`,
    ],
    [{ autoscalingLimitMaxCu: "1" }, "autoscalingLimitMaxCu", 'is "1", but must be a number'],
    [{ autoscalingLimitMaxCu: 0 }, "autoscalingLimitMaxCu", "is 0, but must be one of"],
    [
      { autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 },
      "autoscalingLimitMinCu",
      "is 4, but must not be above autoscalingLimitMaxCu, which is 2",
    ],
    [
      { autoscalingLimitMinCu: 2 },
      "autoscalingLimitMaxCu",
      "is missing: with a minimum of 2 CU, declare the maximum too, with fixedSize(2) or autoscaling(2, …)",
    ],
    [{ suspendTimeoutSeconds: 59 }, "suspendTimeoutSeconds", "is 59, but must be 0 (the"],
    [{ suspendTimeoutSeconds: -2 }, "suspendTimeoutSeconds", "is -2, but must be 0 (the"],
    [
      { suspendTimeoutSeconds: 604_801 },
      "suspendTimeoutSeconds",
      "is 604801, but must be 0 (the service's default of 300 s), -1 (never suspends) or a whole number of seconds from 60 to 604800 (7 days)",
    ],
    [{ suspendTimeoutSeconds: 90.5 }, "suspendTimeoutSeconds", "is 90.5, but must be"],
    [{ suspendTimeoutSeconds: "5m" }, "suspendTimeoutSeconds", 'is "5m", but must be a number of seconds'],
    [{ poolerEnabled: "yes" }, "poolerEnabled", 'is "yes", but must be true or false'],
    [{ disabled: 1 }, "disabled", "is 1, but must be true or false"],
    [{ passwordlessAccess: "no" }, "passwordlessAccess", 'is "no", but must be true or false'],
    [{ poolerMode: "session" }, "poolerMode", 'is "session", but must be "transaction"'],
    [{ settings: { work_mem: "8MB" } }, "settings.pgSettings", "must be a map"],
    [
      { settings: { pgSettings: { work_mem: ["8MB"] } } },
      "settings.pgSettings.work_mem",
      "must be a string, a number or a boolean",
    ],
    [{ settings: "fast" }, "settings", "must be { pgSettings: { … } }"],
    [{ regionId: "" }, "regionId", 'is "", but must be the id of a region'],
    [{ adopt: "br-calm-1" }, "adopt", 'is "br-calm-1", but must be a compute id: it begins with "ep-"'],
    [
      { onInterruption: "ask" },
      "onInterruption",
      'is "ask", but must be "warn", "forbid", "forbid-when-active", "defer" or "when-idle"',
    ],
    [{ restartTriggers: ["v1"] }, "restartTriggers", "must be a map: a changed value restarts the compute"],
    [{ timeouts: { create: 0 } }, "timeouts.create", "is 0, but must be between 1 and 86400 seconds"],
    [{ timeouts: { delete: 90_000 } }, "timeouts.delete", "is 90000, but must be between"],
    [{ timeouts: 60 }, "timeouts", "must be { create, update, delete }, each in seconds"],
    [{ branch_id: "br-a" }, "branch_id", "is not an argument of Endpoint. Write branchId"],
    [
      { "auto-scaling-limit-min-cu": 1 },
      "auto-scaling-limit-min-cu",
      "is not an argument of Endpoint. Write autoscalingLimitMinCu",
    ],
    [{ size: 1 }, "size", "is not an argument of Endpoint. Its arguments: projectId, type,"],
  ])("refuses %j: %s %s", (more, property, reason) => {
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
