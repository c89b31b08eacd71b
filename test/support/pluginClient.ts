/**
 * The engine's side of a plugin's gRPC, in the shape of the plugin's own handlers.
 */
import type * as grpc from "@grpc/grpc-js";
import { PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { PropertyChange } from "../../provider/host/plugin/previews";
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

/** The messages of each method: what the engine sends, and what it gets. */
const methods = {
  check: [messages.CheckRequest, messages.CheckResponse],
  diff: [messages.DiffRequest, messages.DiffResponse],
  create: [messages.CreateRequest, messages.CreateResponse],
  read: [messages.ReadRequest, messages.ReadResponse],
  update: [messages.UpdateRequest, messages.UpdateResponse],
  delete: [messages.DeleteRequest, Empty],
  handshake: [messages.ProviderHandshakeRequest, messages.ProviderHandshakeResponse],
  attach: [PluginAttach, Empty],
  getPluginInfo: [Empty, PluginInfo],
  getSchema: [messages.GetSchemaRequest, messages.GetSchemaResponse],
  configure: [messages.ConfigureRequest, messages.ConfigureResponse],
  checkConfig: [messages.CheckRequest, messages.CheckResponse],
  diffConfig: [messages.DiffRequest, messages.DiffResponse],
  invoke: [messages.InvokeRequest, messages.InvokeResponse],
  cancel: [Empty, Empty],
} as const;

type Method = keyof typeof methods;
type AnswerOf<M extends Method> = InstanceType<(typeof methods)[M][1]>;

/** What a request has, by the names of the protocol. */
type Members = Readonly<Record<string, Values | string | number | boolean | undefined>>;

/** Sends one request of the engine's. */
export function send<M extends Method>(
  client: ResourceProviderClient,
  method: M,
  members: Members = {},
): Promise<AnswerOf<M>> {
  const request = new methods[method][0]() as unknown as Record<string, (value: unknown) => void>;
  for (const [name, value] of Object.entries(members)) {
    const setter = `set${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    request[setter]!(typeof value === "object" ? toStruct(value) : value);
  }
  const call = client[method].bind(client) as unknown as (
    request: unknown,
    done: grpc.requestCallback<AnswerOf<M>>,
  ) => void;
  return new Promise((resolve, reject) => {
    call(request, (error, answer) => {
      if (error === null) resolve(answer!);
      else reject(toFailure(error));
    });
  });
}

export async function checkBy(
  client: ResourceProviderClient,
  members: Members,
): Promise<{ inputs: Values; failures: { property: string; reason: string }[] }> {
  const answer = await send(client, "check", members);
  const failures = answer.getFailuresList().map((failure) => failure.toObject());
  return { inputs: fromStruct(answer.getInputs()), failures };
}

/** The calls of the engine; whether a compute is to be read before a change, its last answer says. */
export function pluginOver(client: ResourceProviderClient): PluginCalls {
  let refreshes = false;
  const noted = <T extends { getRefreshBeforeUpdate(): boolean }>(answer: T): T => {
    refreshes = answer.getRefreshBeforeUpdate();
    return answer;
  };
  const idIn = (values: Values): { id: string } => ({ id: String(values["endpointId"]) });
  return {
    configure: () => {
      throw new Error("a plugin is configured once, when it is started");
    },
    check: (request) => checkBy(client, request),
    diff: async (request) => {
      const answer = await send(client, "diff", { ...request, ...idIn(request.olds) });
      const detailed: Record<string, PropertyChange> = {};
      answer.getDetaileddiffMap().forEach((change, path) => {
        detailed[path] = changeOf(change.getKind());
      });
      return {
        changes: hasChanges(answer),
        replaces: answer.getReplacesList(),
        deleteBeforeReplace: answer.getDeletebeforereplace(),
        detailed,
        verdict: answer.getDiffsList().find((reason) => reason.startsWith("__verdict:")),
      };
    },
    create: async (request) => {
      const answer = noted(await send(client, "create", request));
      return { id: answer.getId(), properties: fromStruct(answer.getProperties()) };
    },
    read: async (request) => {
      const answer = noted(await send(client, "read", request));
      const inputs = fromStruct(answer.getInputs());
      return { id: answer.getId(), properties: fromStruct(answer.getProperties()), inputs };
    },
    update: async (request) => {
      const answer = noted(await send(client, "update", { ...request, ...idIn(request.olds) }));
      return { properties: fromStruct(answer.getProperties()) };
    },
    delete: async (request) => {
      await send(client, "delete", { ...request, ...idIn(request.properties) });
    },
    refreshesBeforeUpdate: () => refreshes,
  };
}

/** `UPDATE_REPLACE` is the kind `update`, and replaces. */
function changeOf(kind: messages.PropertyDiff.Kind): PropertyChange {
  const [name = ""] = Object.entries(messages.PropertyDiff.Kind).find(([, value]) => value === kind) ?? [];
  const [word = "", replaces] = name.toLowerCase().split("_");
  return { kind: word as PropertyChange["kind"], replaces: replaces !== undefined };
}

/** @throws where the answer leaves it to the engine to compare. */
export function hasChanges(answer: messages.DiffResponse): boolean {
  const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
  const said = answer.getChanges();
  if (said !== DIFF_SOME && said !== DIFF_NONE) throw new Error("diff says neither yes nor no");
  return said === DIFF_SOME;
}

export async function failureOf(call: Promise<unknown>): Promise<CallFailure> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CallFailure) return error;
  throw new Error("the call did not fail", { cause: error });
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

function toStruct(values: Values): Struct {
  return Struct.fromJavaScript(values as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): Values {
  return struct?.toJavaScript() ?? {};
}
