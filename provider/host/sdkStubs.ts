/**
 * The engine's client as the SDK of the running program ships it.
 */
import { createRequire } from "node:module";
import type { EngineStubs } from "./engineLog";

/** @returns undefined where there is no address, or an SDK that this version cannot speak through. */
export function loadSdkStubs(address: string | undefined): EngineStubs | undefined {
  if (address === undefined) return undefined;
  try {
    const load = createRequire(__filename);
    // The SDK's own copy of gRPC: a strict package manager gives us no path to it but through the SDK.
    const loadFromSdk = createRequire(load.resolve("@pulumi/pulumi/package.json"));
    const grpc = loadFromSdk("@grpc/grpc-js") as { credentials: { createInsecure(): unknown } };
    const { EngineClient } = loadFromSdk("@pulumi/pulumi/proto/engine_grpc_pb") as {
      EngineClient: new (address: string, credentials: unknown) => EngineStubs["client"];
    };
    const { LogRequest } = loadFromSdk("@pulumi/pulumi/proto/engine_pb") as {
      LogRequest: EngineStubs["LogRequest"];
    };
    return { client: new EngineClient(address, grpc.credentials.createInsecure()), LogRequest };
  } catch {
    return undefined;
  }
}
