/**
 * Sends messages and progress to the engine, for a resource's own row. If the engine cannot be reached, every method
 * does nothing: messages are optional.
 */
import type { Severity } from "../run/resource";
import { oneLine } from "../model/errors";

/** Sends messages to the row of one resource. */
export interface EngineLog {
  /** Stays in the diagnostics. */
  say(urn: string | undefined, severity: Severity, message: string): Promise<void>;
  /** Shown while the step runs, then gone. */
  progress(urn: string | undefined, message: string): void;
}

/** The part of the SDK's generated engine client that is used here. */
export interface EngineStubs {
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
        request.setMessage(oneLine(redact(text)));
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
