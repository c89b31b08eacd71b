import type { ApiEndpoint } from "../../../../provider/api/schemas";
import type { EndpointInputs } from "../../../../provider/endpoint/planning/inputs";
import { inputsOfState, toRefreshed, toState } from "../../../../provider/endpoint/state";

const answered: ApiEndpoint = { id: "ep-a", project_id: "p", branch_id: "br-a", type: "read_write" };

describe("a refresh", () => {
  const settings = { pgSettings: { work_mem: "4MB", jit: "off" } };
  const names = ["settings.pgSettings.work_mem", "settings.pgSettings.jit"];

  it.each([
    [names.slice(0, 1), "the service has one of them", { pg_settings: { work_mem: "4MB" } }],
    [[], "the service has none", { pg_settings: {} }],
    [names, "the service does not say", {}],
    [names, "the service does not show settings", undefined],
    [names, "the service shows null", null],
  ])("keeps the settings %j as managed: %s", (kept, _reason, of) => {
    const inputs: EndpointInputs = { projectId: "p", branchId: "br-a", type: "read_write", settings };
    const state = toState(answered, { inputs });
    const refreshed = toRefreshed({ ...answered, settings: of }, state);
    expect(refreshed.managed).toEqual([...state.managed.filter((name) => !names.includes(name)), ...kept]);
    // Twice, and the declaration is still what it was.
    const again = toRefreshed({ ...answered, settings: of }, refreshed);
    expect(inputsOfState(again).settings?.pgSettings).toEqual(
      Object.fromEntries(Object.entries(settings.pgSettings).slice(0, kept.length)),
    );
  });
});
