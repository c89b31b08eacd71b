/**
 * What one provider process knows: its configuration, its connection, and what the engine has told it of the program's
 * resources so far.
 */
import type { Clock } from "../clock";
import { readConfig, type Configured, type ProviderConfig, type ReadStackConfig } from "../config";
import type { Connect, Lifecycle } from "../connect";
import type { CheckResult } from "../endpoint/check";
import { trackHolders, type Holders } from "../endpoint/holders";
import { createRestartOrder, type RestartOrder } from "../endpoint/restartOrder";
import type { EndpointState } from "../endpoint/state";
import type { Verdict } from "../endpoint/verdict";
import { ConfigurationError, messageOf } from "../errors";
import { createRedactor } from "../redact";
import { openJournal, type OpenJournal } from "../writes/journal";
import type { EngineLog } from "./engineLog";

/** What the handlers need of their process. */
export interface Process {
  readonly clock: Clock;
  readonly log: (redact: (text: string) => string) => EngineLog;
  /** Loaded with the first request: a preview without one pays for neither undici nor a connection. */
  readonly connect: () => Promise<Connect>;
  /** Aborts when the run is interrupted, where the engine says so. */
  readonly interrupted?: AbortSignal | undefined;
  /** Takes what is to be done when the engine ends this process in good order; no time is left then. */
  readonly onEnd: (act: () => void) => void;
}

/** What a check says of a change that interrupts. */
export interface Judgement {
  readonly text: string | undefined;
  /** The text without what may be otherwise a moment later. */
  readonly planned: string | undefined;
  readonly verdict: Verdict | undefined;
  /** What is left for a window, in place of the texts above. */
  readonly deferral?: CheckResult["deferral"];
}

/** What this process knows, from the first call to the last. */
export interface Session extends Omit<Process, "log"> {
  readonly log: EngineLog;
  /** From now on, `redact` takes this value out of every text. */
  readonly hide: (secret: string) => void;
  readonly redact: (text: string) => string;
  readonly holders: Holders;
  readonly restartOrder: RestartOrder;
  /** A configuration that cannot be read is the failure of every call. */
  config: ProviderConfig | ConfigurationError;
  lifecycle?: Lifecycle;
  journal?: OpenJournal | undefined;
  /**
   * Resources that the state holds, with the id of the compute where a diff has named it, and whether that asked for a
   * replacement. A replacement is checked twice, with the old inputs and without, and `--replace` asks for no diff:
   * create alone would not know it for one.
   */
  readonly inState: Map<string, { readonly endpointId?: string; readonly replaces?: boolean }>;
  /**
   * By resource, the compute that a refresh of this run has found. Undefined where it has found two: one of them is
   * replaced, and still to be deleted, which the engine does not tell.
   */
  readonly found: Map<string, EndpointState | undefined>;
  /** Computes that were imported in this run. */
  readonly imported: Set<string>;
  /**
   * Resources that were checked and not compared yet. A refresh asks for a diff as well, without a check before it:
   * that one plans nothing, so it refuses nothing and warns of nothing. Each check is good for one diff.
   */
  readonly checked: Set<string>;
  /** By resource, the judgement of a check with its old inputs. */
  readonly judgements: Map<string, Judgement>;
  /** Owners of the creates that the engine was told of. */
  readonly answered: Set<string>;
  /** Whether anything was checked: a destroy checks nothing. */
  hasChecked: boolean;
  /** Deletions under way. */
  deletions: number;
}

export function openSession(process: Process): Session {
  // What a service writes may quote the key or a declared secret, and leaves by two ways: on a row, and as an error.
  const redactor = createRedactor();
  const session: Session = {
    ...process,
    ...redactor,
    log: process.log(redactor.redact),
    config: configurationOf(() => undefined),
    holders: trackHolders(),
    restartOrder: createRestartOrder(process.clock),
    inState: new Map(),
    found: new Map(),
    imported: new Set(),
    judgements: new Map(),
    answered: new Set(),
    checked: new Set(),
    hasChecked: false,
    deletions: 0,
  };
  process.onEnd(() => {
    session.journal?.journal.settle(session.answered);
  });
  return session;
}

export function configure(session: Session, given: ReadStackConfig | Configured): void {
  session.config = configurationOf(given);
  session.journal = undefined;
  session.hide(keyOf(session.config));
}

export function configured({ config }: Session): ProviderConfig {
  if (config instanceof ConfigurationError) throw config;
  return config;
}

export async function connected(session: Session): Promise<Lifecycle> {
  const connect = await session.connect();
  session.lifecycle ??= connect(configured(session), session);
  return session.lifecycle;
}

export function journalOf(session: Session): OpenJournal {
  session.journal ??= openJournal(configured(session), session.clock);
  return session.journal;
}

/** Never throws: a configuration that cannot be read is the failure of every call. */
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

/** Empty where there is none: nothing has been sent then, so that nobody can quote it. */
function keyOf(config: ProviderConfig | ConfigurationError): string {
  try {
    return config instanceof ConfigurationError ? "" : config.connection().apiKey;
  } catch {
    return "";
  }
}
