/**
 * The state of one provider process: its configuration, its connection, and what it knows of this run.
 */
import type { Clock } from "../clock";
import type { WireLifecycle, Lifecycle } from "../wiring";
import { ConfigurationError, messageOf } from "../model/errors";
import type { EngineState, Hidden, TimeLimited } from "../model/stored";
import { titleIn, type Resource } from "../run/resource";
import { beginRun, type Run } from "../run/run";
import type { ExportStack } from "../run/stackBackend";
import { createRedactor } from "../redact";
import {
  environmentSecrets,
  readConfig,
  type Configured,
  type ProviderConfig,
  type ReadStackConfig,
} from "../settings/config";
import { trackEarlierRuns, type EarlierRuns } from "./earlierRuns";
import type { EngineLog } from "./log";

/** What the handlers need from their process. */
export interface Process {
  readonly clock: Clock;
  readonly log: (redact: (text: string) => string) => EngineLog;
  /** Loaded with the first request: a preview without requests neither loads undici nor opens a connection. */
  readonly loadLifecycle: () => Promise<WireLifecycle>;
  /** Aborts when the run is interrupted, if the engine reports that. */
  readonly interrupted?: AbortSignal | undefined;
  /** Exports the state of the stack; absent where no engine runs. */
  readonly exportStack?: ExportStack | undefined;
}

/** Exists from the process's first call to its last. */
export interface Session extends EarlierRuns {
  readonly clock: Clock;
  /** As in `createRedactor`. */
  readonly hide: (secret: string) => void;
  readonly hideWord: (secret: string) => void;
  /** Removes secrets from a text of the service. */
  readonly redact: (text: string) => string;
  /** Removes secrets from a sentence of ours. */
  readonly redactOwn: (text: string) => string;
  readonly run: Run;
  /** Never throws: a configuration that cannot be read fails every later call. */
  readonly configure: (given: ReadStackConfig | Configured) => void;
  /** @throws ConfigurationError if the configuration cannot be read. */
  readonly config: () => ProviderConfig;
  /** What sends requests, loaded with the first call. */
  readonly lifecycle: () => Promise<Lifecycle>;
  /** Like `lifecycle`, but loads nothing: undefined until `lifecycle` was called. */
  readonly loaded: () => Lifecycle | undefined;
  /** The resource of a call, with its own row for messages. An argument counts as secret if `hidden` or `former` says so. */
  readonly resourceOf: (hidden: Hidden, more?: Pick<EngineState, "former"> & TimeLimited) => Resource;
}

export function openSession(process: Process): Session {
  const { clock } = process;
  // A service's text may quote the key or a declared secret, so it is redacted where it comes in. What leaves the process, on a
  // row and as an error, is redacted once more.
  const redactor = createRedactor();
  environmentSecrets().forEach(redactor.hide);
  const log = process.log(redactor.redactOwn);
  let config = configurationOf(() => undefined);
  let loaded: Lifecycle | undefined;
  const run = beginRun(clock, process);
  const session: Session = {
    ...redactor,
    clock,
    run,
    ...trackEarlierRuns(run.backend, clock, async (create) => (await session.lifecycle()).orphanText(create)),
    configure: (given) => {
      config = configurationOf(given);
      redactor.hide(apiKeyIn(session.config));
    },
    config: () => {
      if (config instanceof ConfigurationError) throw config;
      return config;
    },
    lifecycle: async () => {
      const wire = await process.loadLifecycle();
      return (loaded ??= wire(session.config(), session));
    },
    loaded: () => loaded,
    resourceOf: (hidden, more) => resourceOf(log, hidden, more),
  };
  return session;
}

function resourceOf(
  log: EngineLog,
  { urn, organization, secrets, ignores = [] }: Hidden,
  { former, limitSeconds }: Parameters<Session["resourceOf"]>[1] = {},
): Resource {
  const id = within(organization, urn);
  // The former id has the organisation of the state. Plugins are not told an organisation, so the id changes when a stack moves
  // to the plugin.
  return {
    id,
    urn,
    organization,
    formerId: within(former?.organization, former?.urn),
    title: titleIn(urn ?? ""),
    secrets: secretsOfEither({ secrets }, former),
    ignores,
    limitSeconds,
    row: {
      say: (severity, message) => log.say(urn, severity, message),
      progress: (message) => {
        log.progress(urn, message);
      },
    },
  };
}

/** A message shows both sides of a change, so values that were secret before stay secret. */
export function secretsOfEither(
  now: Pick<Hidden, "secrets">,
  before: Pick<Hidden, "secrets"> | undefined,
): readonly string[] {
  return [...new Set([...now.secrets, ...(before?.secrets ?? [])])];
}

function within(organization: string | undefined, id: string | undefined): string | undefined {
  return id === undefined || organization === undefined ? id : `${organization}/${id}`;
}

function configurationOf(given: ReadStackConfig | Configured): ProviderConfig | ConfigurationError {
  try {
    return readConfig(given);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    const problem = {
      doing: "reading the configuration",
      what: messageOf(error),
      fix: "Correct the configuration",
    };
    return new ConfigurationError({ ...problem, cause: error });
  }
}

/** Empty if there is no key: without a key nothing is sent, so no answer can quote it. */
function apiKeyIn(config: Session["config"]): string {
  try {
    return config().connection().apiKey;
  } catch {
    return "";
  }
}
