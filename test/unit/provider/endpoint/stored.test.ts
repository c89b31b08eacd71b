/** What a state keeps of a declaration, and the declaration that it stands for. */
import fc from "fast-check";
import type { ApiEndpoint } from "../../../../provider/api/schemas";
import type { EndpointInputs } from "../../../../provider/endpoint/planning/inputs";
import {
  inputsOfState,
  toRefreshed,
  toState,
  toStored,
  type EndpointState,
} from "../../../../provider/endpoint/state";
import { changedArguments, managedNames } from "../../../../provider/pure/changes";
import { unknownValue } from "../../../../provider/pure/unknown";

const least: EndpointInputs = { projectId: "p", branchId: "br-a", type: "read_write" };
const settings = { pgSettings: { work_mem: "4MB", jit: "off" } };
const settingNames = ["settings.pgSettings.work_mem", "settings.pgSettings.jit"];
const answered: ApiEndpoint = {
  id: "ep-a",
  project_id: "p",
  branch_id: "br-a",
  type: "read_write",
  region_id: "local-1",
  suspend_timeout_seconds: 300,
  settings: { pg_settings: { work_mem: "4MB" } },
};

function stateOf(more: Partial<EndpointInputs>): EndpointState {
  const inputs = { ...least, ...more };
  return { ...inputs, endpointId: "ep-a", managed: managedNames(inputs) };
}

it.each([
  [["disabled", "settings", ...settingNames], { poolerEnabled: undefined, disabled: false, settings }],
  [["settings"], { settings: unknownValue }],
])("names %j as managed of %j, and nothing that is left out", (names, declared) => {
  expect(managedNames({ ...least, ...declared })).toEqual(["projectId", "type", "branchId", ...names]);
});

describe("toStored", () => {
  const before = stateOf({ settings });

  it("keeps of settings what is declared now, and of the others a name", () => {
    const stored = toStored(before, { ...least, settings: { pgSettings: { work_mem: "4MB" } } });
    expect(stored.settings).toEqual({ pgSettings: { work_mem: "4MB" } });
    expect(stored.managed).toContain("settings.pgSettings.jit");
  });

  it("keeps no setting where none is declared any more, and everything where nothing changed", () => {
    expect(toStored(before, least)).not.toHaveProperty("settings");
    expect(toStored(before, { ...least, settings: before.settings })).toEqual(before);
  });
});

describe("the declaration that a state stands for", () => {
  it.each<[reason: string, state: EndpointState, declared: EndpointInputs]>([
    [
      "of the Postgres settings those that were declared",
      { ...stateOf({ settings }), managed: ["projectId", "branchId", "type", "settings", settingNames[1]!] },
      { ...least, settings: { pgSettings: { jit: "off" } } },
    ],
    ["no settings where none were declared", { ...stateOf({}), settings }, least],
    ["no settings where none are known", { ...stateOf({ settings }), settings: undefined }, least],
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
