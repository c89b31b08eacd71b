import {
  checkInputs,
  type CheckRules,
  type EndpointInputs,
  knownInputs,
  plannedInputs,
} from "../../../../provider/model/inputs";
import { toUpdateBody } from "../../../../provider/model/state";
import { autoscaling, computeSizes, fixedSize } from "../../../../provider/model/sizes";
import { unknownValue } from "../../../../provider/model/unknown";

const least = { projectId: "calm-river-1", branchId: "br-calm-river-1" };

const checked = (more: object, rules: Partial<CheckRules> = {}) =>
  checkInputs({ ...least, ...more }, { service: "interface", creates: true, ...rules });
const reasonsOf = (more: object, rules: Partial<CheckRules> = {}): readonly string[] =>
  checked(more, rules).failures.map(({ reason }) => reason);

const minCu = "autoscalingLimitMinCu";
const maxCu = "autoscalingLimitMaxCu";
const sizes = "0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 CU";
const limits = (min: unknown, max: unknown): object => ({ [minCu]: min, [maxCu]: max });
const settings = (pgSettings: unknown): object => ({ settings: { pgSettings } });
const isNone = (name: string): string => `${name} is not an argument of Endpoint.`;
const isNotManaged = "This package does not manage it: what the service has for it stays as it is";

describe("checkInputs", () => {
  it.each<[reason: string, declared: object]>([
    ["no argument but the least", {}],
    [
      "all arguments",
      {
        type: "read_only",
        ...limits(0.25, 10),
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
      },
    ],
    ["a maximum alone, which fits every minimum", { [maxCu]: 4 }],
    ["the smallest minimum, which fits every maximum", { [minCu]: 0.25 }],
    ["the service's default", { suspendTimeoutSeconds: 0 }],
    ["the shortest delay", { suspendTimeoutSeconds: 60 }],
    ["the longest delay", { suspendTimeoutSeconds: 604_800 }],
    ["an unknown place", { projectId: unknownValue, branchId: unknownValue, type: unknownValue }],
    ["an unknown size", limits(unknownValue, unknownValue)],
    ["an unknown maximum", limits(4, unknownValue)],
    ["an unknown delay", { suspendTimeoutSeconds: unknownValue }],
    ["unknown switches", { poolerEnabled: unknownValue, poolerMode: unknownValue, disabled: unknownValue }],
    ["unknown settings", { settings: unknownValue }],
    ["an unknown map", settings(unknownValue)],
    ["an unknown setting", settings({ work_mem: unknownValue, jit: true })],
    ["an unknown timeout", { timeouts: { create: unknownValue } }],
    ["what is ours alone, unknown", { adopt: unknownValue, onInterruption: unknownValue }],
  ])("passes %s as it is, and fills in the type", (_reason, declared) => {
    const whole = { ...least, type: "read_write", ...declared };
    expect(checked(declared)).toEqual({ inputs: whole, failures: [] });
  });

  it("takes null for not declared", () => {
    expect(reasonsOf({ regionId: null, adopt: null })).toEqual([]);
  });

  it.each<[says: string, args: object]>([
    ["projectId is missing: it must be the id of a project", { projectId: undefined }],
    [
      'projectId is "br-calm-1", but must be the id of a project: letters, digits and dashes, no br- or ep- before it',
      { projectId: "br-calm-1" },
    ],
    ['projectId is "a/b", but must be the id of a project', { projectId: "a/b" }],
    ['projectId is "", but must be the id of a project', { projectId: "" }],
    ["projectId is 7, but must be the id of a project", { projectId: 7 }],
    ["branchId is missing: it must be the id of a branch", { branchId: undefined }],
    ['branchId is "main", but must be the id of a branch: it begins with "br-"', { branchId: "main" }],
    ['branchId is "br-", but must be the id of a branch', { branchId: "br-" }],
    ['branchId is "br-a\\nb", but must be the id of a branch', { branchId: "br-a\nb" }],
    [
      'type is "replica", but must be "read_write" (the primary of its branch) or "read_only" (a replica)',
      { type: "replica" },
    ],
    [
      `${maxCu} is 0.75, but must be one of ${sizes}; for Neon, set compute:service to neon, and for a service with other sizes to unknown`,
      { [maxCu]: 0.75 },
    ],
    [`${minCu} is 16, but must be one of ${sizes}`, limits(16, 10)],
    [`${maxCu} is "1", but must be a number`, { [maxCu]: "1" }],
    [`${maxCu} is 0, but must be one of`, { [maxCu]: 0 }],
    [`${minCu} is 4, but must not be above ${maxCu}, which is 2`, limits(4, 2)],
    [
      `${maxCu} is missing: with a minimum of 2 CU, declare the maximum too, with fixedSize(2) or autoscaling(2, …)`,
      { [minCu]: 2 },
    ],
    ["suspendTimeoutSeconds is 59, but must be 0 (the", { suspendTimeoutSeconds: 59 }],
    ["suspendTimeoutSeconds is -2, but must be 0 (the", { suspendTimeoutSeconds: -2 }],
    [
      "suspendTimeoutSeconds is 604801, but must be 0 (the service's default of 300 s), -1 (never suspends) or a whole number of seconds from 60 to 604800 (7 days)",
      { suspendTimeoutSeconds: 604_801 },
    ],
    ["suspendTimeoutSeconds is 90.5, but must be", { suspendTimeoutSeconds: 90.5 }],
    ['suspendTimeoutSeconds is "5m", but must be a number of seconds', { suspendTimeoutSeconds: "5m" }],
    ['poolerEnabled is "yes", but must be true or false', { poolerEnabled: "yes" }],
    ["disabled is 1, but must be true or false", { disabled: 1 }],
    ['passwordlessAccess is "no", but must be true or false', { passwordlessAccess: "no" }],
    ['poolerMode is "session", but must be "transaction"', { poolerMode: "session", branchId: unknownValue }],
    ["settings.pgSettings must be a map", { settings: {} }],
    ["settings.pgSettings.work_mem must be a string, a number or a boolean", settings({ work_mem: ["8MB"] })],
    ["settings must be { pgSettings: { … } }", { settings: "fast" }],
    ['name is "", but must be a name of 1 to 64 characters', { name: "" }],
    [`name is "${"x".repeat(57)}`, { name: "x".repeat(65) }],
    ['regionId is "", but must be the id of a region', { regionId: "" }],
    ['adopt is "br-calm-1", but must be a compute id: it begins with "ep-"', { adopt: "br-calm-1" }],
    [
      'onInterruption is "ask", but must be "warn", "forbid", "forbid-when-active" or "defer"',
      { onInterruption: "ask" },
    ],
    ['onInterruption is "when-idle", but must be "defer", which waits', { onInterruption: "when-idle" }],
    ["timeouts.create is 0, but must be between 1 and 86400 seconds", { timeouts: { create: 0 } }],
    ["timeouts.delete is 90000, but must be between", { timeouts: { delete: 90_000 } }],
    ["timeouts must be { create, update, delete }, each in seconds", { timeouts: 60 }],
    ["restartTriggers must be a map of names to values", { restartTriggers: "hunter2" }],
    ["restartTriggers must be a map of names to values", { restartTriggers: ["hunter2"] }],
    [`${isNone("branch_id")} Write branchId`, { branch_id: "br-a" }],
    [`${isNone("auto-scaling-limit-min-cu")} Write ${minCu}`, { "auto-scaling-limit-min-cu": 1 }],
    [`${isNone("size")} Its arguments: projectId, type,`, { size: 1 }],
    [
      `${isNone("settings.work_mem")} Postgres parameters belong into settings.pgSettings`,
      { settings: { work_mem: "8MB", pgSettings: {} } },
    ],
    ...["preloadLibraries", "preload_libraries", "pgbouncerSettings", "pgbouncer_settings"].map(
      (name): [string, object] => [
        `${isNone(`settings.${name}`)} ${isNotManaged}`,
        { settings: { [name]: {} } },
      ],
    ),
    [`${isNone("settings.pgSetings")} Write settings.pgSettings`, { settings: { pgSetings: {} } }],
    [`${isNone("timeouts.updat")} Write timeouts.update`, { timeouts: { updat: 5 } }],
    [
      `${isNone("timeouts.read")} Its arguments: timeouts.create, timeouts.update, timeouts.delete`,
      { timeouts: { read: 5 } },
    ],
  ])("refuses with: %s", (says, args) => {
    const failure = checked(args).failures.find(({ property }) => property === says.split(" ")[0]);
    expect(failure?.reason).toContain(says);
  });

  it("names every failure at once, keeps a long value short, and what was declared as it is", () => {
    const wrong = { projectId: "", type: "x", ...limits(4, 2), poolerMode: "y".repeat(1_000), sise: 1 };
    const { inputs, failures } = checked(wrong);
    const named = failures.map(({ property }) => property);
    expect(named.sort()).toEqual([minCu, "poolerMode", "projectId", "sise", "type"]);
    expect(Math.max(...failures.map(({ reason }) => reason.length))).toBeLessThan(300);
    expect(inputs).toMatchObject({ ...limits(4, 2), poolerMode: wrong.poolerMode });
  });

  it("says nothing of two sizes to each other where one of them is none", () => {
    expect(reasonsOf(limits(16, 10))).toHaveLength(1);
  });

  it("leaves a stored size alone that is in no table: ignoreChanges may restore it", () => {
    expect(reasonsOf(fixedSize(3.5), { stored: { ...fixedSize(3.5) } })).toEqual([]);
    expect(reasonsOf(fixedSize(3.5), { stored: { ...fixedSize(1) } })).toHaveLength(1);
  });

  it("asks for the maximum only where a compute is made", () => {
    expect(reasonsOf({ [minCu]: 2 }, { creates: false })).toEqual([]);
  });

  it("refuses no size above 0 of an unknown service, and no range", () => {
    for (const args of [fixedSize(56), fixedSize(0.3), autoscaling(0.25, 50), { [minCu]: 2 }])
      expect(reasonsOf(args, { service: "unknown" })).toEqual([]);
    expect(reasonsOf(autoscaling(0, -1), { service: "unknown" })).toEqual([
      `${minCu} is 0, but must be above 0 CU`,
      `${maxCu} is -1, but must be above 0 CU`,
    ]);
  });

  it.each<[reason: string, args: object, secrets: readonly string[]]>([
    ['poolerMode must be "transaction"', { poolerMode: "session" }, ["poolerMode"]],
    ["settings must be { pgSettings: { … } }", { settings: 5 }, ["settings"]],
    ["settings.pgSettings.key must be a string, a number or a boolean", settings({ key: ["s3cret"] }), []],
    [`${minCu} is (secret), but must not be above ${maxCu}, which is (secret)`, limits(4, 2), [maxCu]],
    [
      `${maxCu} is missing: with a minimum of … CU, declare the maximum too, with fixedSize(…) or autoscaling(…, …)`,
      { [minCu]: 4 },
      [minCu],
    ],
    [`${minCu} is 4, but must not be above ${maxCu}, which is 2`, limits(4, 2), ["poolerMode"]],
    ['adopt must be a compute id: it begins with "ep-"', { adopt: "s3cret" }, ["adopt"]],
    ["timeouts.create must be between 1 and 86400 seconds", { timeouts: { create: 98_765 } }, ["timeouts"]],
  ])("shows no secret value, and leaves out no other: %s", (...[reason, args, secrets]) => {
    expect(reasonsOf(args, { secrets })).toEqual([reason]);
  });
});

describe("a declaration whose values may not be known yet", () => {
  const declared = { ...least, type: "read_write", [maxCu]: 2 };

  it("cannot be sent", () => {
    const planned = plannedInputs({ ...declared, branchId: unknownValue });
    // @ts-expect-error -- whoever sends one has to ask for the known ones first.
    const sent: EndpointInputs = planned;
    expect(toUpdateBody(sent, [maxCu])).toEqual({ autoscaling_limit_max_cu: 2 });
  });

  it.each([
    { args: { ...declared, branchId: unknownValue }, name: "branchId" },
    { args: { ...declared, ...settings({ a: unknownValue }) }, name: "settings" },
  ])("is refused where it is to be sent, by the name of $name", ({ args, name }) => {
    expect(() => knownInputs(plannedInputs(args))).toThrow(`${name} is not known yet`);
    expect(knownInputs(plannedInputs(declared))).toEqual(declared);
  });
});

/** Which sizes pass, for every pair of them, is in sizesTaken. */
describe("checkInputs on Neon", () => {
  const onNeon = (args: object, rules: Partial<CheckRules> = {}): readonly string[] =>
    reasonsOf(args, { service: "neon", ...rules });
  const listed = computeSizes("neon").map(({ cu }) => cu);
  const oneOf = `but must be one of ${listed.join(", ")} CU; for a size that Neon has added since, set compute:service to unknown`;
  const tooLong = { ...fixedSize(20), suspendTimeoutSeconds: 600 };

  it.each<[says: readonly string[], args: object]>([
    [[`${minCu} and ${maxCu} are 17, ${oneOf}`], fixedSize(17)],
    [
      [
        `${maxCu} is 16, but on Neon must be at most 8 with a minimum of 0.25 CU: declare autoscaling(0.25, 8) or fixedSize(16)`,
      ],
      autoscaling(0.25, 16),
    ],
    [
      [
        `${maxCu} is 18, but on Neon must be at most 16 with a minimum of 9 CU: declare autoscaling(9, 16) or fixedSize(18)`,
      ],
      autoscaling(9, 18),
    ],
    [
      [`${maxCu} is 18, but on Neon a compute of 16 CU or more has a fixed size: declare fixedSize(18)`],
      autoscaling(16, 18),
    ],
    [
      [
        `${minCu} is missing: with a maximum of 9 CU, declare the minimum too, with fixedSize(9) or autoscaling(…, 9)`,
      ],
      { [maxCu]: 9 },
    ],
    [
      [
        "suspendTimeoutSeconds is 600, but on Neon a compute above 16 CU never suspends: declare -1, or leave it out",
      ],
      tooLong,
    ],
    [[], { [maxCu]: 8 }],
  ])("refuses with %j: %j", (reasons, args) => {
    expect(onNeon(args)).toEqual(reasons);
  });

  it("leaves a stored range alone: ignoreChanges may restore it", () => {
    const args = autoscaling(0.25, 16);
    expect(onNeon(args, { stored: { ...args } })).toEqual([]);
  });

  it.each([autoscaling(0.25, 16), tooLong])("shows no secret size of %j", (args) => {
    const [reason] = onNeon(args, { secrets: [minCu] });
    expect(reason).toContain("(secret)");
    expect(reason).not.toMatch(/0\.25|16|20/);
  });
});
