import * as pulumi from "@pulumi/pulumi";
import { EndpointRestart } from "../../../sdk";
import { EndpointRestart as NativeRestart } from "../../../sdk/native";
import { mockEngine, valueOf, type Declared } from "./mocks";

let seen: ReadonlyMap<string, Declared>;

beforeAll(async () => {
  seen = await mockEngine();
});

const args = { projectId: "p", endpointId: "ep-app", triggers: { release: "2026-48" } };

describe("an EndpointRestart, under a user's mocks", () => {
  it("is declared with its arguments and the names of its secrets, by the dynamic provider", async () => {
    const triggers = { release: "2026-48", token: pulumi.secret("tok-4711") };
    const restart = new EndpointRestart("weekly", { ...args, triggers });
    await expect(valueOf(restart.endpointId)).resolves.toBe("ep-app");
    expect(seen.get("weekly")).toMatchObject({
      type: "pulumi-nodejs:dynamic/compute:EndpointRestart",
      inputs: { projectId: "p", endpointId: "ep-app", __secrets: ["triggers"] },
    });
    await expect(valueOf(restart.triggers)).resolves.toEqual({ release: "2026-48", token: "tok-4711" });
    await expect(pulumi.isSecret(restart.triggers)).resolves.toBe(true);
    expect(seen.get("weekly")?.inputs["__urn"]).toBe(await valueOf(restart.urn));
  });

  it("is declared with its arguments alone, by the plugin", async () => {
    await valueOf(new NativeRestart("native", args).urn);
    expect(seen.get("native")).toEqual({ type: "compute:index:EndpointRestart", inputs: args });
  });

  it.each([{ id: "restart-weekly" }, { import: "restart-weekly" }])(
    "refuses to be imported or read: %j",
    (option) => {
      expect(() => new EndpointRestart("imported", args, option)).toThrow("imported: a restart is an event");
    },
  );
});
