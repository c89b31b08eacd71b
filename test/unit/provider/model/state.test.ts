/** What a state holds, what a declaration changes in it, and the bodies of the requests. */
import fc from "fast-check";
import type { ApiEndpoint } from "../../../../provider/service/schemas";
import { changedArguments, managedNames, settingNames } from "../../../../provider/model/changes";
import type { EndpointInputs } from "../../../../provider/model/inputs";
import {
  inputsOfState,
  toCreateBody,
  toRefreshed,
  toState,
  toStored,
} from "../../../../provider/model/state";
import type { EndpointState } from "../../../../provider/model/state";
import { unknownValue } from "../../../../provider/model/unknown";

const least: EndpointInputs = { projectId: "p", branchId: "br-a", type: "read_write" };

const answered: ApiEndpoint = {
  ...{ id: "ep-a", host: "ep-a.local", proxy_host: "local", project_id: "p", branch_id: "br-a" },
  ...{ region_id: "local-1", type: "read_write", autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 },
  ...{ suspend_timeout_seconds: 300, pooler_enabled: false, pooler_mode: "transaction", disabled: false },
  ...{ passwordless_access: true, current_state: "active", pending_state: "active" },
  settings: { pg_settings: { work_mem: "4MB", jit: "off", max_parallel_workers: "4" } },
  last_active: "2026-01-05T08:00:00Z",
  created_at: "2026-01-05T07:00:00Z",
  updated_at: "2026-01-05T08:00:00Z",
};
/** The stable fields, without those that the service changes on its own. */
const held = {
  ...{ endpointId: "ep-a", host: "ep-a.local", proxyHost: "local", projectId: "p", branchId: "br-a" },
  ...{ regionId: "local-1", type: "read_write", autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 2 },
  ...{ suspendTimeoutSeconds: 300, poolerEnabled: false, poolerMode: "transaction", disabled: false },
  ...{ passwordlessAccess: true, createdAt: "2026-01-05T07:00:00Z" },
  managed: ["projectId", "type", "branchId"],
};

/** The settings of the state are ours: a run has sent them. */
const stateOf = (more: Partial<EndpointInputs> = {}, endpoint = answered): EndpointState =>
  toState(endpoint, { inputs: { ...least, ...more }, stillManaged: settingNames(more) });

const pg = (pgSettings: Readonly<Record<string, string | number | boolean>>) => ({
  settings: { pgSettings },
});
const settings = pg({ work_mem: "4MB", jit: "off" });
const twoSettings = ["settings.pgSettings.work_mem", "settings.pgSettings.jit"];
const delay = (suspendTimeoutSeconds: number) => ({ suspendTimeoutSeconds });
const nulls = { proxy_host: null, region_id: null, settings: null, created_at: null };
const { proxyHost: _proxy, regionId: _region, createdAt: _created, ...withoutNulls } = held;

it.each<[reason: string, has: object, declared?: Partial<EndpointInputs>, shown?: Partial<ApiEndpoint>]>([
  ["every stable field", held],
  ["no null and no undefined", withoutNulls, { poolerMode: undefined }, nulls],
  ["a declared 300, where the service shows 0", delay(300), delay(300), { suspend_timeout_seconds: 0 }],
  [
    "only the declared Postgres settings, in the declared spelling of an equal value",
    pg({ jit: "off", max_parallel_workers: 4 }),
    pg({ max_parallel_workers: 4, jit: false }),
  ],
])("a state has what the service shows: %s: %j", (...[, has, declared, shown = {}]) => {
  const state = stateOf(declared, { ...answered, ...shown });
  if ("managed" in has) expect(state).toStrictEqual(has);
  else expect(state).toHaveProperty(...(Object.entries(has)[0] as [string, unknown]));
});

it.each<[changed: string[], was: Partial<EndpointInputs>, is: object, reason: string]>([
  [[], {}, delay(0), "0 means the default of 300"],
  [["branchId"], {}, { branchId: unknownValue }, "unknown counts as changed"],
  [[], {}, { adopt: "ep-b" }, "adopt counts only at creation"],
  [["onInterruption"], { onInterruption: "forbid" }, {}, "a policy is removed"],
  [["settings"], {}, pg({ max_parallel_workers: 4 }), "a setting is declared for the first time"],
  [["settings"], settings, pg({ work_mem: "4MB" }), "a setting is no longer declared"],
])("a declaration changes %j from %j to %j: %s", (...[changed, was, is]) => {
  expect(changedArguments(stateOf(was), { ...least, ...is })).toEqual(changed);
});

it("a create sends every declared argument under its name in the interface, and none that only the provider uses", () => {
  const declared: EndpointInputs = {
    ...{ ...least, autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 2, ...delay(-1), poolerEnabled: true },
    ...{ poolerMode: "transaction", disabled: true, passwordlessAccess: false, regionId: "local-1" },
    ...{ ...pg({ jit: false }), adopt: "ep-a", restartTriggers: { release: 1 } },
    ...{ onInterruption: "warn", timeouts: { create: 5 } },
  };
  expect(toCreateBody(declared, "interface")).toEqual({
    ...{ branch_id: "br-a", type: "read_write", region_id: "local-1", autoscaling_limit_min_cu: 1 },
    ...{ autoscaling_limit_max_cu: 2, suspend_timeout_seconds: -1, pooler_enabled: true },
    ...{ pooler_mode: "transaction", disabled: true, passwordless_access: false },
    settings: { pg_settings: { jit: false } },
  });
});

/** The state of a compute that runs as declared. */
function declaredOnly(more: Partial<EndpointInputs>): EndpointState {
  const inputs = { ...least, ...more };
  return { ...inputs, endpointId: "ep-a", managed: [...managedNames(inputs), ...settingNames(inputs)] };
}

it("a stored state has no settings if the program declares none, and all of them if nothing changed", () => {
  const before = declaredOnly(settings);
  expect(toStored(before, least, false)).not.toHaveProperty("settings");
  expect(toStored(before, { ...least, settings: before.settings }, true)).toEqual(before);
});

it.each<[reason: string, state: EndpointState, declared: EndpointInputs]>([
  [
    "all its settings, even if none of them is ours",
    stateOf(settings),
    { ...inputsOfState(stateOf()), ...settings },
  ],
  ["no settings if none are known", { ...declaredOnly(settings), settings: undefined }, least],
])("the declaration that is made from a state has %s", (_reason, state, declared) => {
  expect(inputsOfState(state)).toStrictEqual(declared);
});

it.each([
  [twoSettings.slice(0, 1), "the service has one of them", { pg_settings: { work_mem: "4MB" } }],
  [[], "the service has no setting", { pg_settings: {} }],
  [twoSettings, "the service does not show settings", undefined],
  [twoSettings, "the service shows null", null],
])("a refresh keeps the settings %j, and so does a second refresh: %s", (kept, _reason, of) => {
  const state = stateOf(settings, { ...answered, settings: undefined });
  const refreshed = toRefreshed({ ...answered, settings: of }, state);
  expect(refreshed.managed.filter((name) => twoSettings.includes(name))).toEqual(kept);
  const again = toRefreshed({ ...answered, settings: of }, refreshed);
  const left = Object.entries(settings.settings.pgSettings).slice(0, kept.length);
  expect(inputsOfState(again).settings?.pgSettings).toEqual(Object.fromEntries(left));
});

it("the declaration made from a state does not differ from it, and declares nothing more", () => {
  const size = fc.constantFrom(0.25, 1, 2, 10);
  const setting = fc.oneof(fc.boolean(), fc.integer(), fc.string());
  const declared = fc.record(
    {
      ...{ autoscalingLimitMinCu: size, autoscalingLimitMaxCu: size, poolerEnabled: fc.boolean() },
      ...{ disabled: fc.boolean(), passwordlessAccess: fc.boolean() },
      suspendTimeoutSeconds: fc.constantFrom(0, -1, 60, 300, 604_800),
      regionId: fc.constantFrom("local-1", "local-2"),
      settings: fc.record({
        pgSettings: fc.dictionary(fc.constantFrom("work_mem", "jit", "other"), setting),
      }),
      timeouts: fc.record({ create: fc.integer({ min: 1, max: 100 }) }),
    },
    { requiredKeys: [] },
  );
  const property = fc.property(declared, (more) => {
    const state = toRefreshed(answered, stateOf(more));
    const inputs = inputsOfState(state);
    expect(changedArguments(state, inputs)).toEqual([]);
    expect(Object.keys(inputs).sort()).toEqual(Object.keys({ ...least, ...more }).sort());
  });
  fc.assert(property);
});
