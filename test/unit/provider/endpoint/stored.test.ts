import { managedNames } from "../../../../provider/pure/changes";
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
  });

  it("keeps of settings what is declared now, and of the others a name", () => {
    const stored = toStored(before, {
      ...least,
      settings: { pgSettings: { work_mem: "4MB" } },
    });
    expect(stored.settings).toEqual({ pgSettings: { work_mem: "4MB" } });
    expect(stored.managed).toContain("settings.pgSettings.jit");
  });

  it("keeps no setting where none is declared any more, and everything where nothing changed", () => {
    expect(toStored(before, least)).not.toHaveProperty("settings");
    const { settings } = before;
    expect(toStored(before, { ...least, settings })).toEqual(before);
  });
});
