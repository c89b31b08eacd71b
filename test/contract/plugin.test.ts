/**
 * The plugin that `npm run build` bundles, over gRPC as the engine speaks it: what is asked of no resource, what the
 * handlers' answers look like on the wire, and how a failure carries what is kept.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import * as grpc from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { markSecret } from "../../provider/host/plugin/secretMarks";
import { urnOf } from "../support/variants";
import { ask, fromStruct, pluginOver, toStruct } from "../support/pluginClient";
import { branchId, emulator, failureOf, plugin, pluginForEachTest, projectId } from "./processes";

type Values = Record<string, unknown>;

const urn = urnOf("native", "db");
const schemaFile = path.join(__dirname, "..", "..", "dist", "plugin", "schema.json");

pluginForEachTest();

const declared = (more: Values = {}): Values => ({ projectId, branchId, type: "read_write", ...more });

describe("what the engine asks of a plugin", () => {
  it("Handshake, GetPluginInfo, GetSchema and Configure are answered for previews and secrets", async () => {
    const { client } = plugin;
    const hands = new messages.ProviderHandshakeRequest();
    hands.setEngineAddress("127.0.0.1:1");
    const shaken = await ask<messages.ProviderHandshakeResponse>((done) => client.handshake(hands, done));
    expect(shaken.getAcceptSecrets()).toBe(true);
    // The engine would pass whole resources in place of their ids, and outputs in place of values.
    expect([shaken.getAcceptResources(), shaken.getAcceptOutputs()]).toEqual([false, false]);

    const info = await ask<PluginInfo>((done) => client.getPluginInfo(new Empty(), done));
    expect(info.getVersion()).toMatch(/^\d+\.\d+\.\d+/);

    const asked = new messages.GetSchemaRequest();
    const schema = await ask<messages.GetSchemaResponse>((done) => client.getSchema(asked, done));
    expect(schema.getSchema()).toBe(readFileSync(schemaFile, "utf8"));
    expect(JSON.parse(schema.getSchema())).toMatchObject({ name: "compute", version: info.getVersion() });

    // With the same values as before: an engine that attaches to a running plugin does so in each run.
    const settings = new messages.ConfigureRequest();
    settings.setArgs(toStruct({ baseUrl: emulator.url }));
    const configured = await ask<messages.ConfigureResponse>((done) => client.configure(settings, done));
    expect([configured.getAcceptsecrets(), configured.getSupportspreview()]).toEqual([true, true]);
  });

  it("CheckConfig names a wrong value, and gives the key back as a secret", async () => {
    const request = new messages.CheckRequest();
    request.setNews(toStruct({ apiKey: "k3y", liveFacts: "perhaps" }));
    const answer = await ask<messages.CheckResponse>((done) => plugin.client.checkConfig(request, done));
    expect(fromStruct(answer.getInputs())).toEqual({ apiKey: markSecret("k3y"), liveFacts: "perhaps" });
    expect(answer.getFailuresList().map((failure) => failure.getReason())).toEqual([
      expect.stringContaining("compute:liveFacts"),
    ]);
  });

  it("DiffConfig stays unimplemented: after an answer, a new policy would count for nothing", async () => {
    const request = new messages.DiffRequest();
    const failure = await failureOf(
      ask<messages.DiffResponse>((done) => plugin.client.diffConfig(request, done)),
    );
    expect(failure.code).toBe(grpc.status.UNIMPLEMENTED);
  });

  it("Invoke answers, and refuses in one sentence", async () => {
    const { client } = plugin;
    const request = new messages.InvokeRequest();
    request.setTok("compute:index:listEndpoints");
    request.setArgs(toStruct({ projectId: markSecret(projectId) }));
    const answer = await ask<messages.InvokeResponse>((done) => client.invoke(request, done));
    expect(fromStruct(answer.getReturn())).toMatchObject({ endpoints: [{ projectId }] });
    request.setTok("compute:index:nothing");
    const failure = await failureOf(ask<messages.InvokeResponse>((done) => client.invoke(request, done)));
    expect(failure.message).toMatch(/^calling compute:index:nothing: there is no such function\. Call .*\.$/);
  });
});

describe("a diff on the wire", () => {
  const settings = (pgSettings: Values): Values => ({ settings: { pgSettings } });
  const state = (more: Values): Values => ({ endpointId: "ep-a", ...declared(more), __urn: urn });

  it("has the kind of each change by its path, its names once, and the judgement last", async () => {
    const { id } = emulator.createEndpoint(projectId, { branch_id: branchId, type: "read_write" }).endpoint;
    const olds = state({
      endpointId: id,
      autoscalingLimitMinCu: 1,
      autoscalingLimitMaxCu: 2,
      ...settings({ work_mem: "4MB", jit: "off", "ext.a": "1" }),
      __managed: ["settings", ...["work_mem", "jit", "ext.a"].map((name) => `settings.pgSettings.${name}`)],
      regionId: "local-1",
      onInterruption: "warn",
    });
    const old = declared({ autoscalingLimitMinCu: 1, ...settings({ work_mem: "4MB" }) });
    const next = {
      autoscalingLimitMinCu: 2,
      regionId: "local-2",
      ...settings({ work_mem: "8MB", "ext.a": "2", "b c": "3" }),
    };
    const { inputs } = await pluginOver(plugin.client).check({ urn, olds: old, news: declared(next) });
    const request = new messages.DiffRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(toStruct(olds));
    request.setNews(toStruct(inputs));
    const answer = await ask<messages.DiffResponse>((done) => plugin.client.diff(request, done));

    const { ADD, UPDATE, UPDATE_REPLACE, DELETE } = messages.PropertyDiff.Kind;
    const kinds: Record<string, number> = {};
    answer.getDetaileddiffMap().forEach((change, name) => (kinds[name] = change.getKind()));
    expect(answer.getHasdetaileddiff()).toBe(true);
    expect(kinds).toEqual({
      regionId: UPDATE_REPLACE,
      autoscalingLimitMinCu: UPDATE,
      "settings.pgSettings.work_mem": UPDATE,
      'settings.pgSettings["ext.a"]': UPDATE,
      'settings.pgSettings["b c"]': ADD,
      "settings.pgSettings.jit": DELETE,
      onInterruption: DELETE,
      interruption: ADD,
    });
    const [verdict, ...names] = answer.getDiffsList().reverse();
    expect(names.sort()).toEqual([
      "autoscalingLimitMinCu",
      "interruption",
      "onInterruption",
      "regionId",
      "settings",
    ]);
    expect(verdict).toMatch(/^__verdict:\{"effect":"replace","service":"interface","certain":true/);
    expect(answer.getChanges()).toBe(messages.DiffResponse.DiffChanges.DIFF_SOME);
    expect([answer.getReplacesList(), answer.getDeletebeforereplace()]).toEqual([["regionId"], true]);
  });
});

describe("a compute's life on the wire", () => {
  it("is previewed with one list, and asks to be read before each change", async () => {
    const handlers = pluginOver(plugin.client);
    const news = declared({ branchId: markSecret(branchId) });
    const { inputs } = await handlers.check({ urn, olds: {}, news });
    const foreseen = await handlers.create({ urn, properties: inputs, preview: true, timeout: 0 });
    expect(foreseen).toMatchObject({ id: "", properties: { ...inputs, branchId: markSecret(branchId) } });
    // The branch may have a primary already.
    expect(emulator.requests().map(({ route }) => route)).toEqual(["listEndpoints"]);

    const { id, properties } = await handlers.create({ urn, properties: inputs, preview: false, timeout: 0 });
    expect(handlers.refreshesBeforeUpdate()).toBe(true);
    expect(properties).toMatchObject({ ...inputs, endpointId: id });
    const seen = await handlers.read({ urn, id, properties, inputs });
    expect(handlers.refreshesBeforeUpdate()).toBe(true);
    expect(seen).toEqual({ id, properties, inputs });
  });

  it("goes on at the service when the run is cancelled: the wait ends at once, and the id is kept", async () => {
    emulator.setTimeline({ runningMs: 300_000, times: 1 });
    const handlers = pluginOver(plugin.client);
    const call = failureOf(handlers.create({ urn, properties: declared(), preview: false, timeout: 0 }));
    while (!emulator.requests().some(({ route }) => route === "getOperation"))
      await new Promise((resolve) => setTimeout(resolve, 10));
    const startMs = performance.now();
    await ask<Empty>((done) => plugin.client.cancel(new Empty(), done));
    const { kept, message } = await call;
    expect(performance.now() - startMs).toBeLessThan(5_000);
    expect(message).toContain("it goes on at the service");
    expect(kept?.properties["__operations"]).toHaveLength(1);
    expect(emulator.endpoint(kept?.id ?? "").endpoint).toMatchObject({ branch_id: branchId });
  });
});
