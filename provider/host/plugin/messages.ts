/**
 * Converts values and errors to messages of the engine's provider protocol, and back.
 */
import * as grpc from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { Values } from "../../model/stored";

/** The error that `toThrown` of `host/values.ts` returns. */
export interface GrpcFailure extends Error {
  readonly id?: string;
  readonly properties?: Values;
  readonly reasons?: readonly string[];
}

/**
 * The engine keeps a compute in the state if the error carries the compute's id and properties. They are in the error's
 * metadata, packed twice.
 *
 * @param refreshesBeforeUpdate - called only for an error with an id, since it throws if there is no configuration.
 */
export function toServiceError(
  { message, id, properties, reasons }: GrpcFailure,
  refreshesBeforeUpdate = (): boolean => false,
): Partial<grpc.ServiceError> {
  const error = { code: grpc.status.UNKNOWN, details: message, message };
  if (id === undefined || properties === undefined) return error;
  const detail = new messages.ErrorResourceInitFailed()
    .setId(id)
    .setProperties(toStruct(properties))
    .setReasonsList([...(reasons ?? [message])])
    .setRefreshBeforeUpdate(refreshesBeforeUpdate());
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status().setCode(grpc.status.UNKNOWN).setMessage(message);
  status.addDetails(packed);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { ...error, metadata };
}

export function toStruct(values: Values): Struct {
  return Struct.fromJavaScript(values as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): Values {
  return struct?.toJavaScript() ?? {};
}
