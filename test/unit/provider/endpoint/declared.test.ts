import { unknownValue, type EndpointInputs } from "../../../../provider/endpoint/inputs";
import { changedArguments, inputsOfState, type EndpointState } from "../../../../provider/endpoint/state";

const inputs: EndpointInputs = { projectId: "p", branchId: "br-a", type: "read_write" };

const state = {
  ...inputs,
  endpointId: "ep-a",
  host: "ep-a.example.com",
  poolerEnabled: false,
  settings: { pgSettings: { work_mem: "4MB", jit: "off" } },
  __managed: ["projectId", "branchId", "type", "settings", "settings.pgSettings.jit"],
  __urn: "urn:a",
} as EndpointState;

describe("the declaration that a state stands for", () => {
  it("holds what was declared, and of the Postgres settings those that were", () => {
    expect(inputsOfState(state)).toStrictEqual({
      ...inputs,
      settings: { pgSettings: { jit: "off" } },
      __urn: "urn:a",
    });
  });

  it("holds no settings where none were declared, or none are known", () => {
    const undeclared = { ...state, __managed: ["projectId", "branchId", "type"] };
    expect(inputsOfState(undeclared)).toStrictEqual({ ...inputs, __urn: "urn:a" });
    const { settings, ...silent } = state;
    expect(settings).toBeDefined();
    expect(inputsOfState(silent)).toStrictEqual({ ...inputs, __urn: "urn:a" });
  });
});

describe("changedArguments", () => {
  it.each<{ was: Partial<EndpointState>; now: object; changed: readonly string[]; reason: string }>([
    { was: {}, now: {}, changed: [], reason: "what is not declared stays as it is" },
    { was: { timeouts: { create: 60 } }, now: {}, changed: ["timeouts"], reason: "a timeout is taken back" },
    {
      was: { onInterruption: "forbid" },
      now: {},
      changed: ["onInterruption"],
      reason: "a policy is taken back",
    },
    {
      was: { restartTriggers: { a: "1" } },
      now: {},
      changed: ["restartTriggers"],
      reason: "triggers are taken back",
    },
    { was: { poolerEnabled: true }, now: {}, changed: [], reason: "the service keeps what it has" },
    {
      was: {},
      now: { settings: unknownValue },
      changed: ["settings"],
      reason: "the whole map is not known yet",
    },
    {
      was: {},
      now: { settings: { pgSettings: {} } },
      changed: ["settings"],
      reason: "a declared setting is left out",
    },
    {
      was: {},
      now: { settings: { pgSettings: { jit: "off" } } },
      changed: [],
      reason: "the service's own settings are its own",
    },
  ])("names $changed: $reason", ({ was, now, changed }) => {
    expect(changedArguments({ ...state, ...was }, { ...inputs, ...now })).toEqual(changed);
  });
});
