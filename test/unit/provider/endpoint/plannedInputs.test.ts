import {
  type EndpointInputs,
  knownInputs,
  plannedInputs,
} from "../../../../provider/endpoint/planning/inputs";
import { toUpdateBody } from "../../../../provider/endpoint/state";
import { unknownValue } from "../../../../provider/pure/unknown";

const declared = { projectId: "p", branchId: "br-a", type: "read_write", autoscalingLimitMaxCu: 2 };

describe("a declaration whose values may not be known yet", () => {
  it("cannot be sent", () => {
    const planned = plannedInputs({ ...declared, branchId: unknownValue });
    // @ts-expect-error -- whoever sends one has to ask for the known ones first.
    const sent: EndpointInputs = planned;
    expect(toUpdateBody(sent, ["autoscalingLimitMaxCu"])).toEqual({ autoscaling_limit_max_cu: 2 });
  });

  it.each([
    { args: { ...declared, branchId: unknownValue }, name: "branchId" },
    { args: { ...declared, settings: { pgSettings: { a: unknownValue } } }, name: "settings" },
  ])("is refused where it is to be sent, by the name of $name", ({ args, name }) => {
    expect(() => knownInputs(args)).toThrow(`${name} is not known yet`);
  });

  it("passes where everything is known", () => {
    expect(knownInputs(declared)).toBe(declared);
  });
});
