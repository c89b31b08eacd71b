/**
 * Another user at the bundled plugin: its port is open to everybody on the machine.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { startEmulator } from "../../emulator";
import { ask, toStruct } from "../support/pluginClient";
import { startEngine, startProviderProcess } from "../support/providerProcess";
import { urnOf } from "../support/variants";

it("Configure with other values is refused: the environment's key goes to no second address", async () => {
  const emulator = await startEmulator();
  const received: string[] = [];
  const thief = createServer((request, answer) => {
    received.push(request.headers.authorization ?? "");
    answer.end('{"endpoints":[]}');
  });
  await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
  const plugin = await startProviderProcess({
    variant: "native",
    environment: { COMPUTE_API_KEY: emulator.apiKey },
    configuration: { "compute:baseUrl": emulator.url },
  });
  try {
    const second = new messages.ConfigureRequest();
    second.setArgs(toStruct({ baseUrl }));
    const configured = ask<messages.ConfigureResponse>((done) => plugin.client.configure(second, done));
    await expect(configured).rejects.toThrow(
      "configuring the provider: this process has another configuration already, and keeps it. ",
    );
    const lookup = new messages.InvokeRequest();
    lookup.setTok("compute:index:listEndpoints");
    lookup.setArgs(toStruct({ projectId: emulator.createProject().project.id }));
    await ask<messages.InvokeResponse>((done) => plugin.client.invoke(lookup, done));
    expect(received).toEqual([]);
    expect(emulator.requests()).toHaveLength(1);
  } finally {
    await plugin.close();
    thief.close();
    await emulator.close();
  }
});

it("Handshake and Attach with another address take no warning away from the engine", async () => {
  const emulator = await startEmulator();
  const { project, branch, endpoint } = emulator.createProject();
  const thief = await startEngine();
  const plugin = await startProviderProcess({
    variant: "native",
    configuration: { "compute:apiKey": emulator.apiKey, "compute:baseUrl": emulator.url },
  });
  try {
    const hands = new messages.ProviderHandshakeRequest();
    hands.setEngineAddress(thief.address);
    await ask<messages.ProviderHandshakeResponse>((done) => plugin.client.handshake(hands, done));
    const attached = new PluginAttach();
    attached.setAddress(thief.address);
    await ask<Empty>((done) => plugin.client.attach(attached, done));
    const __urn = urnOf("native", "db");
    const adopt = { projectId: project.id, branchId: branch.id, adopt: endpoint.id, __urn };
    const size = { autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
    await plugin.check({}, { ...adopt, ...size, __dryRun: true });
    expect(plugin.said).toEqual([expect.stringMatching(/^warning .*restart: size/)]);
    expect(thief.said).toEqual([]);
  } finally {
    await plugin.close();
    thief.close();
    await emulator.close();
  }
});
