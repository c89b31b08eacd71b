import fc from "fast-check";
import type { ApiEndpoint } from "../../../../provider/service/schemas";
import { changedArguments, managedNames } from "../../../../provider/model/changes";
import type { EndpointInputs } from "../../../../provider/model/inputs";
import {
  inputsOfState,
  toCreateBody,
  toRefreshed,
  toState,
  toStored,
  type EndpointState,
} from "../../../../provider/model/state";
import { unknownValue } from "../../../../provider/model/unknown";

const least: EndpointInputs = { projectId: "p", branchId: "br-a", type: "read_write" };

const answered: ApiEndpoint = {
  id: "ep-a",
  host: "ep-a.local",
  proxy_host: "local",
  project_id: "p",
  branch_id: "br-a",
  region_id: "local-1",
  type: "read_write",
  autoscaling_limit_min_cu: 1,
  autoscaling_limit_max_cu: 2,
  suspend_timeout_seconds: 300,
  pooler_enabled: false,
  pooler_mode: "transaction",
  disabled: false,
  passwordless_access: true,
  settings: { pg_settings: { work_mem: "4MB", jit: "off", max_parallel_workers: "4" } },
  current_state: "active",
  pending_state: "active",
  last_active: "2026-01-05T08:00:00Z",
  created_at: "2026-01-05T07:00:00Z",
  updated_at: "2026-01-05T08:00:00Z",
};

const stateOf = (more: Partial<EndpointInputs> = {}, endpoint = answered): EndpointState =>
  toState(endpoint, { inputs: { ...least, ...more } });

/** The state of a compute that the service shows as it is declared. */
function declaredOnly(more: Partial<EndpointInputs>): EndpointState {
  const inputs = { ...least, ...more };
  return { ...inputs, endpointId: "ep-a", managed: managedNames(inputs) };
}

const settings = { pgSettings: { work_mem: "4MB", jit: "off" } };
const settingNames = ["settings.pgSettings.work_mem", "settings.pgSettings.jit"];

describe("toState", () => {
  it("holds every stable field, and nothing that changes by itself", () => {
    expect(stateOf()).toEqual({
      endpointId: "ep-a",
      host: "ep-a.local",
      proxyHost: "local",
      projectId: "p",
      branchId: "br-a",
      regionId: "local-1",
      type: "read_write",
      autoscalingLimitMinCu: 1,
      autoscalingLimitMaxCu: 2,
      suspendTimeoutSeconds: 300,
      poolerEnabled: false,
      poolerMode: "transaction",
      disabled: false,
      passwordlessAccess: true,
      createdAt: "2026-01-05T07:00:00Z",
      managed: ["projectId", "type", "branchId"],
    });
  });

  it.each(["read_only", "read_replica", "something_new"])("takes type %s for a replica", (type) => {
    expect(stateOf({}, { ...answered, type }).type).toBe("read_only");
  });

  it("keeps the declared one of 0 and 300 seconds, which mean the same", () => {
    expect(stateOf({ suspendTimeoutSeconds: 0 }).suspendTimeoutSeconds).toBe(0);
    const zero = { ...answered, suspend_timeout_seconds: 0 };
    expect(stateOf({ suspendTimeoutSeconds: 300 }, zero).suspendTimeoutSeconds).toBe(300);
    expect(stateOf({ suspendTimeoutSeconds: 600 }).suspendTimeoutSeconds).toBe(300);
  });

  it("holds the declared Postgres settings alone, in the declared spelling of an equal value", () => {
    const settings = { pgSettings: { max_parallel_workers: 4, jit: false } };
    expect(stateOf({ settings }).settings?.pgSettings).toEqual({ jit: "off", max_parallel_workers: 4 });
  });

  it("holds no null and no undefined", () => {
    const nulls = { ...answered, proxy_host: null, region_id: null, settings: null, created_at: null };
    const state = stateOf({ poolerMode: undefined }, nulls);
    expect(Object.values(state)).not.toContain(null);
    expect(Object.values(state)).not.toContain(undefined);
  });
});

describe("what a declaration changes of a compute", () => {
  const pg = (pgSettings: Record<string, string | number>) => ({ settings: { pgSettings } });

  it.each<[changed: string[], was: Partial<EndpointInputs>, is: object, reason: string]>([
    [[], { poolerEnabled: false }, {}, "left out is unmanaged"],
    [[], {}, { poolerEnabled: false }, "declared as it is"],
    [["poolerEnabled"], {}, { poolerEnabled: true }, "declared otherwise"],
    [[], {}, { suspendTimeoutSeconds: 0 }, "0 is 300"],
    [["suspendTimeoutSeconds"], {}, { suspendTimeoutSeconds: 600 }, "another delay"],
    [["branchId"], {}, { branchId: unknownValue }, "unknown counts as changed"],
    [["settings"], {}, { settings: unknownValue }, "a whole map too"],
    [[], { adopt: "ep-a" }, {}, "adopt is read at creation alone"],
    [[], {}, { adopt: "ep-b" }, "adopt is read at creation alone"],
    [["timeouts"], { timeouts: { create: 5 } }, {}, "back to the default"],
    [["onInterruption"], {}, { onInterruption: "forbid" }, "ours, and kept"],
    [["onInterruption"], { onInterruption: "forbid" }, {}, "a policy is taken back"],
    [[], pg({ max_parallel_workers: 4 }), pg({ max_parallel_workers: "4" }), "answered as text"],
    [["settings"], {}, pg({ max_parallel_workers: 4 }), "a setting that is declared for the first time"],
    [["settings"], {}, pg({ work_mem: "8MB" }), "another value"],
    [
      ["settings"],
      pg({ work_mem: "4MB", jit: "off" }),
      pg({ work_mem: "4MB" }),
      "one that is not declared now",
    ],
    [[], pg({ work_mem: "4MB" }), pg({ work_mem: "4MB" }), "those of the service are not ours to change"],
    [["type", "regionId"], {}, { regionId: "local-2", type: "read_only" }, "two"],
  ])("sees %j from %j to %j: %s", (...[changed, was, is]) => {
    expect(changedArguments(stateOf(was), { ...least, ...is })).toEqual(changed);
  });
});

describe("bodies", () => {
  const full: EndpointInputs = {
    ...least,
    autoscalingLimitMinCu: 1,
    autoscalingLimitMaxCu: 2,
    suspendTimeoutSeconds: -1,
    poolerEnabled: true,
    poolerMode: "transaction",
    disabled: true,
    passwordlessAccess: false,
    settings: { pgSettings: { jit: false } },
    regionId: "local-1",
    adopt: "ep-a",
    restartTriggers: { release: 1 },
    onInterruption: "warn",
    timeouts: { create: 5 },
  };

  it("send everything that is declared with a create, in the interface's words", () => {
    expect(toCreateBody(full, "interface")).toEqual({
      branch_id: "br-a",
      type: "read_write",
      region_id: "local-1",
      autoscaling_limit_min_cu: 1,
      autoscaling_limit_max_cu: 2,
      suspend_timeout_seconds: -1,
      pooler_enabled: true,
      pooler_mode: "transaction",
      disabled: true,
      passwordless_access: false,
      settings: { pg_settings: { jit: false } },
    });
  });
});

it.each([
  [["disabled", "settings", ...settingNames], { poolerEnabled: undefined, disabled: false, settings }],
  [["settings"], { settings: unknownValue }],
])("names %j as managed of %j, and nothing that is left out", (names, declared) => {
  expect(managedNames({ ...least, ...declared })).toEqual(["projectId", "type", "branchId", ...names]);
});

it("a state keeps no setting where none is declared any more, and everything where nothing changed", () => {
  const before = declaredOnly({ settings });
  expect(toStored(before, least)).not.toHaveProperty("settings");
  expect(toStored(before, { ...least, settings: before.settings })).toEqual(before);
});

describe("the declaration that a state stands for", () => {
  it.each<[reason: string, state: EndpointState, declared: EndpointInputs]>([
    [
      "of the Postgres settings those that were declared",
      {
        ...declaredOnly({ settings }),
        managed: ["projectId", "branchId", "type", "settings", settingNames[1]!],
      },
      { ...least, settings: { pgSettings: { jit: "off" } } },
    ],
    ["no settings where none were declared", { ...declaredOnly({}), settings }, least],
    ["no settings where none are known", { ...declaredOnly({ settings }), settings: undefined }, least],
  ])("holds %s", (_reason, state, declared) => {
    expect(inputsOfState(state)).toStrictEqual(declared);
  });

  it.each([
    [settingNames.slice(0, 1), "the service has one of them", { pg_settings: { work_mem: "4MB" } }],
    [[], "the service has none", { pg_settings: {} }],
    [settingNames, "the service does not say", {}],
    [settingNames, "the service does not show settings", undefined],
    [settingNames, "the service shows null", null],
  ])("keeps the settings %j in a refresh: %s", (kept, _reason, of) => {
    const state = toState({ ...answered, settings: undefined }, { inputs: { ...least, settings } });
    const refreshed = toRefreshed({ ...answered, settings: of }, state);
    expect(refreshed.managed.filter((name) => settingNames.includes(name))).toEqual(kept);
    // Twice, and the declaration is still what it was.
    const again = toRefreshed({ ...answered, settings: of }, refreshed);
    expect(inputsOfState(again).settings?.pgSettings).toEqual(
      Object.fromEntries(Object.entries(settings.pgSettings).slice(0, kept.length)),
    );
  });

  it("differs in nothing from that state, and declares nothing more", () => {
    const size = fc.constantFrom(0.25, 1, 2, 10);
    const setting = fc.oneof(fc.boolean(), fc.integer(), fc.string());
    const declared = fc.record(
      {
        autoscalingLimitMinCu: size,
        autoscalingLimitMaxCu: size,
        suspendTimeoutSeconds: fc.constantFrom(0, -1, 60, 300, 604_800),
        poolerEnabled: fc.boolean(),
        disabled: fc.boolean(),
        passwordlessAccess: fc.boolean(),
        regionId: fc.constantFrom("local-1", "local-2"),
        settings: fc.record({
          pgSettings: fc.dictionary(fc.constantFrom("work_mem", "jit", "other"), setting),
        }),
        timeouts: fc.record({ create: fc.integer({ min: 1, max: 100 }) }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(declared, (more) => {
        const state = toRefreshed(answered, toState(answered, { inputs: { ...least, ...more } }));
        const inputs = inputsOfState(state);
        expect(changedArguments(state, inputs)).toEqual([]);
        expect(Object.keys(inputs).sort()).toEqual(Object.keys({ ...least, ...more }).sort());
      }),
    );
  });
});
