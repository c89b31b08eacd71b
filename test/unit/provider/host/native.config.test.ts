/**
 * The provider as a resource of its own: its inputs are the stack's configuration, or an explicit provider's.
 */
import { unknownValue } from "../../../../provider/endpoint/verdict";
import { markSecret as secret } from "../../../../provider/host/marks";
import type { PluginHandlers } from "../../../../provider/host/native";
import { closeBenches } from "../lifecycle/bench";
import { openPluginBench, type PluginBench } from "./plugin";

let bench: PluginBench;
let plugin: PluginHandlers;

beforeEach(async () => {
  bench = await openPluginBench();
  plugin = bench.plugin();
});
afterEach(closeBenches);

describe("the provider's own inputs", () => {
  it("are given back, with the key as a secret whatever the program said", () => {
    const news = { apiKey: "k3y", baseUrl: "https://api.example.com", readSingle: "true" };
    expect(plugin.checkConfig(news)).toEqual({ inputs: { ...news, apiKey: secret("k3y") }, failures: [] });
    const marked = { ...news, apiKey: secret("k3y") };
    expect(plugin.checkConfig(marked)).toEqual({ inputs: marked, failures: [] });
    const unknown = plugin.checkConfig({ apiKey: unknownValue });
    expect(unknown).toEqual({ inputs: { apiKey: secret(unknownValue) }, failures: [] });
  });

  it.each([
    { news: { readSingle: "perhaps" }, names: "compute:readSingle" },
    { news: { onInterruption: "never" }, names: "compute:onInterruption" },
    { news: { liveFacts: secret("2") }, names: "compute:liveFacts" },
    { news: { requestsPerMinute: -1 }, names: "compute:requestsPerMinute" },
  ])("are refused by name where one is wrong: $names", ({ news, names }) => {
    const { failures } = plugin.checkConfig({ ...news, apiKey: "k3y" });
    expect(failures).toEqual([{ property: "", reason: expect.stringContaining(names) as string }]);
    expect(JSON.stringify(failures)).not.toContain("k3y");
  });

  it("may lack the key: another provider may need none", () => {
    expect(plugin.checkConfig({})).toEqual({ inputs: {}, failures: [] });
  });

  it.each([
    { reason: "as text", refreshBeforeUpdate: "false", reads: false },
    { reason: "as such", refreshBeforeUpdate: false, reads: false },
    { reason: "as a secret", refreshBeforeUpdate: secret(false), reads: false },
    { reason: "not at all", refreshBeforeUpdate: undefined, reads: true },
    { reason: "as something unknown", refreshBeforeUpdate: unknownValue, reads: true },
  ])("take a flag $reason", ({ refreshBeforeUpdate, reads }) => {
    expect(bench.plugin({ refreshBeforeUpdate }).refreshesBeforeUpdate()).toBe(reads);
  });
});
