/**
 * The engine's side of a provider's gRPC: requests by the names of the protocol, and what the engine shows if a call fails.
 */
import type * as grpc from "@grpc/grpc-js";
import { PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { Values } from "./pluginHandlers";

/** What the engine shows for a call that failed. */
class CallFailure extends Error {
  constructor(
    message: string,
    readonly code: grpc.status,
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

/** The members of a request, by the names of the protocol. */
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
      else reject(new CallFailure(error.details, error.code));
    });
  });
}

export async function failureOf(call: Promise<unknown>): Promise<CallFailure> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CallFailure) return error;
  throw new Error("the call did not fail", { cause: error });
}

function toStruct(values: Values): Struct {
  return Struct.fromJavaScript(values as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): Values {
  return struct?.toJavaScript() ?? {};
}
