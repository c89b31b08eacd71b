import * as pulumi from "@pulumi/pulumi";
import { Endpoint, getPrimary } from "../../../sdk";
import { mockEngine, place } from "./mocks";

async function inProject(project: string, config: Readonly<Record<string, string>>): Promise<void> {
  await mockEngine(project);
  pulumi.runtime.setAllConfig(config);
}

afterEach(() => {
  pulumi.runtime.setAllConfig({});
});

const meant =
  "reading the configuration compute:onInteruption: there is no such setting. Write compute:onInterruption. " +
  "Remove it with `pulumi config rm compute:onInteruption`.";

describe("a key of the stack that is no setting", () => {
  it("is refused with the one that was meant, when the program declares a compute or asks for one", async () => {
    await inProject("tested", { "compute:onInteruption": "forbid" });
    expect(() => new Endpoint("app", place)).toThrow(meant);
    await expect(getPrimary(place)).rejects.toThrow(meant);
  });

  it("is told beside the others", async () => {
    await inProject("tested", { "compute:colour": "red", "compute:onInteruption": "forbid" });
    expect(() => new Endpoint("app", place)).toThrow(
      /compute:colour: there is no such setting.*the settings are compute:apiKey,.*\nreading the configuration compute:onInteruption/,
    );
  });

  it.each([
    ["another namespace's", "tested", { "aws:region": "eu", "computer:size": "1" }],
    ["the plugin's alone", "tested", { "compute:refreshBeforeUpdate": "false" }],
    ["the project's own", "compute", { "compute:colour": "red" }],
  ])("is none where it is %s", async (_reason, project, config) => {
    await inProject(project, config);
    expect(() => new Endpoint("app", place)).not.toThrow();
  });
});
