import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { adoptionProblem } from "../../../../provider/endpoint/planning/adopt";
import type { EndpointInputs } from "../../../../provider/endpoint/planning/inputs";
import { unknownValue } from "../../../../provider/endpoint/planning/unknown";

const inputs: EndpointInputs = { projectId: "p", branchId: "br-a", type: "read_write", adopt: "ep-a" };
const endpoint: ApiEndpoint = {
  id: "ep-a",
  project_id: "p",
  branch_id: "br-a",
  type: "read_write",
  region_id: "local-1",
};

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

  it.each<{ more: Partial<EndpointInputs>; message: string; reason: string }>([
    {
      more: { branchId: "br-b" },
      message: "its branchId is br-a, but the program says br-b. Set branchId to br-a to adopt it",
      reason: "another branch",
    },
    {
      more: { type: "read_only" },
      message: "its type is read_write, but the program says read_only. Set type to read_write",
      reason: "another type",
    },
    {
      more: { regionId: "local-2" },
      message: "its regionId is local-1, but the program says local-2. Set regionId to local-1",
      reason: "another region",
    },
  ])("is left alone, with the value that would fit: $reason", ({ more, message }) => {
    expect(adoptionProblem({ ...inputs, ...more }, endpoint)?.message).toContain(
      `adopting compute ep-a: ${message}`,
    );
  });

  it("is named where the project has none such", () => {
    expect(adoptionProblem(inputs, undefined)?.message).toMatch(
      /^adopting compute ep-a: project p has no such compute\. Correct the id/,
    );
  });
});
