import {
  checkInputs,
  type CheckFailure,
  type CheckRules,
} from "../../../../provider/endpoint/planning/inputs";

import { autoscaling, computeSizes, fixedSize } from "../../../../provider/pure/sizes";

const least = { projectId: "calm-river-1", branchId: "br-calm-river-1" };
const sizes = "0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10";
const unlisted = "for Neon, set compute:service to neon, and for a service with other sizes to unknown";

function failuresOf(
  more: Readonly<Record<string, unknown>>,
  rules: Partial<CheckRules> = {},
): readonly CheckFailure[] {
  return checkInputs({ ...least, ...more }, { service: "interface", creates: true, ...rules }).failures;
}

describe("checkInputs", () => {
  it("fills in the type, and leaves out what is not declared", () => {
    const { inputs, failures } = checkInputs(least, { service: "interface", creates: true });
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
      name: "x".repeat(64),
      regionId: "local-1",
      adopt: "ep-calm-river-1",
      onInterruption: "forbid",
      timeouts: { create: 1, update: 86_400, delete: 300 },
    };
    const { inputs, failures } = checkInputs(full, { service: "interface", creates: true });
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
    [{ name: "" }, "name", 'is "", but must be a name of 1 to 64 characters'],
    [{ regionId: "" }, "regionId", 'is "", but must be the id of a region'],
    [{ adopt: "br-calm-1" }, "adopt", 'is "br-calm-1", but must be a compute id: it begins with "ep-"'],
    [
      { onInterruption: "ask" },
      "onInterruption",
      'is "ask", but must be "warn", "forbid", "forbid-when-active" or "defer"',
    ],
    [{ onInterruption: "when-idle" }, "onInterruption", 'is "when-idle", but must be "defer", which waits'],
    [
      { restartTriggers: { release: "v1" } },
      "restartTriggers",
      'is not an argument of Endpoint: a restart is a resource of its own. Write new EndpointRestart("NAME", { projectId, endpointId: app.endpointId, triggers: { … } })',
    ],
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
  ])("passes $more: $reason", ({ more }) => {
    expect(failuresOf(more)).toEqual([]);
  });

  it("asks for the maximum only where a compute is made", () => {
    expect(failuresOf({ autoscalingLimitMinCu: 2 }, { creates: false })).toEqual([]);
  });

  it("refuses no size above 0 of an unknown service, and no range", () => {
    for (const args of [fixedSize(56), fixedSize(0.3), autoscaling(0.25, 50), { autoscalingLimitMinCu: 2 }])
      expect(failuresOf({ ...args }, { service: "unknown" })).toEqual([]);
    expect(failuresOf({ ...fixedSize(0) }, { service: "unknown" }).map(({ reason }) => reason)).toEqual([
      "autoscalingLimitMinCu is 0, but must be above 0 CU",
      "autoscalingLimitMaxCu is 0, but must be above 0 CU",
    ]);
  });

  it("refuses a name that is too long", () => {
    expect(failuresOf({ name: "x".repeat(65) })[0]?.reason).toMatch(
      /but must be a name of 1 to 64 characters$/,
    );
  });

  it("keeps a long value short", () => {
    const [failure] = failuresOf({ poolerMode: "x".repeat(1_000) });
    expect(failure?.reason.length).toBeLessThan(150);
  });
});

describe("checkInputs on Neon", () => {
  const onNeon = (args: object, rules: Partial<CheckRules> = {}): readonly string[] =>
    failuresOf({ ...args }, { service: "neon", ...rules }).map(({ reason }) => reason);
  const maxCu = "autoscalingLimitMaxCu";
  const listed = `${computeSizes("neon")
    .map(({ cu }) => cu)
    .join(", ")} CU; for a size that Neon has added since, set compute:service to unknown`;

  it.each([
    [
      fixedSize(17),
      [
        `autoscalingLimitMinCu is 17, but must be one of ${listed}`,
        `${maxCu} is 17, but must be one of ${listed}`,
      ],
    ],
    [
      autoscaling(0.25, 16),
      [
        `${maxCu} is 16, but on Neon must be at most 8 with a minimum of 0.25 CU: declare autoscaling(0.25, 8) or fixedSize(16)`,
      ],
    ],
    [
      autoscaling(9, 18),
      [
        `${maxCu} is 18, but on Neon must be at most 16 with a minimum of 9 CU: declare autoscaling(9, 16) or fixedSize(18)`,
      ],
    ],
    [
      autoscaling(16, 18),
      [`${maxCu} is 18, but on Neon a compute of 16 CU or more has a fixed size: declare fixedSize(18)`],
    ],
    [
      { autoscalingLimitMaxCu: 9 },
      [
        "autoscalingLimitMinCu is missing: with a maximum of 9 CU, declare the minimum too, with fixedSize(9) or autoscaling(…, 9)",
      ],
    ],
    [
      { ...fixedSize(20), suspendTimeoutSeconds: 600 },
      [
        "suspendTimeoutSeconds is 600, but on Neon a compute above 16 CU never suspends: declare -1, or leave it out",
      ],
    ],
  ])("refuses %j", (args, reasons) => {
    expect(onNeon(args)).toEqual(reasons);
  });

  it.each([
    ["the largest size", fixedSize(56)],
    ["sizes that the interface does not list", autoscaling(11, 16)],
    ["the widest range", autoscaling(8, 16)],
    ["a range that was advised", autoscaling(0.25, 8)],
    ["a size that was advised", fixedSize(18)],
    ["a maximum that fits the smallest minimum", { autoscalingLimitMaxCu: 8 }],
    ["never suspending, as advised", { ...fixedSize(20), suspendTimeoutSeconds: -1 }],
    ["the delay left out, as advised", fixedSize(20)],
    ["a delay of a size that suspends", { ...fixedSize(16), suspendTimeoutSeconds: 600 }],
  ])("takes %s", (_reason, args) => {
    expect(onNeon(args)).toEqual([]);
  });

  it("leaves a stored range alone: ignoreChanges may restore it", () => {
    const args = autoscaling(0.25, 16);
    expect(onNeon(args, { stored: { ...args } })).toEqual([]);
  });

  it.each([autoscaling(0.25, 16), { ...fixedSize(20), suspendTimeoutSeconds: 600 }])(
    "shows no secret size of %j",
    (args) => {
      const [reason] = onNeon(args, { secrets: ["autoscalingLimitMinCu"] });
      expect(reason).toContain("(secret)");
      expect(reason).not.toMatch(/0\.25|16|20/);
    },
  );

  it("takes a size that it refuses where the advice is followed: compute:service unknown", () => {
    expect(onNeon(fixedSize(17), { service: "unknown" })).toEqual([]);
    expect(failuresOf({ ...fixedSize(20) })).toHaveLength(2);
    expect(onNeon(fixedSize(20))).toEqual([]);
  });
});
