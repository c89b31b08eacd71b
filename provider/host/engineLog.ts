/**
 * The engine behind the provider process: messages and progress on a resource's own row. Where it cannot be reached,
 * every method does nothing: messages are a comfort, never a condition.
 */
import type { Severity } from "../endpoint/resource";

/** Speaks on the row of one resource. */
export interface EngineLog {
  /** Stays in the diagnostics. */
  say(urn: string | undefined, severity: Severity, message: string): Promise<void>;
  /** Shown while the step runs, then gone. */
  progress(urn: string | undefined, message: string): void;
}

/** The part of the SDK's generated engine client that is used here. */
interface EngineClient {
  log(request: unknown, callback: (error: unknown) => void): void;
}

interface LogRequest {
  setSeverity(severity: number): void;
  setMessage(message: string): void;
  setUrn(urn: string): void;
  setEphemeral(ephemeral: boolean): void;
}

export interface EngineStubs {
  readonly client: EngineClient;
  readonly LogRequest: new () => LogRequest;
}

/** Of the engine's `LogSeverity`. */
const severities = { info: 1, warning: 2, error: 3 } as const satisfies Record<Severity, number>;

/** The engine's address among the arguments of the process that it started, flags aside. */
export function engineAddressIn(words: readonly string[]): string | undefined {
  return words.slice(2).find((word) => /^[\w.[\]:-]+:\d+$/.test(word));
}

/**
 * Whether these are the arguments of the SDK's dynamic provider process. Whatever else loads the provider, a program or
 * its tests, is not ended with the engine: it may be the one that started the engine.
 */
export function isDynamicProvider([, script = ""]: readonly string[]): boolean {
  return /[\\/]cmd[\\/]dynamic-provider([\\/]index(\.js)?)?$/.test(script);
}

/**
 * @param load - the engine's client; undefined for a provider that runs without an engine.
 * @param redact - takes secrets out of what is said.
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
    // Loaded with the first message: most runs of a program that changes nothing have none.
    stubs ??= load() ?? "missing";
    if (stubs === "missing" || urn === undefined) return Promise.resolve();
    const { client, LogRequest } = stubs;
    return new Promise((resolve) => {
      try {
        const request = new LogRequest();
        request.setSeverity(severities[how.severity]);
        request.setMessage(redact(text));
        request.setUrn(urn);
        request.setEphemeral(how.ephemeral);
        // An engine that does not take it has nothing else to offer.
        client.log(request, () => {
          resolve();
        });
      } catch {
        // Nor has one that this client cannot speak to any more.
        resolve();
      }
    });
  };
  return {
    say: (urn, severity, message) => send(urn, message, { severity, ephemeral: false }),
    progress: (urn, message) => void send(urn, message, { severity: "info", ephemeral: true }),
  };
}
