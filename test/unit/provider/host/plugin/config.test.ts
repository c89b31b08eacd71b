/**
 * The provider as a resource of its own: its inputs are the stack's configuration, or an explicit provider's.
 */
import { unknownValue } from "../../../../../provider/model/unknown";
import { markSecret as secret } from "../../../../../provider/host/plugin/propertyValues";
import type { PluginHandlers } from "../../../../../provider/host/plugin/handlers";
import { bench, plugin } from "./bench";

const ofStack = "urn:pulumi:test::tested::pulumi:providers:compute::default_0_1_0";
const ofProgram = "urn:pulumi:test::tested::pulumi:providers:compute::other";

function check(news: Record<string, unknown>, urn = ofStack): ReturnType<PluginHandlers["checkConfig"]> {
  return plugin.checkConfig({ urn, news });
}

describe("the provider's own inputs", () => {
  it("are given back, with the key as a secret whatever the program said", () => {
    const news = { apiKey: "k3y", baseUrl: "https://api.example.com", liveFacts: "true" };
    expect(check(news)).toEqual({ inputs: { ...news, apiKey: secret("k3y") }, failures: [] });
    const marked = { ...news, apiKey: secret("k3y") };
    expect(check(marked)).toEqual({ inputs: marked, failures: [] });
    const unknown = check({ apiKey: unknownValue });
    expect(unknown).toEqual({ inputs: { apiKey: secret(unknownValue) }, failures: [] });
  });

  it.each([
    { news: { liveFacts: "perhaps" }, names: "compute:liveFacts" },
    { news: { onInterruption: "never" }, names: "compute:onInterruption" },
    { news: { liveFacts: secret("2") }, names: "compute:liveFacts" },
    { news: { requestsPerMinute: -1 }, names: "compute:requestsPerMinute" },
  ])("are refused by name where one is wrong: $names", ({ news, names }) => {
    const { failures } = check({ ...news, apiKey: "k3y" });
    expect(failures).toEqual([{ property: "", reason: expect.stringContaining(names) as string }]);
    expect(JSON.stringify(failures)).not.toContain("k3y");
  });

  it.each([
    {
      of: "a program",
      urn: ofProgram,
      told: "reading the provider's argument onInteruption: there is no such setting. Write onInterruption.",
    },
    ...[
      { of: "a stack", urn: ofStack },
      { of: "one that the engine does not say", urn: "" },
    ].map((row) => ({
      ...row,
      told:
        "reading the configuration compute:onInteruption: there is no such setting. Write compute:onInterruption. " +
        "Remove it with `pulumi config rm compute:onInteruption`.",
    })),
  ])("are refused where one of $of is no setting, with the one that was meant", ({ urn, told }) => {
    expect(check({ onInteruption: "forbid" }, urn).failures).toEqual([{ property: "", reason: told }]);
  });

  it("are told each, with the settings that there are where none is near", () => {
    const { failures } = check({ apikey: "k3y", colour: "crimson", liveFacts: "perhaps" });
    // With a property's name the engine would print the value.
    expect(failures.map(({ property }) => property)).toEqual(["", "", ""]);
    expect(failures[0]?.reason).toContain("compute:apikey: there is no such setting. Write compute:apiKey.");
    expect(failures[1]?.reason).toMatch(
      /`pulumi config rm compute:colour`: the settings are compute:apiKey,/,
    );
    expect(JSON.stringify(failures)).not.toMatch(/k3y|crimson/);
  });

  it.each(["version", "pluginDownloadURL", "pluginChecksums", "__internal", "__defaults"])(
    "may have %s, which is the engine's",
    (name) => {
      expect(check({ [name]: "1.0.0" }, ofProgram).failures).toEqual([]);
    },
  );

  it("may have any key where a project of the provider's own name keeps its configuration there", () => {
    const urn = "urn:pulumi:test::compute::pulumi:providers:compute::default_0_1_0";
    expect(check({ colour: "red" }, urn).failures).toEqual([]);
    expect(check({ colour: "red" }, urn.replace("default_0_1_0", "other")).failures).toHaveLength(1);
  });

  it("are refused where an argument came out empty: the environment's account was not meant", () => {
    expect(check({ apiKey: " ", baseUrl: secret("") }, ofProgram).failures).toEqual([
      {
        property: "",
        reason:
          "reading the provider's argument apiKey: it is empty. Give it a value, or leave it out to take that of COMPUTE_API_KEY.",
      },
      { property: "", reason: expect.stringContaining("argument baseUrl: it is empty") as string },
    ]);
    expect(check({ apiKey: "" }, ofStack).failures).toEqual([]);
  });

  it("may lack the key: another provider may need none", () => {
    expect(check({})).toEqual({ inputs: {}, failures: [] });
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

describe("a second configuration of a process", () => {
  const message = "this process has another configuration already, and keeps it";

  it.each([
    { reason: "another address", more: { baseUrl: "https://other.example.com" }, of: "" },
    { reason: "another key", more: { apiKey: "other" }, of: "" },
    { reason: "a policy less", more: { onInterruption: undefined }, of: "" },
    { reason: "another provider", more: {}, of: ofProgram },
  ])("is refused, and the first one stays: $reason", async ({ more, of }) => {
    const { emulator, projectId } = bench;
    const first = {
      apiKey: emulator.apiKey,
      baseUrl: emulator.url,
      onInterruption: "forbid",
    };
    const configured = bench.plugin({ onInterruption: "forbid" });
    const given = Object.entries({ ...first, ...more }).filter(([, value]) => value !== undefined);
    expect(() => {
      configured.configure(Object.fromEntries(given), of);
    }).toThrow(message);
    await expect(configured.invoke("compute:index:listEndpoints", { projectId })).resolves.toHaveProperty(
      "endpoints",
    );
  });

  it("with the same values is accepted: an engine attaches to a running plugin in each run", () => {
    const { emulator } = bench;
    expect(() => {
      plugin.configure({ apiKey: emulator.apiKey, baseUrl: emulator.url });
    }).not.toThrow();
  });
});
