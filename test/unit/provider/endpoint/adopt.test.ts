import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { adoptionProblem } from "../../../../provider/endpoint/planning/adopt";
import type { EndpointInputs } from "../../../../provider/endpoint/planning/inputs";
import { unknownValue } from "../../../../provider/pure/unknown";

const inputs: EndpointInputs = { projectId: "p", branchId: "br-a", type: "read_write", adopt: "ep-a" };
const endpoint: ApiEndpoint = {
  id: "ep-a",
  project_id: "p",
  branch_id: "br-a",
  type: "read_write",
  region_id: "local-1",
};

/** What is refused is in lifecycle/adopt. */
describe("a compute to be adopted", () => {
  it.each<{ more: Partial<EndpointInputs>; reason: string }>([
    { more: {}, reason: "it is what the program says" },
    { more: { regionId: "local-1" }, reason: "in the region that the program names" },
    { more: { autoscalingLimitMaxCu: 4, poolerEnabled: true }, reason: "its settings are brought along" },
    { more: { branchId: unknownValue }, reason: "the branch is not known yet" },
  ])("may be taken over: $reason", ({ more }) => {
    expect(adoptionProblem({ ...inputs, ...more }, endpoint)).toBeUndefined();
  });

  it("may be taken over where the service does not say its region", () => {
    const { region_id, ...silent } = endpoint;
    expect(region_id).toBe("local-1");
    expect(adoptionProblem({ ...inputs, regionId: "local-2" }, silent)).toBeUndefined();
  });
});
