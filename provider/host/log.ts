/**
 * Shows messages on the engine's rows.
 */
import { createRequire } from "node:module";
import type * as grpc from "@grpc/grpc-js";
import type * as services from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/engine_pb";
import { withChoices } from "../model/errors";
import type { Severity } from "../run/resource";

/**
 * Sends messages to the row of one resource. If the engine cannot be reached, both methods do nothing: messages are
 * optional.
 */
export interface EngineLog {
  /** Shows a message that stays in Pulumi's diagnostics. */
  say(urn: string | undefined, severity: Severity, message: string): Promise<void>;
  /** Shows a message only while the step runs. */
  progress(urn: string | undefined, message: string): void;
}

/** The part of the SDK's generated engine client that is used here. */
interface EngineStubs {
  readonly client: { log(request: unknown, callback: () => void): void };
  readonly LogRequest: new () => {
    setSeverity(severity: number): unknown;
    setMessage(message: string): unknown;
    setUrn(urn: string): unknown;
    setEphemeral(ephemeral: boolean): unknown;
  };
}

/** Values of the engine's `LogSeverity`. */
const severities = { info: 1, warning: 2, error: 3 } as const satisfies Record<Severity, number>;

/**
 * @param load - loads the engine's client; its result is undefined for a provider that runs without an engine.
 * @param redact - removes secrets from messages.
 */
export function createEngineLog(
  load: () => EngineStubs | undefined,
  redact: (text: string) => string,
): EngineLog {
  let stubs: EngineStubs | undefined | "missing";
  const send = (
    urn: string | undefined,
    text: string,
    how: { severity: Severity; ephemeral: boolean },
  ): Promise<void> => {
    // The client is loaded with the first message: most runs that change nothing send no message.
    stubs ??= load() ?? "missing";
    if (stubs === "missing" || urn === undefined) return Promise.resolve();
    const { client, LogRequest } = stubs;
    return new Promise((resolve) => {
      try {
        const request = new LogRequest();
        request.setSeverity(severities[how.severity]);
        // The text may quote the service. Even ids and operation names are not trusted, since the service chooses them.
        request.setMessage(withChoices(redact(text)));
        request.setUrn(urn);
        request.setEphemeral(how.ephemeral);
        // Ignore delivery errors: messages are best effort.
        client.log(request, () => {
          resolve();
        });
      } catch {
        // Ignore failures of the client itself, too.
        resolve();
      }
    });
  };
  return {
    say: (urn, severity, message) => send(urn, message, { severity, ephemeral: false }),
    progress: (urn, message) => void send(urn, message, { severity: "info", ephemeral: true }),
  };
}

/**
 * The engine's client from the SDK of the running program.
 *
 * @returns undefined if there is no address, or if the SDK has no such client.
 */
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
