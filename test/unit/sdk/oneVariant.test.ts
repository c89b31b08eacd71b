import * as pulumi from "@pulumi/pulumi";
import { Endpoint } from "../../../sdk";
import { Endpoint as NativeEndpoint } from "../../../sdk/native";
import { mockEngine, place } from "./mocks";

/** Each is a run of its own. */
beforeEach(() => mockEngine());

describe("two Endpoints of one name, one of each variant", () => {
  it.each([
    { first: Endpoint, second: NativeEndpoint, order: "the plugin's second" },
    { first: NativeEndpoint, second: Endpoint, order: "the dynamic provider's second" },
  ])("are refused, with what to do: $order", ({ first: First, second: Second }) => {
    new First("db", place);
    expect(() => new Second("db", place)).toThrow(/Two Endpoints are called "db".*rename one of the two/);
    expect(() => new Second("db2", place)).not.toThrow();
  });

  it("may stand below different parents, and where one is only read", () => {
    new Endpoint("db", place);
    const parent = new pulumi.ComponentResource("own:index:Group", "group");
    expect(() => new NativeEndpoint("db", place, { parent })).not.toThrow();
    expect(() => NativeEndpoint.get("db", "ep-a", { projectId: "p" })).not.toThrow();
  });

  it("may be of different runs in one process", async () => {
    new Endpoint("db", place);
    await mockEngine();
    expect(() => new NativeEndpoint("db", place)).not.toThrow();
  });
});
