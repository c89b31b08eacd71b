import { readFileSync } from "node:fs";
import { checkInputs, knownInputs, plannedInputs } from "../../../../provider/model/inputs";
import type { CheckRules, EndpointInputs } from "../../../../provider/model/inputs";
import { autoscaling, computeSizes, fixedSize } from "../../../../provider/model/sizes";
import { toUpdateBody } from "../../../../provider/model/state";
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
const delay = (suspendTimeoutSeconds: unknown): object => ({ suspendTimeoutSeconds });
const settings = (pgSettings: unknown): object => ({ settings: { pgSettings } });
const isNone = (name: string): string => `${name} is not an argument of Endpoint.`;
const [placeUnknown, ownUnknown] = [
  { projectId: unknownValue, branchId: unknownValue, type: unknownValue, ...delay(unknownValue) },
  { adopt: unknownValue, onInterruption: unknownValue, timeouts: { create: unknownValue } },
];
const all = {
  ...{ type: "read_only", ...limits(0.25, 10), ...delay(-1), name: "x".repeat(64), regionId: "local-1" },
  ...{ poolerEnabled: true, poolerMode: "transaction", disabled: false, passwordlessAccess: false },
  ...settings({ work_mem: "8MB", jit: false, max_parallel_workers: 2 }),
  ...{ adopt: "ep-a-1", onInterruption: "forbid", timeouts: { create: 1, update: 86_400, delete: 300 } },
  restartTriggers: { images: ["v1", null, { tag: "v2" }] },
};

it.each<[reason: string, declared: object]>([
  ["only the required arguments", {}],
  ["all arguments", all],
  ["only a maximum, which fits every minimum", { [maxCu]: 4 }],
  ["the smallest minimum, which fits every maximum", { [minCu]: 0.25 }],
  ["the service's default delay", delay(0)],
  ["the shortest delay", delay(60)],
  ["an unknown place and delay", placeUnknown],
  ["unknown arguments that are never sent", ownUnknown],
  ["an unknown size", limits(unknownValue, unknownValue)],
  ["an unknown maximum", limits(4, unknownValue)],
  ["unknown switches", { poolerEnabled: unknownValue, poolerMode: unknownValue, disabled: unknownValue }],
  ["unknown settings", { settings: unknownValue }],
  ["an unknown setting", settings({ work_mem: unknownValue, jit: true })],
])("a check passes the declaration unchanged, and fills in the type: %s", (_reason, declared) => {
  expect(checked(declared)).toEqual({ inputs: { ...least, type: "read_write", ...declared }, failures: [] });
});

const [asText, asPythonText] = ["[toString] on an [Output<T>]", "__str__ on an Output[T]"].map(
  (call) => `Calling ${call} is not supported.\n\nTo get the value of an …`,
);
const isText =
  "is an output that was turned into a string. Pass the output itself, or build the string with pulumi.interpolate (in Python:";
const oneLevel = (inside: string): string => `Write settings: { pgSettings: { ${inside} } }`;

it.each<[says: string, args: object]>([
  ["projectId is missing: it must be the id of a project", { projectId: undefined }],
  ['projectId is "br-a", but must be the id of a project: letters, digits and dashes', { projectId: "br-a" }],
  ['projectId is "a/b", but must be the id of a project', { projectId: "a/b" }],
  ["projectId is 7, but must be the id of a project", { projectId: 7 }],
  ["branchId is missing: it must be the id of a branch", { branchId: undefined }],
  ['branchId is "main", but must be the id of a branch, which begins with "br-"', { branchId: "main" }],
  ['branchId is "br-a\\nb", but must be the id of a branch', { branchId: "br-a\nb" }],
  [
    'type is "replica", but must be "read_write" (the primary of its branch) or "read_only"',
    { type: "replica" },
  ],
  [`${maxCu} is 0.75, but must be one of ${sizes}; for the sizes of Neon`, { [maxCu]: 0.75 }],
  [`${minCu} is 16, but must be one of ${sizes}`, limits(16, 10)],
  [`${maxCu} is "1", but must be a number`, { [maxCu]: "1" }],
  [`${maxCu} is 0, but must be one of`, { [maxCu]: 0 }],
  [`${minCu} is 4, but must not be above ${maxCu}, which is 2`, limits(4, 2)],
  [
    `${maxCu} is missing. With a minimum of 2 CU, also declare the maximum: 2 for a fixed size, or more`,
    { [minCu]: 2, branchId: unknownValue },
  ],
  ["suspendTimeoutSeconds is 59, but must be 0 (the", delay(59)],
  ["suspendTimeoutSeconds is -2, but must be 0 (the", delay(-2)],
  [
    "is 604801, but must be 0 (the service's default of 300 s), -1 (never suspends) or a whole",
    delay(604_801),
  ],
  ["suspendTimeoutSeconds is 90.5, but must be", delay(90.5)],
  ['suspendTimeoutSeconds is "5m", but must be a number of seconds', delay("5m")],
  ['poolerEnabled is "yes", but must be true or false', { poolerEnabled: "yes" }],
  ['poolerMode is "session", but must be "transaction"', { poolerMode: "session", branchId: unknownValue }],
  ["settings.pgSettings must be a map", { settings: {} }],
  ["settings.pgSettings.work_mem must be a string, a number or a boolean", settings({ work_mem: ["8MB"] })],
  ["settings must be { pgSettings: { … } }", { settings: "fast" }],
  ['name is "", but must be a name of 1 to 64 characters', { name: "" }],
  [`name is "${"x".repeat(57)}`, { name: "x".repeat(65) }],
  ['regionId is "", but must be the id of a region', { regionId: "" }],
  ['adopt is "br-calm-1", but must be a compute id, which begins with "ep-"', { adopt: "br-calm-1" }],
  ['is "ask", but must be "warn", "forbid", "forbid-when-active" or "defer"', { onInterruption: "ask" }],
  ["timeouts.create is 0, but must be between 1 and 86400 seconds", { timeouts: { create: 0 } }],
  ["timeouts.delete is 90000, but must be between", { timeouts: { delete: 90_000 } }],
  ["timeouts must be { create, update, delete }, each in seconds", { timeouts: 60 }],
  ["restartTriggers must be a map of names to values", { restartTriggers: ["hunter2"] }],
  [`${isNone("branch_id")} Write branchId`, { branch_id: "br-a" }],
  [`${isNone("auto-scaling-limit-min-cu")} Write ${minCu}`, { "auto-scaling-limit-min-cu": 1 }],
  [`${isNone("size")} Its arguments: projectId, type,`, { size: 1 }],
  [
    "retain_on_delete is not an argument of Endpoint, but an option of Pulumi. Write",
    { retain_on_delete: true },
  ],
  [
    `${isNone("settings.work_mem")} Postgres parameters belong in settings.pgSettings`,
    { settings: { work_mem: "8MB", pgSettings: {} } },
  ],
  ...["preloadLibraries", "pgbouncer_settings"].map((name): [string, object] => [
    `${isNone(`settings.${name}`)} This package does not manage it, and does not change its value`,
    { ...settings({}), settings: { pgSettings: {}, [name]: {} } },
  ]),
  [`${isNone("settings.pgSetings")} Write settings.pgSettings`, { settings: { pgSetings: {} } }],
  [`${isNone("settings.pg_settings")} Write settings.pgSettings`, { settings: { pg_settings: {} } }],
  [`${isNone("timeouts.updat")} Write timeouts.update`, { timeouts: { updat: 5 } }],
  [`${isNone("timeouts.read")} Its arguments: timeouts.create, timeouts.update`, { timeouts: { read: 5 } }],
  [`${minCu} and ${maxCu} are 11, but must be one of ${sizes}`, fixedSize(11)],
  [`adopt ${isText}`, { adopt: asText }],
  [`regionId ${isText}`, { regionId: `eu-${asPythonText}` }],
  [`settings.pgSettings.app.host ${isText}`, settings({ "app.host": asText })],
  [`${isNone("pgSettings")} ${oneLevel("work_mem: …")}`, { pgSettings: { work_mem: "8MB" } }],
  [`${isNone("pg_settings")} ${oneLevel("…")}`, { pg_settings: {} }],
  [
    `${isNone("settings.a")} ${oneLevel('a: …, "b.c": …, d: …')}`,
    { settings: { a: "8MB", "b.c": "s3cret", d: 1 } },
  ],
  [`${isNone("settings.a")} ${oneLevel("a: …, b: …, c: …, …")}`, { settings: { a: 1, b: 2, c: 3, d: 4 } }],
])("a check refuses with exactly this: %s", (says, args) => {
  expect(reasonsOf(args)).toEqual([expect.stringContaining(says)]);
});

it("a check names every failure at once, shortens a long value, and leaves the inputs as declared", () => {
  const wrong = { projectId: "", type: "x", ...limits(4, 2), poolerMode: "y".repeat(1_000), sise: 1 };
  const { inputs, failures } = checked(wrong);
  const named = failures.map(({ property }) => property);
  expect(named.sort()).toEqual([minCu, "poolerMode", "projectId", "sise", "type"]);
  expect(Math.max(...failures.map(({ reason }) => reason.length))).toBeLessThan(300);
  expect(inputs).toMatchObject({ ...limits(4, 2), poolerMode: wrong.poolerMode });
});

const listed = `${computeSizes("neon")
  .map(({ cu }) => cu)
  .join(", ")} CU`;
const wide = autoscaling(0.25, 16);
const tooLong = { ...fixedSize(20), ...delay(600) };
const [unknown, neon] = [{ service: "unknown" }, { service: "neon" }] as const;

/** sizes.test tries every pair of sizes. */
it.each<[reason: string, says: string | undefined, args: object, rules: Partial<CheckRules>]>([
  ["null counts as not declared", undefined, { regionId: null, adopt: null }, {}],
  ["ignoreChanges may restore a size", undefined, fixedSize(3.5), { stored: { ...fixedSize(3.5) } }],
  ["another size is stored", `${minCu} and ${maxCu} are 11`, fixedSize(11), { stored: { ...fixedSize(1) } }],
  ["the maximum is required only where a compute is created", undefined, { [minCu]: 2 }, { creates: false }],
  ["an unknown service may have any size above 0", undefined, autoscaling(0.3, 56), unknown],
  ["an unknown service may choose the maximum", undefined, { [minCu]: 2 }, unknown],
  [
    "no service has a size of 0",
    `${minCu} and ${maxCu} are 0, but must be above 0 CU`,
    fixedSize(0),
    unknown,
  ],
  [
    "Neon may have added a size",
    `are 17, but must be one of ${listed}; for a newer size of Neon`,
    fixedSize(17),
    neon,
  ],
  [
    "a range may be too wide for Neon",
    "with a minimum of 0.25 CU, it must be at most 8. Set it to 8, or both limits to",
    wide,
    neon,
  ],
  [
    "a range has a largest maximum on Neon",
    "with a minimum of 9 CU, it must be at most 16. Set it to 16, or both limits to 18",
    autoscaling(9, 18),
    neon,
  ],
  [
    "Neon's large sizes are fixed",
    "16 CU or more has a fixed size. Set both limits to 18",
    autoscaling(16, 18),
    neon,
  ],
  [
    "Neon's smallest minimum does not fit every maximum",
    `${minCu} is missing. With a maximum of 9 CU, also declare the minimum`,
    { [maxCu]: 9 },
    neon,
  ],
  ["Neon's smallest minimum fits this maximum", undefined, { [maxCu]: 8 }, neon],
  [
    "Neon's large sizes have no autosuspend",
    "is 600, but on Neon a compute above 16 CU never suspends. Declare -1",
    tooLong,
    neon,
  ],
  ["ignoreChanges may restore a range", undefined, wide, { ...neon, stored: { ...wide } }],
  [
    "a range is checked if ignoreChanges restores only one of its limits",
    `${minCu} is 4, but must not be above`,
    limits(4, 2),
    { stored: { ...limits(4, 8) } },
  ],
  ["a large size may declare -1 on Neon", undefined, { ...fixedSize(20), ...delay(-1) }, neon],
])("a check knows the service and the stored size: %s: %s", (...[, says, args, rules]) => {
  expect(reasonsOf(args, rules)).toEqual(says === undefined ? [] : [expect.stringContaining(says)]);
});

it.each<[reason: string, args: object, secrets: readonly string[], rules?: Partial<CheckRules>]>([
  ['poolerMode must be "transaction"', { poolerMode: "session" }, ["poolerMode"]],
  ["settings must be { pgSettings: { … } }", { settings: 5 }, ["settings"]],
  ["settings.pgSettings.key must be a string, a number or a boolean", settings({ key: ["s3cret"] }), []],
  [`${minCu} and ${maxCu} must be above 0 CU`, fixedSize(-4), [minCu, maxCu], unknown],
  [`${minCu} is (secret), but must not be above ${maxCu}, which is (secret)`, limits(4, 2), [maxCu]],
  [
    `${maxCu} is missing. With a minimum of … CU, also declare the maximum: … for a fixed size, or more`,
    { [minCu]: 4 },
    [minCu],
  ],
  [`${minCu} is 4, but must not be above ${maxCu}, which is 2`, limits(4, 2), ["poolerMode"]],
  ['adopt must be a compute id, which begins with "ep-"', { adopt: "s3cret" }, ["adopt"]],
  ["timeouts.create must be between 1 and 86400 seconds", { timeouts: { create: 98_765 } }, ["timeouts"]],
  [`${maxCu} must be nearer to ${minCu} (secret)`, wide, [minCu], neon],
  [
    "suspendTimeoutSeconds is (secret), but on Neon a compute of this size (secret) never suspends. Declare -1, or leave the argument out",
    tooLong,
    [minCu, "suspendTimeoutSeconds"],
    neon,
  ],
])("a check hides secret values, and only those: %s", (...[reason, args, secrets, rules]) => {
  expect(reasonsOf(args, { ...rules, secrets })).toEqual([reason]);
});

describe("a declaration whose values may not be known yet", () => {
  const declared = { ...least, type: "read_write", [maxCu]: 2 };

  it("cannot be sent", () => {
    const planned = plannedInputs({ ...declared, branchId: unknownValue });
    // @ts-expect-error -- `knownInputs` has to check the values before they are sent.
    const sent: EndpointInputs = planned;
    expect(toUpdateBody(sent, [maxCu])).toEqual({ autoscaling_limit_max_cu: 2 });
  });

  it.each([
    ["branchId", { branchId: unknownValue }],
    ["settings", settings({ a: unknownValue })],
  ])("is refused before it is sent, with the name of %s", (name, args) => {
    expect(() => knownInputs(plannedInputs({ ...declared, ...args }))).toThrow(
      `the update has begun without a value for ${name}`,
    );
    expect(knownInputs(plannedInputs(declared))).toEqual(declared);
  });
});

it("a check says of each option of Pulumi's SDK that it is one", () => {
  const typed = readFileSync(require.resolve("@pulumi/pulumi/resource.d.ts"), "utf8");
  const names = [
    ...typed.matchAll(/^export interface (?:Custom|Component)?ResourceOptions .*?^}/gms),
  ].flatMap(([members]) => [...members.matchAll(/^ {4}(\w+)\??: /gm)].map(([, name = ""]) => name));
  // Only `get` takes the option `id`.
  const options = [...new Set(names)].filter((name) => name !== "id");
  expect(options.length).toBeGreaterThan(20);
  for (const name of options)
    expect(reasonsOf({ [name]: true })).toEqual([
      expect.stringMatching(
        `^${name} is not an argument of Endpoint, but an option of Pulumi\\..*\\{ ${name}: … \\}`,
      ),
    ]);
});
