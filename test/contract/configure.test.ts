/**
 * Another user at the bundled plugin: its port is open to everybody on the machine.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ask, toStruct } from "../support/pluginClient";
import { startEngine } from "../support/providerProcess";
import { urnOf } from "../support/variants";
import { branchId, emulator, plugin, pluginForEachTest, projectId } from "./processes";

pluginForEachTest();

it("Configure with other values is refused: the environment's key goes to no second address", async () => {
  const received: string[] = [];
  const thief = createServer((request, answer) => {
    received.push(request.headers.authorization ?? "");
    answer.end('{"endpoints":[]}');
  });
  await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
  try {
    const second = new messages.ConfigureRequest();
    const { port } = thief.address() as AddressInfo;
    second.setArgs(toStruct({ baseUrl: `http://127.0.0.1:${port}` }));
    const configured = ask<messages.ConfigureResponse>((done) => plugin.client.configure(second, done));
    await expect(configured).rejects.toThrow(
      "configuring the provider: this process has another configuration already, and keeps it. ",
    );
    const lookup = new messages.InvokeRequest();
    lookup.setTok("compute:index:listEndpoints");
    lookup.setArgs(toStruct({ projectId }));
    await ask<messages.InvokeResponse>((done) => plugin.client.invoke(lookup, done));
    expect(received).toEqual([]);
    expect(emulator.requests()).toHaveLength(1);
  } finally {
    thief.close();
  }
});

it("Handshake and Attach with another address take no warning away from the engine", async () => {
  const { id } = emulator.createEndpoint(projectId, { branch_id: branchId, type: "read_write" }).endpoint;
  const thief = await startEngine();
  try {
    const hands = new messages.ProviderHandshakeRequest();
    hands.setEngineAddress(thief.address);
    await ask<messages.ProviderHandshakeResponse>((done) => plugin.client.handshake(hands, done));
    const attached = new PluginAttach();
    attached.setAddress(thief.address);
    await ask<Empty>((done) => plugin.client.attach(attached, done));
    const adopt = { __urn: urnOf("native", "db"), projectId, branchId, adopt: id };
    const size = { autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
    await plugin.check({}, { ...adopt, ...size, __dryRun: true });
    expect(plugin.said).toEqual([expect.stringMatching(/^warning .*restart: size/)]);
    expect(thief.said).toEqual([]);
  } finally {
    thief.close();
  }
});
