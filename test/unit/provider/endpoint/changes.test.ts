import { changedArguments, managedNames, type Stored } from "../../../../provider/pure/changes";
import { unknownValue } from "../../../../provider/pure/unknown";

const inputs = { projectId: "p", branchId: "br-a", type: "read_write" };

const state: Stored = {
  ...inputs,
  endpointId: "ep-a",
  host: "ep-a.example.com",
  poolerEnabled: false,
  settings: { pgSettings: { work_mem: "4MB", jit: "off" } },
  managed: ["projectId", "branchId", "type", "settings", "settings.pgSettings.jit"],
};

describe("changedArguments", () => {
  it.each<[changed: readonly string[], reason: string, was: Stored, now: object]>([
    [["onInterruption"], "a policy is taken back", { onInterruption: "forbid" }, {}],
    [[], "the service keeps what it has", { poolerEnabled: true }, {}],
    [["settings"], "the whole map is not known yet", {}, { settings: unknownValue }],
  ])("names %j: %s", (...[changed, , was, now]) => {
    expect(changedArguments({ ...state, ...was }, { ...inputs, ...now })).toEqual(changed);
  });
});

describe("managedNames", () => {
  it("names what is declared, each Postgres setting too, and nothing that is left out", () => {
    const settings = { pgSettings: { work_mem: "4MB", jit: false } };
    expect(managedNames({ ...inputs, poolerEnabled: undefined, disabled: false, settings })).toEqual([
      "projectId",
      "type",
      "branchId",
      "disabled",
      "settings",
      "settings.pgSettings.work_mem",
      "settings.pgSettings.jit",
    ]);
  });

  it("names no Postgres setting while the map is not known", () => {
    expect(managedNames({ ...inputs, settings: unknownValue })).toEqual([
      "projectId",
      "type",
      "branchId",
      "settings",
    ]);
  });
});
