/**
 * The engine that has started this process: where it is, its rows for messages, and whether it is still there.
 */
import { createRequire } from "node:module";
import { connect } from "node:net";
import type * as grpc from "@grpc/grpc-js";
import type * as services from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as messages from "@pulumi/pulumi/proto/engine_pb";
import { withChoices } from "../model/errors";
import { engineWatch } from "../model/timing";
import type { Severity } from "../run/resource";

/**
 * Sends messages to the row of one resource. If the engine cannot be reached, both methods do nothing: messages are
 * optional.
 */
export interface EngineLog {
  /** Stays in the diagnostics. */
  say(urn: string | undefined, severity: Severity, message: string): Promise<void>;
  /** Shown while the step runs, then gone. */
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

/** In place of a URN: the engine shows such a message on the row of the stack. */
export const stackRow = "";

/** Values of the engine's `LogSeverity`. */
const severities = { info: 1, warning: 2, error: 3 } as const satisfies Record<Severity, number>;

/** The engine's address among the arguments of this process, flags aside. */
export function engineAddressIn(words: readonly string[]): string | undefined {
  return words.slice(2).find((word) => /^[\w.[\]:-]+:\d+$/.test(word));
}

/**
 * Whether these are the arguments of the SDK's dynamic provider process. Other processes that load the provider (a
 * program or its tests) must not end with the engine: they may have started it.
 */
export function isDynamicProvider([, script = ""]: readonly string[]): boolean {
  return /[\\/]cmd[\\/]dynamic-provider([\\/]index(\.js)?)?$/.test(script);
}

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
    // Loaded with the first message: most runs that change nothing send none.
    stubs ??= load() ?? "missing";
    if (stubs === "missing" || urn === undefined) return Promise.resolve();
    const { client, LogRequest } = stubs;
    return new Promise((resolve) => {
      try {
        const request = new LogRequest();
        request.setSeverity(severities[how.severity]);
        // A service chooses the ids and the names of operations.
        request.setMessage(withChoices(redact(text)));
        request.setUrn(urn);
        request.setEphemeral(how.ephemeral);
        // Ignore delivery errors: messages are best effort.
        client.log(request, () => {
          resolve();
        });
      } catch {
        // The same if the client itself fails.
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
 * @returns undefined if there is no address, or if this version does not support the SDK.
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

/**
 * Ends a provider process whose engine is gone. Otherwise it would go on sending requests, at the same time as the
 * next run. The parent's id does not help: the parent is a shell that also outlives the engine.
 *
 * Running work is cut off as by a kill: Pulumi's backend has what was begun, and the next run names it.
 *
 * @param address - host and port of the engine; undefined if there is none to watch.
 */
export function watchEngine(address: string | undefined, onGone: () => void): void {
  const [, host, port] = /^(.+):(\d+)$/.exec(address ?? "") ?? [];
  if (host === undefined || port === undefined) return;
  let refusals = 0;
  // Neither the timer nor a connection may keep the process alive.
  const look = setInterval(() => {
    const socket = connect({ host, port: Number(port), timeout: engineWatch.answerMs });
    socket.unref();
    socket.once("connect", () => {
      refusals = 0;
      socket.destroy();
    });
    socket.once("timeout", () => socket.destroy());
    socket.once("error", (error: NodeJS.ErrnoException) => {
      refusals = error.code === "ECONNREFUSED" ? refusals + 1 : 0;
      // Checks may overlap: act only on the first refusal that reaches the limit.
      if (refusals !== engineWatch.refusalsMeanGone) return;
      clearInterval(look);
      onGone();
    });
  }, engineWatch.everyMs);
  look.unref();
}
