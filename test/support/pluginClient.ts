/**
 * The engine's side of a plugin's gRPC, in the shape of the plugin's own handlers.
 */
import type * as grpc from "@grpc/grpc-js";
import { PluginAttach, type PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
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

const asks = {
  check: () => new messages.CheckRequest(),
  diff: () => new messages.DiffRequest(),
  create: () => new messages.CreateRequest(),
  read: () => new messages.ReadRequest(),
  update: () => new messages.UpdateRequest(),
  delete: () => new messages.DeleteRequest(),
  handshake: () => new messages.ProviderHandshakeRequest(),
  attach: () => new PluginAttach(),
  getPluginInfo: () => new Empty(),
  getSchema: () => new messages.GetSchemaRequest(),
  configure: () => new messages.ConfigureRequest(),
  checkConfig: () => new messages.CheckRequest(),
  diffConfig: () => new messages.DiffRequest(),
  invoke: () => new messages.InvokeRequest(),
  cancel: () => new Empty(),
};

interface Answers {
  readonly check: messages.CheckResponse;
  readonly diff: messages.DiffResponse;
  readonly create: messages.CreateResponse;
  readonly read: messages.ReadResponse;
  readonly update: messages.UpdateResponse;
  readonly delete: Empty;
  readonly handshake: messages.ProviderHandshakeResponse;
  readonly attach: Empty;
  readonly getPluginInfo: PluginInfo;
  readonly getSchema: messages.GetSchemaResponse;
  readonly configure: messages.ConfigureResponse;
  readonly checkConfig: messages.CheckResponse;
  readonly diffConfig: messages.DiffResponse;
  readonly invoke: messages.InvokeResponse;
  readonly cancel: Empty;
}

/** What a request may have; of each kind of request, the members that it knows. */
interface Members {
  readonly urn?: string;
  readonly id?: string;
  readonly olds?: Values;
  readonly news?: Values;
  readonly properties?: Values;
  readonly inputs?: Values;
  readonly preview?: boolean;
  readonly timeout?: number;
  readonly args?: Values;
  readonly tok?: string;
  readonly address?: string;
  readonly engineAddress?: string;
}

/** Sends one request of the engine's. */
export function send<K extends keyof Answers>(
  client: ResourceProviderClient,
  kind: K,
  members: Members = {},
): Promise<Answers[K]> {
  const request = asks[kind]() as unknown as Record<string, (value: unknown) => void>;
  for (const [name, value] of Object.entries(members) as [string, unknown][]) {
    const setter = `set${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    request[setter]!(typeof value === "object" ? toStruct(value as Values) : value);
  }
  const call = client[kind].bind(client) as unknown as (
    request: unknown,
    done: grpc.requestCallback<Answers[K]>,
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
