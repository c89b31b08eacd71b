/**
 * Loads the engine's client from the SDK of the running program.
 */
import { createRequire } from "node:module";
import type * as grpc from "@grpc/grpc-js";
import type * as services from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/engine_pb";
import type { EngineStubs } from "../engineLog";

/** @returns undefined if there is no address, or if this version does not support the SDK. */
export function loadSdkStubs(address: string | undefined): EngineStubs | undefined {
  if (address === undefined) return undefined;
  try {
    const load = createRequire(__filename);
    // The SDK's own copy of gRPC: strict package managers make it available only through the SDK.
    const loadFromSdk = createRequire(load.resolve("@pulumi/pulumi/package.json"));
    const { credentials } = loadFromSdk("@grpc/grpc-js") as typeof grpc;
    const { EngineClient } = loadFromSdk("@pulumi/pulumi/proto/engine_grpc_pb") as typeof services;
    const { LogRequest } = loadFromSdk("@pulumi/pulumi/proto/engine_pb") as typeof messages;
    return { client: new EngineClient(address, credentials.createInsecure()), LogRequest };
  } catch {
    return undefined;
  }
}
