/**
 * Another user's `Configure` at the bundled plugin: its port is open to everybody on the machine.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { startEmulator } from "../../emulator";
import { ask, toStruct } from "../support/pluginClient";
import { startProviderProcess } from "../support/providerProcess";

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
