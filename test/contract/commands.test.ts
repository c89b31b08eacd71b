/**
 * What `pulumi do` asks of the plugin over gRPC: it has no state, so a read is all that it knows of a compute.
 */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ask, pluginOver } from "../support/pluginClient";
import { urnOf } from "../support/variants";
import { branchId, emulator, plugin, pluginForEachTest, projectId } from "./processes";

type Values = Record<string, unknown>;

const urn = urnOf("native", "Endpoint");

pluginForEachTest();

describe("what `pulumi do` asks, which has no state", () => {
  /** As the command does it: the read's inputs with the patch over them, and then all three calls. */
  const patched = async (id: string, patch: Values): Promise<Values> => {
    const handlers = pluginOver(plugin.client);
    const read = await handlers.read({ urn, id: `${projectId}/${id}`, properties: {}, inputs: {} });
    const news = { ...read.inputs, ...patch };
    const { inputs, failures } = await handlers.check({ urn, olds: read.inputs, news });
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join());
    const pair = { urn, olds: read.properties, news: inputs };
    await handlers.diff(pair);
    return (await handlers.update({ ...pair, preview: false, timeout: 0 })).properties;
  };
  const made = (): string =>
    emulator.createEndpoint(projectId, { branch_id: branchId, type: "read_only" }).endpoint.id;

  it("Delete: by the id that names the project as well", async () => {
    const id = made();
    const deleting = (named: string): Promise<Empty> => {
      const request = new messages.DeleteRequest();
      request.setUrn(urn);
      request.setId(named);
      return ask<Empty>((done) => plugin.client.delete(request, done));
    };
    await expect(deleting(id)).rejects.toThrow(`delete PROJECT/${id}`);
    await expect(deleting(`a/b/${id}`)).rejects.toThrow("not of the form PROJECT/ep-…");
    await deleting(`${projectId}/${id}`);
    expect(() => emulator.endpoint(id)).toThrow();
  });

  it("Update: a replica's size changes, and it stays a replica", async () => {
    const id = made();
    const properties = await patched(id, { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 });
    expect(properties).toMatchObject({ type: "read_only", autoscalingLimitMaxCu: 1 });
    expect(emulator.endpoint(id).endpoint).toMatchObject({ autoscaling_limit_max_cu: 1 });
  });

  it("Update: what would have to replace the compute is refused, and nothing is sent", async () => {
    const id = made();
    await expect(patched(id, { regionId: "elsewhere" })).rejects.toThrow(
      `changing compute ${id}: regionId cannot change in a compute that exists, and nothing was sent.`,
    );
    expect(emulator.requests().every(({ method }) => method === "GET")).toBe(true);
  });

  it("Check: what `forbid` refuses in a program, it refuses here", async () => {
    const id = made();
    const patch = { autoscalingLimitMaxCu: 2, onInterruption: "forbid" };
    await expect(patched(id, patch)).rejects.toThrow(
      'forbidden here (onInterruption is "forbid" on this resource)',
    );
    expect(emulator.requests().every(({ method }) => method === "GET")).toBe(true);
  });
});
