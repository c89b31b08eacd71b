/**
 * The engine's side of a plugin's gRPC, in the shape of the plugin's own handlers.
 */
import type * as grpc from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { PropertyChange } from "../../provider/host/plugin/detailedDiff";
import type { PluginCalls, Values } from "./pluginHandlers";

/** What the engine shows of a call that failed. */
export class CallFailure extends Error {
  constructor(
    message: string,
    /** What it keeps of a resource that exists but is not as it should be. */
    readonly kept?: {
      readonly id: string;
      readonly properties: Values;
      readonly reasons: readonly string[];
      readonly refreshesBeforeUpdate: boolean;
    },
    readonly code?: grpc.status,
  ) {
    super(message);
  }
}

/** The calls of the engine; whether a compute is to be read before a change, its last answer says. */
export function pluginOver(client: ResourceProviderClient): PluginCalls {
  let refreshes = false;
  const noted = <T extends { getRefreshBeforeUpdate(): boolean }>(answer: T): T => {
    refreshes = answer.getRefreshBeforeUpdate();
    return answer;
  };
  return {
    configure: () => {
      throw new Error("a plugin is configured once, when it is started");
    },
    check: async ({ urn, olds, news }) => {
      const request = pairOf(new messages.CheckRequest(), { urn, olds, news });
      const answer = await ask<messages.CheckResponse>((done) => client.check(request, done));
      const failures = answer.getFailuresList().map((failure) => failure.toObject());
      return { inputs: fromStruct(answer.getInputs()), failures };
    },
    diff: async ({ urn, olds, news }) => {
      const request = pairOf(new messages.DiffRequest(), { urn, olds, news });
      request.setId(String(olds["endpointId"]));
      const answer = await ask<messages.DiffResponse>((done) => client.diff(request, done));
      const detailed: Record<string, PropertyChange> = {};
      answer.getDetaileddiffMap().forEach((change, path) => {
        detailed[path] = kinds[change.getKind()]!;
      });
      return {
        changes: hasChanges(answer),
        replaces: answer.getReplacesList(),
        deleteBeforeReplace: answer.getDeletebeforereplace(),
        detailed,
        verdict: answer.getDiffsList().find((reason) => reason.startsWith("__verdict:")),
      };
    },
    create: async ({ urn, properties, preview, timeout }) => {
      const request = new messages.CreateRequest();
      request.setUrn(urn);
      request.setProperties(toStruct(properties));
      request.setPreview(preview);
      request.setTimeout(timeout);
      const answer = noted(await ask<messages.CreateResponse>((done) => client.create(request, done)));
      return { id: answer.getId(), properties: fromStruct(answer.getProperties()) };
    },
    read: async ({ urn, id, properties, inputs }) => {
      const request = new messages.ReadRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setProperties(toStruct(properties));
      request.setInputs(toStruct(inputs));
      const answer = noted(await ask<messages.ReadResponse>((done) => client.read(request, done)));
      const found = {
        properties: fromStruct(answer.getProperties()),
        inputs: fromStruct(answer.getInputs()),
      };
      return { id: answer.getId(), ...found };
    },
    update: async ({ urn, olds, news, preview, timeout }) => {
      const request = pairOf(new messages.UpdateRequest(), { urn, olds, news });
      request.setId(String(olds["endpointId"]));
      request.setPreview(preview);
      request.setTimeout(timeout);
      const answer = noted(await ask<messages.UpdateResponse>((done) => client.update(request, done)));
      return { properties: fromStruct(answer.getProperties()) };
    },
    delete: async ({ urn, properties, timeout }) => {
      const request = new messages.DeleteRequest();
      request.setUrn(urn);
      request.setId(String(properties["endpointId"]));
      request.setProperties(toStruct(properties));
      request.setTimeout(timeout);
      await ask<Empty>((done) => client.delete(request, done));
    },
    refreshesBeforeUpdate: () => refreshes,
  };
}

interface Pair {
  setUrn(urn: string): void;
  setOlds(values: Struct): void;
  setNews(values: Struct): void;
}

function pairOf<T extends Pair>(
  request: T,
  { urn, olds, news }: { readonly urn: string; readonly olds: Values; readonly news: Values },
): T {
  request.setUrn(urn);
  request.setOlds(toStruct(olds));
  request.setNews(toStruct(news));
  return request;
}

const { Kind } = messages.PropertyDiff;

const kinds: Readonly<Record<number, PropertyChange>> = {
  [Kind.ADD]: { kind: "add", replaces: false },
  [Kind.ADD_REPLACE]: { kind: "add", replaces: true },
  [Kind.UPDATE]: { kind: "update", replaces: false },
  [Kind.UPDATE_REPLACE]: { kind: "update", replaces: true },
  [Kind.DELETE]: { kind: "delete", replaces: false },
  [Kind.DELETE_REPLACE]: { kind: "delete", replaces: true },
};

/** @throws where the answer leaves it to the engine to compare. */
export function hasChanges(answer: messages.DiffResponse): boolean {
  const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
  const said = answer.getChanges();
  if (said !== DIFF_SOME && said !== DIFF_NONE) throw new Error("diff says neither yes nor no");
  return said === DIFF_SOME;
}

export function ask<T>(
  call: (done: (error: grpc.ServiceError | null, answer: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, answer) => {
      if (error === null) resolve(answer);
      else reject(toFailure(error));
    });
  });
}

/** A partial failure rides in the metadata: that is where the engine looks for the id. */
function toFailure(error: grpc.ServiceError): CallFailure {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  if (!(packed instanceof Uint8Array)) return new CallFailure(error.details, undefined, error.code);
  const [any] = Status.deserializeBinary(packed).getDetailsList();
  const detail = messages.ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() ?? new Uint8Array());
  const kept = {
    id: detail.getId(),
    properties: fromStruct(detail.getProperties()),
    reasons: detail.getReasonsList(),
    refreshesBeforeUpdate: detail.getRefreshBeforeUpdate(),
  };
  return new CallFailure(error.details, kept, error.code);
}

export function toStruct(values: Values): Struct {
  return Struct.fromJavaScript(values as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): Values {
  return struct?.toJavaScript() ?? {};
}
