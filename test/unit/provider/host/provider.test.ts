/** The engine's calls to the plugin that concern no resource: configuration, functions, schema. */
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { schemaFor } from "../../../../provider/host/plugin/engineSchema";
import type { PluginHandlers } from "../../../../provider/host/plugin/handlers";
import { connectLookups } from "../../../../provider/lookups";
import { unknownValue } from "../../../../provider/model/unknown";
import { temporaryFolder } from "../../../support/temporaryFolder";
import { bed, plugin, secret, type Values } from "./bed";

const ofStack = "urn:pulumi:test::tested::pulumi:providers:compute::default_0_1_0";
const ofProgram = "urn:pulumi:test::tested::pulumi:providers:compute::other";

describe("the provider's own inputs", () => {
  const check = (news: Values, urn = ofStack): ReturnType<PluginHandlers["checkConfig"]> =>
    plugin.checkConfig({ urn, news });

  it.each<[reason: string, news: Values, inputs: Values]>([
    [
      "the key as a secret",
      { apiKey: "k3y", liveFacts: "true" },
      { apiKey: secret("k3y"), liveFacts: "true" },
    ],
    ["a marked key", { apiKey: secret("k3y") }, { apiKey: secret("k3y") }],
    ["a key that is not known yet", { apiKey: unknownValue }, { apiKey: secret(unknownValue) }],
    ["no key, since another provider may need no key", {}, {}],
    ["an empty setting of the stack", { baseUrl: "" }, { baseUrl: "" }],
  ])("are returned: %s", (_reason, news, inputs) => {
    expect(check(news)).toEqual({ inputs, failures: [] });
  });

  const unknown = "there is no such setting.";
  it.each<[reasons: readonly string[], news: Values, urn?: string]>([
    [["compute:liveFacts"], { liveFacts: "perhaps" }],
    [["compute:liveFacts"], { liveFacts: secret("2") }],
    [["compute:onInterruption"], { onInterruption: "never" }],
    [["compute:requestsPerMinute"], { requestsPerMinute: -1 }],
    [
      [`reading the provider's argument onInteruption: ${unknown} Write onInterruption.`],
      { onInteruption: "forbid" },
      ofProgram,
    ],
    ...[ofStack, ""].map((urn): [string[], Values, string] => [
      [
        `reading the configuration compute:onInteruption: ${unknown} Remove it with \`pulumi config rm compute:onInteruption\`, and set compute:onInterruption instead.`,
      ],
      { onInteruption: "forbid" },
      urn,
    ]),
    [
      [
        `compute:apikey: ${unknown} Remove it with \`pulumi config rm compute:apikey\`, and set compute:apiKey instead.`,
        "`pulumi config rm compute:colour`. The settings are compute:apiKey,",
        "compute:liveFacts",
      ],
      { apikey: "s3cret", colour: "crimson", liveFacts: "perhaps" },
    ],
    [
      [
        "reading the provider's argument apiKey: it is empty. Set it, or leave it out to use the value of COMPUTE_API_KEY.",
        "argument baseUrl: it is empty",
      ],
      { apiKey: " ", baseUrl: secret("") },
      ofProgram,
    ],
  ])("are refused with %j: %j", (...[reasons, news, urn]) => {
    const { failures } = check({ apiKey: "k3y", ...news }, urn);
    // If a failure named a property, the engine would print its value.
    const expected = reasons.map((reason) => ({
      property: "",
      reason: expect.stringContaining(reason) as string,
    }));
    expect(failures).toEqual(expected);
    expect(JSON.stringify(failures)).not.toMatch(/k3y|s3cret|crimson/);
  });

  it.each(["version", "pluginDownloadURL", "pluginChecksums", "__internal", "__defaults"])(
    "may include the engine's own %s",
    (name) => {
      expect(check({ [name]: "1.0.0" }, ofProgram).failures).toEqual([]);
    },
  );

  it("may include any key if the project has the provider's name: the two then share a configuration", () => {
    const urn = ofStack.replace("tested", "compute");
    expect(check({ colour: "red" }, urn).failures).toEqual([]);
    expect(check({ colour: "red" }, urn.replace("default_0_1_0", "other")).failures).toHaveLength(1);
  });

  it.each([
    ["as text", "false", false],
    ["as a boolean", false, false],
    ["as a secret", secret(false), false],
    ["that is not set", undefined, true],
    ["that is not known yet", unknownValue, true],
  ])("accept a flag %s", (_reason, refreshBeforeUpdate, reads) => {
    expect(bed.plugin({ refreshBeforeUpdate }).refreshesBeforeUpdate()).toBe(reads);
  });
});

it.each<[reason: string, isRefused: boolean, more?: Values, of?: string]>([
  ["another address", true, { baseUrl: "https://other.example.com" }],
  ["another key", true, { apiKey: "other" }],
  ["no policy", true, { onInterruption: undefined }],
  ["another provider", true, {}, ofProgram],
  ["not with the same values: an engine attaches to a running plugin in each run", false],
])(
  "a second configuration of a process is refused if it differs, and the first one stays: %s",
  async (...row) => {
    const [, isRefused, more = {}, of] = row;
    const { emulator, projectId } = bed;
    const configured = bed.plugin({ onInterruption: "forbid" });
    const first: Values = { apiKey: emulator.apiKey, baseUrl: emulator.url, onInterruption: "forbid" };
    const given = Object.entries({ ...first, ...more }).filter(([, value]) => value !== undefined);
    const again = expect(() => {
      configured.configure(Object.fromEntries(given), of);
    });
    const says = "this process already has another configuration, and keeps it";
    (isRefused ? again : again.not).toThrow(says);
    const listed = configured.invoke("compute:index:listEndpoints", { projectId });
    await expect(listed).resolves.toHaveProperty("endpoints");
  },
);

describe("a function of the package", () => {
  const call = (name: string, args: Values, by = plugin): Promise<Values> =>
    by.invoke(`compute:index:${name}`, args);

  it("answers like the lookups of a TypeScript program, without what the service leaves out", async () => {
    const { projectId, branchId, emulator } = bed;
    const endpointId = bed.byHand({ type: "read_write" });
    const connection: Values = { "compute:apiKey": emulator.apiKey, "compute:baseUrl": emulator.url };
    const lookups = connectLookups((key) => connection[key] as string | undefined);
    const found = await lookups.getEndpoint({ projectId, endpointId });
    expect(await call("getEndpoint", { projectId: secret(projectId), endpointId })).toStrictEqual(found);
    expect(await call("getPrimary", { projectId, branchId })).toStrictEqual(found);
    for (const args of [{ projectId }, { projectId, branchId }]) {
      const endpoints = await lookups.listEndpoints(args);
      expect(await call("listEndpoints", args)).toStrictEqual({ endpoints });
    }
    const { cursor, operations } = await lookups.listOperations({ projectId, pageSize: 1 });
    expect(await call("listOperations", { projectId, pageSize: 1 })).toStrictEqual({ cursor, operations });
    const last = await lookups.listOperations({ projectId, cursor, pageSize: 100 });
    const rest = await call("listOperations", { projectId, cursor, pageSize: 100 });
    expect(rest).toStrictEqual({ operations: last.operations });
    const { operationId } = operations[0]!;
    expect(await call("getOperation", { projectId, operationId })).toStrictEqual(operations[0]);
  });

  const none =
    "there is no such function. The functions are getEndpoint, getPrimary, listEndpoints, getOperation, listOperations.";
  it.each<[name: string, args: Values, says: string]>([
    ["constructor", {}, none],
    ["getEndpoint", {}, "arguments are missing: projectId, endpointId"],
    ["getEndpoint", { projectId: "p" }, "arguments are missing: endpointId"],
    ["getPrimary", { projectId: "p" }, "arguments are missing: branchId"],
    ["listOperations", { projectId: 7 }, "arguments are missing: projectId"],
  ])("is refused before anything is sent: %s with %j", async (name, args, says) => {
    await expect(call(name, args)).rejects.toThrow(`calling compute:index:${name}: ${says}`);
    expect(bed.takeRoutes()).toEqual([]);
  });

  it.each<[what: string, args: () => Values]>([
    ["secret", () => ({ projectId: secret("hidden-project-1"), endpointId: secret("ep-hidden-1") })],
    [
      "token of Pulumi that was pasted in the wrong place",
      () => ({ projectId: bed.projectId, endpointId: "pul-hidden-1" }),
    ],
  ])("fails without naming a %s", async (_what, args) => {
    jest.replaceProperty(process, "env", { ...process.env, PULUMI_ACCESS_TOKEN: "pul-hidden-1" });
    const lookup = call("getEndpoint", args(), bed.plugin());
    await expect(lookup).rejects.toThrow(/^(?!.*hidden).*\[redacted\]/);
    jest.restoreAllMocks();
  });
});

describe("a list of computes", () => {
  it("has the id that an import takes, and the name at the service", async () => {
    const { projectId, branchId } = bed;
    const id = bed.byHand({ name: "shop\u001b[2J\n::error::" });
    const listed = { id: `${projectId}/${id}`, name: "shop [2J ::error::" };
    const all = await plugin.list({ projectId: secret(projectId) });
    expect([all.length, all.at(-1)]).toEqual([2, listed]);
    expect(await plugin.list({ projectId, branchId })).toEqual([listed]);
  });

  it.each<[says: string, query: Values]>([
    ["missing: projectId", {}],
    ["404", { projectId: "nope" }],
  ])("fails with %s for %j", async (says, query) => {
    await expect(plugin.list(query)).rejects.toThrow(says);
  });
});

it.each<[reason: string, isNamed: boolean, project: string | undefined, hasPackage: boolean, at?: "plugin"]>([
  ["a project with the package, so that the code from `pulumi import` runs", true, "shop", true],
  [
    "a plugin inside the package, since `pulumi convert --out` writes outside the project",
    true,
    "shop",
    true,
    "plugin",
  ],
  ["a project without the package, where npm would refuse an SDK of that name", false, "shop", false],
  ["a project without a name", false, "", true],
])(
  "whether the engine's schema names the npm package for %s: %s",
  (...[, isNamed, project, hasPackage, at]) => {
    const folder = temporaryFolder();
    const modules = path.join(folder, "node_modules", "pulumi-compute-endpoint");
    mkdirSync(modules, { recursive: true });
    const manifest = { name: "pulumi-compute-endpoint", exports: { "./native": "./native.js" } };
    if (hasPackage) writeFileSync(path.join(modules, "package.json"), JSON.stringify(manifest));
    if (hasPackage) writeFileSync(path.join(modules, "native.js"), "");
    const folders =
      at === "plugin" ? [path.join(tmpdir(), "elsewhere"), path.join(modules, "dist", "plugin")] : [folder];
    const schema = '{"name":"compute","language":{"python":{}}}';
    const named =
      '{"name":"compute","language":{"python":{},"nodejs":{"packageName":"pulumi-compute-endpoint/native"}}}';
    expect(schemaFor(schema, { project, folders })).toBe(isNamed ? named : schema);
  },
);
