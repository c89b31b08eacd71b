/**
 * The plugin that `npm run build` bundles, over gRPC as the engine speaks it: calls that belong to no resource, the handlers'
 * answers on the wire, and how a failure carries what the engine has to store.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import * as grpc from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { startEmulator, type Emulator } from "../../emulator";
import { failureOf, send } from "../support/pluginClient";
import { startEngine, startProviderProcess, type ProviderProcess } from "../support/providerProcess";
import { urnOf } from "../support/variants";

type Values = Record<string, unknown>;

const urn = urnOf("native", "db");
const schemaFile = path.join(__dirname, "..", "..", "dist", "plugin", "schema.json");

let emulator: Emulator;
let projectId: string;
let branchId: string;
let plugin: ProviderProcess;

beforeEach(async () => {
  emulator = await startEmulator({ operationMs: 10 });
  projectId = emulator.createProject().project.id;
  branchId = emulator.createBranch(projectId, { compute: false }).branch.id;
  plugin = await startProviderProcess({
    variant: "native",
    environment: { COMPUTE_API_KEY: emulator.apiKey },
    configuration: { "compute:baseUrl": emulator.url },
  });
});
afterEach(async () => {
  expect(plugin.printed()).toBe("");
  await plugin.close();
  await emulator.close();
});

const declared = (more: Values = {}): Values => ({ projectId, branchId, type: "read_write", ...more });

describe("the engine's calls of a plugin", () => {
  it("Handshake, GetPluginInfo, GetSchema and Configure are answered, with support for previews and secrets", async () => {
    const { client } = plugin;
    const shaken = await send(client, "handshake", { engineAddress: "127.0.0.1:1" });
    expect(shaken.getAcceptSecrets()).toBe(true);
    // Otherwise the engine would pass whole resources instead of their ids, and outputs instead of values.
    expect([shaken.getAcceptResources(), shaken.getAcceptOutputs()]).toEqual([false, false]);

    const info = await send(client, "getPluginInfo");
    expect(info.getVersion()).toMatch(/^\d+\.\d+\.\d+/);

    const schema = await send(client, "getSchema");
    expect(schema.getSchema()).toBe(readFileSync(schemaFile, "utf8"));
    expect(JSON.parse(schema.getSchema())).toMatchObject({ name: "compute", version: info.getVersion() });

    // Configures with the same values again, as an engine does in each run if it attaches to a running plugin.
    const configured = await send(client, "configure", { args: { baseUrl: emulator.url } });
    expect([configured.getAcceptsecrets(), configured.getSupportspreview()]).toEqual([true, true]);
  });

  it("DiffConfig stays unimplemented: with an answer, a new policy would have no effect", async () => {
    const failure = await failureOf(send(plugin.client, "diffConfig"));
    expect(failure.code).toBe(grpc.status.UNIMPLEMENTED);
  });
});

// The paths of settings are in unit/provider/host/plugin.test.ts.
it("a diff on the wire has the kind of each change, each name once, and the verdict last", async () => {
  const { id } = emulator.createEndpoint(projectId, { branch_id: branchId, type: "read_write" }).endpoint;
  const settings = (pgSettings: Values): Values => ({ settings: { pgSettings } });
  const old = declared({ regionId: "local-1", ...settings({ work_mem: "4MB", jit: "off" }) });
  const olds = { ...old, endpointId: id, onInterruption: "warn", __managed: ["settings"], __urn: urn };
  const news = declared({ regionId: "local-2", ...settings({ work_mem: "8MB", jit: "on" }) });
  const { inputs } = await plugin.check(old, { ...news, __urn: urn });
  const answer = await send(plugin.client, "diff", { urn, id, olds, news: inputs });

  const { ADD, UPDATE, UPDATE_REPLACE, DELETE } = messages.PropertyDiff.Kind;
  const kinds: Record<string, number> = {};
  answer.getDetaileddiffMap().forEach((change, name) => (kinds[name] = change.getKind()));
  expect(answer.getHasdetaileddiff()).toBe(true);
  expect(kinds).toEqual({
    regionId: UPDATE_REPLACE,
    "settings.pgSettings.work_mem": UPDATE,
    "settings.pgSettings.jit": UPDATE,
    onInterruption: DELETE,
    interruption: ADD,
  });
  const [verdict, ...names] = answer.getDiffsList().reverse();
  expect(names.sort()).toEqual(["interruption", "onInterruption", "regionId", "settings"]);
  expect(verdict).toMatch(/^__verdict:\{"effect":"replace","service":"interface","certain":true/);
  expect(answer.getChanges()).toBe(messages.DiffResponse.DiffChanges.DIFF_SOME);
  expect([answer.getReplacesList(), answer.getDeletebeforereplace()]).toEqual([["regionId"], true]);
});

/** Another user can call the process, since its port is open to everybody on the machine. */
describe("a configured process", () => {
  it("sends its warnings to its engine, even after a Handshake and an Attach with another address", async () => {
    const { id } = emulator.createEndpoint(projectId, { branch_id: branchId, type: "read_write" }).endpoint;
    const thief = await startEngine();
    try {
      await send(plugin.client, "handshake", { engineAddress: thief.address });
      await send(plugin.client, "attach", { address: thief.address });
      const adopt = { __urn: urn, projectId, branchId, adopt: id };
      const size = { autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
      await plugin.check({}, { ...adopt, ...size, __dryRun: true });
      expect(plugin.said).toEqual([
        // No engine runs here, so no backend says which resource holds the compute.
        expect.stringContaining("could not be read from Pulumi's backend"),
        expect.stringMatching(/^warning .*restart: size/),
      ]);
      expect(thief.said).toEqual([]);
    } finally {
      thief.close();
    }
  });
});
