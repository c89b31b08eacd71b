import { isTriggerHash, managedNames } from "../../../../provider/endpoint/planning/changes";
import type { EndpointInputs } from "../../../../provider/endpoint/planning/inputs";
import { toStored, type EndpointState } from "../../../../provider/endpoint/state";

const least: EndpointInputs = { projectId: "p", branchId: "br-a", type: "read_write" };

function stateOf(more: Partial<EndpointInputs>): EndpointState {
  const inputs = { ...least, ...more };
  return { ...inputs, endpointId: "ep-a", managed: managedNames(inputs) };
}

describe("toStored", () => {
  const before = stateOf({
    settings: { pgSettings: { work_mem: "4MB", jit: "off" } },
    restartTriggers: { old: "a-secret" },
  });

  it("keeps of settings and triggers what is declared now, and of the others a name or a hash", () => {
    const stored = toStored(before, {
      ...least,
      settings: { pgSettings: { work_mem: "4MB" } },
      restartTriggers: { new: "value" },
    });
    expect(stored.settings).toEqual({ pgSettings: { work_mem: "4MB" } });
    expect(stored.managed).toContain("settings.pgSettings.jit");
    expect(stored).not.toHaveProperty("restartTriggers");
    expect(Object.keys(stored.triggers ?? {})).toEqual(["old"]);
    expect(isTriggerHash(stored.triggers?.["old"] ?? "", "a-secret")).toBe(true);
    expect(JSON.stringify(stored)).not.toContain("a-secret");
  });

  it("keeps no setting where none is declared any more, and everything where nothing changed", () => {
    expect(toStored(before, least)).not.toHaveProperty("settings");
    const { settings, restartTriggers } = before;
    expect(toStored(before, { ...least, settings, restartTriggers })).toEqual(before);
  });
});
