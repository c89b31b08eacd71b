/**
 * Serves the engine's provider protocol over gRPC: converts its messages to the calls of `handlers.ts`, and back.
 *
 * This file is bundled with the SDK's stubs into the plugin, because the engine may start the plugin without a node_modules
 * folder.
 */
import * as grpc from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService, type IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { PropertyChange } from "./previews";
import type { PluginDiff, PluginHandlers } from "./handlers";
import type { CheckAnswer } from "./config";
import { fromStruct, toServiceError, toStruct, type GrpcFailure } from "./messages";
import type { Values } from "../../model/stored";

interface PluginServerOptions {
  readonly handlers: PluginHandlers;
  /** The package's schema, as text. */
  readonly schema: () => string;
  readonly version: string | undefined;
  /** The run was interrupted by one Ctrl-C: all waits end. */
  readonly onCancel: () => void;
  /** The engine has passed its own address. */
  readonly onEngine: (address: string) => void;
}

/** The engine's own limit: a state may be large. */
const maxMessageBytes = 400 * 1024 * 1024;

/** @returns the port that the plugin listens on; only this machine can reach it. */
export function servePlugin(options: PluginServerOptions): Promise<number> {
  const server = new grpc.Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
  });
  // The engine gets UNIMPLEMENTED for a missing method. DiffConfig must stay missing: after "no difference" the engine
  // would continue with the provider's old configuration, and ignore a policy that was just set.
  server.addService(ResourceProviderService, { ...pluginMethods(options), ...resourceMethods(options) });
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}

/** Methods of the plugin as a whole. */
function pluginMethods(options: PluginServerOptions): grpc.UntypedServiceImplementation {
  const { handlers, schema, version, onCancel, onEngine } = options;
  return {
    handshake: answer((request: messages.ProviderHandshakeRequest) => {
      onEngine(request.getEngineAddress());
      // A compute gets no name of Pulumi: without this answer, the engine warns of each that `pulumi:autonaming` is ignored.
      return new messages.ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    attach: answer((request: { getAddress(): string }) => {
      onEngine(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: answer(() => new PluginInfo().setVersion(version ?? "")),
    getSchema: answer(() => new messages.GetSchemaResponse().setSchema(schema())),
    checkConfig: answer((request: messages.CheckRequest) =>
      checkResponse(handlers.checkConfig({ urn: request.getUrn(), news: fromStruct(request.getNews()) })),
    ),
    configure: answer((request: messages.ConfigureRequest) => {
      handlers.configure(fromStruct(request.getArgs()), request.getUrn());
      return new messages.ConfigureResponse()
        .setAcceptsecrets(true)
        .setSupportspreview(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    invoke: answer(async (request: messages.InvokeRequest) => {
      const values = await handlers.invoke(request.getTok(), fromStruct(request.getArgs()));
      return new messages.InvokeResponse().setReturn(toStruct(values));
    }),
    cancel: answer(() => {
      onCancel();
      return new Empty();
    }),
  } satisfies Partial<IResourceProviderServer>;
}

/** Methods for one resource. */
function resourceMethods({ handlers }: PluginServerOptions): grpc.UntypedServiceImplementation {
  const isRefreshed = (): boolean => handlers.refreshesBeforeUpdate();
  const stored = <Response extends messages.CreateResponse | messages.ReadResponse | messages.UpdateResponse>(
    response: Response,
    properties: Values,
  ): Response => {
    response.setProperties(toStruct(properties)).setRefreshBeforeUpdate(isRefreshed());
    return response;
  };
  return {
    check: answer(async (request: messages.CheckRequest) =>
      checkResponse(await handlers.check({ urn: request.getUrn(), ...pairIn(request) })),
    ),
    diff: answer(async (request: messages.DiffRequest) =>
      diffResponse(
        await handlers.diff({
          urn: request.getUrn(),
          ...pairIn(request),
          ignoreChanges: request.getIgnorechangesList(),
        }),
      ),
    ),
    read: answer(async (request: messages.ReadRequest) => {
      const { id, properties, inputs } = await handlers.read({
        urn: request.getUrn(),
        id: request.getId(),
        properties: fromStruct(request.getProperties()),
        inputs: fromStruct(request.getInputs()),
      });
      return stored(new messages.ReadResponse().setId(id).setInputs(toStruct(inputs)), properties);
    }),
    create: answer(async (request: messages.CreateRequest) => {
      const { id, properties } = await handlers.create({
        urn: request.getUrn(),
        properties: fromStruct(request.getProperties()),
        preview: request.getPreview(),
        timeout: request.getTimeout(),
      });
      return stored(new messages.CreateResponse().setId(id), properties);
    }, isRefreshed),
    update: answer(async (request: messages.UpdateRequest) => {
      const { properties } = await handlers.update({
        urn: request.getUrn(),
        ...pairIn(request),
        preview: request.getPreview(),
        timeout: request.getTimeout(),
        ignoreChanges: request.getIgnorechangesList(),
      });
      return stored(new messages.UpdateResponse(), properties);
    }, isRefreshed),
    delete: answer(async (request: messages.DeleteRequest) => {
      await handlers.delete({
        urn: request.getUrn(),
        id: request.getId(),
        properties: fromStruct(request.getProperties()),
        timeout: request.getTimeout(),
      });
      return new Empty();
    }),
    list: ((call) => {
      handlers.list(fromStruct(call.request.getQuery())).then(
        (found) => {
          for (const { id, name } of found)
            call.write(
              new messages.ListResponse().setResult(
                new messages.ListResponse.Result().setId(id).setName(name),
              ),
            );
          call.end();
        },
        (error: unknown) => {
          call.emit("error", toServiceError(error as GrpcFailure));
        },
      );
    }) satisfies grpc.handleServerStreamingCall<messages.ListRequest, messages.ListResponse>,
  } satisfies Partial<IResourceProviderServer>;
}

function pairIn(request: { getOlds(): Struct | undefined; getNews(): Struct | undefined }): {
  readonly olds: Values;
  readonly news: Values;
} {
  return { olds: fromStruct(request.getOlds()), news: fromStruct(request.getNews()) };
}

function checkResponse({ inputs, failures }: CheckAnswer): messages.CheckResponse {
  return new messages.CheckResponse()
    .setInputs(toStruct(inputs))
    .setFailuresList(
      failures.map(({ property, reason }) =>
        new messages.CheckFailure().setProperty(property).setReason(reason),
      ),
    );
}

function diffResponse(differs: PluginDiff): messages.DiffResponse {
  const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
  const names = Object.keys(differs.detailed).map((path) => path.replace(/[.[].*$/s, ""));
  const response = new messages.DiffResponse()
    .setChanges(differs.changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList([...differs.replaces])
    .setDeletebeforereplace(differs.deleteBeforeReplace)
    .setDiffsList([...new Set(names), ...(differs.verdict === undefined ? [] : [differs.verdict])])
    .setHasdetaileddiff(true);
  for (const [path, change] of Object.entries(differs.detailed))
    response.getDetaileddiffMap().set(path, new messages.PropertyDiff().setKind(propertyDiffKind(change)));
  return response;
}

function propertyDiffKind({ kind, replaces }: PropertyChange): messages.PropertyDiff.Kind {
  const name = kind.toUpperCase() as Uppercase<typeof kind>;
  return messages.PropertyDiff.Kind[replaces ? (`${name}_REPLACE` as const) : name];
}

/** Converts a function from request to response into a gRPC method. */
function answer<Request, Response>(
  respond: (request: Request) => Response | Promise<Response>,
  refreshesBeforeUpdate: () => boolean = () => false,
): grpc.handleUnaryCall<Request, Response> {
  return ({ request }, callback) => {
    Promise.resolve()
      .then(() => respond(request))
      .then(
        (response) => {
          callback(null, response);
        },
        (error: unknown) => {
          callback(toServiceError(error as GrpcFailure, refreshesBeforeUpdate));
        },
      );
  };
}
