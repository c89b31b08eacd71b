/**
 * The state of one provider process: its configuration, its connection, and what the engine has passed about the
 * program's resources so far.
 */
import type { Clock } from "../clock";
import { readConfig, type Configured, type ProviderConfig, type ReadStackConfig } from "../settings/config";
import type { ConnectLifecycle, Lifecycle } from "../connect";
import type { AdoptLine } from "../endpoint/planning/adopt";
import { trackOwnership, type Ownership } from "../endpoint/ownership";
import { trackPrimaries, type Primaries } from "../endpoint/planning/primaries";
import { createRestartOrder, type RestartOrder } from "../endpoint/applying/restartOrder";
import type { Announcement } from "../endpoint/receipt";
import type { EndpointState } from "../endpoint/state";
import type { Verdict } from "../endpoint/planning/interruption";
import { ConfigurationError, messageOf } from "../errors";
import { createRedactor } from "../redact";
import { openJournal, type OpenJournal } from "../writes/openJournal";
import { stackRow, type EngineLog } from "./engineLog";
import { createReadiness, type Readiness } from "./readiness";

/** What the handlers need from their process. */
export interface Process {
  readonly clock: Clock;
  readonly log: (redact: (text: string) => string) => EngineLog;
  /** Loaded with the first request: a preview that sends none loads neither undici nor opens a connection. */
  readonly connect: () => Promise<ConnectLifecycle>;
  /** Aborts when the run is interrupted, if the engine reports that. */
  readonly interrupted?: AbortSignal | undefined;
  /** Registers what to do when the engine ends this process normally; it has to be quick and synchronous. */
  readonly onEnd: (act: () => void) => void;
}

/** The message of a check about a change that interrupts. */
export interface CheckNotice {
  readonly interruption: string | undefined;
  /** What waits; `interruption` is undefined then. */
  readonly deferred: string | undefined;
  readonly verdict: Verdict | undefined;
}

/**
 * What this process has seen of one resource, in the order of a run: a refresh, a check with the old inputs, a diff,
 * the check of a replacement without them, and the step itself. Any of them may be missing.
 */
export interface SeenResource {
  /**
   * The compute that a refresh of this run has found; "two" if it has found another one as well: one of them is
   * replaced and still to be deleted, and the engine does not say which. Written by `read`; read by `check` for the
   * comparison with the declaration, by an import, and by the `create` of a resource that adopts it.
   */
  found?: EndpointState | "two" | undefined;
  /**
   * The compute that was imported in this run. Written by an import; read by `delete`: the engine may delete it as
   * its own original.
   */
  imported?: string;
  /**
   * Set if the state holds a compute of the resource. Written by `check` with the old inputs, by the check of a
   * forced replacement, and by `diff`, which alone knows the id and whether the change replaces. Read by the check of
   * a replacement, which has no old inputs, and by `create`. The engine does not tell `create` that it replaces
   * something; we remember it from `check` and `diff`.
   */
  inState?: { readonly endpointId?: string; readonly replaces?: boolean };
  /**
   * Whether it was checked and not compared yet. Set by `check`, and reset by `diff`. A refresh also requests a diff,
   * without a check before: that diff plans nothing, so it does not refuse or warn.
   */
  isChecked?: boolean;
  /** The line with `adopt` before and now. Written by `check` with the old inputs; read by `diff`, which alone knows the id. */
  adoptLine?: AdoptLine;
  /**
   * The notice of the check with the old inputs. Written by that check; read by `diff`, and by the check of a
   * replacement.
   */
  notice?: CheckNotice;
  /**
   * What this run has announced of the next step. Written by `diff`, and by the check of a resource without a state;
   * read by `update` and `create`, which compare it with what happened.
   */
  announced?: Announcement | undefined;
}

/** The state of this process, from the first call to the last. */
export interface Session extends Omit<Process, "log"> {
  readonly log: EngineLog;
  /** From now on, `redact` removes this value from every text. */
  readonly hide: (secret: string) => void;
  readonly redact: (text: string) => string;
  readonly ownership: Ownership;
  readonly restartOrder: RestartOrder;
  readonly primaries: Primaries;
  readonly readiness: Readiness;
  /** If the configuration cannot be read, every call fails with this error. */
  config: ProviderConfig | ConfigurationError;
  lifecycle?: Lifecycle;
  journal?: OpenJournal | undefined;
  /** By the resource's id; a resource without an id has no entry. */
  readonly resources: Map<string, SeenResource>;
  /** Owners of the journal entries whose computes `create` has reported to the engine. */
  readonly reported: Set<string>;
  /** Whether anything was checked: a destroy checks nothing. */
  hasChecked: boolean;
  /** Number of running deletions. */
  deletions: number;
}

export function openSession(process: Process): Session {
  // A service's text may quote the key or a declared secret. It leaves the process in two ways: on a row, and as an
  // error.
  const redactor = createRedactor();
  const log = process.log(redactor.redact);
  const session: Session = {
    ...process,
    ...redactor,
    log,
    config: configurationOf(() => undefined),
    ownership: trackOwnership({
      notes: () => journalOf(session).takeovers,
      inState: (endpointId) =>
        [...session.resources].flatMap(([id, seen]) =>
          foundIn(seen)?.endpointId === endpointId ? [id] : [],
        ),
    }),
    restartOrder: createRestartOrder(process.clock),
    primaries: trackPrimaries(),
    readiness: createReadiness(process.clock, (line) => {
      log.progress(stackRow, line);
    }),
    resources: new Map(),
    reported: new Set(),
    hasChecked: false,
    deletions: 0,
  };
  process.onEnd(() => {
    session.journal?.journal.settle(session.reported);
  });
  return session;
}

/** What is known of a resource so far, to read and to extend. */
export function seenOf({ resources }: Session, id: string): SeenResource {
  const seen = resources.get(id) ?? {};
  resources.set(id, seen);
  return seen;
}

/** If there are two computes under one name, neither counts as the resource's. */
export function foundIn({ found }: SeenResource): EndpointState | undefined {
  return found === "two" ? undefined : found;
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

/** Never throws: a configuration that cannot be read fails every call. */
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

/** Empty if there is no key: then nothing has been sent, and nothing can be quoted. */
function keyOf(config: ProviderConfig | ConfigurationError): string {
  try {
    return config instanceof ConfigurationError ? "" : config.connection().apiKey;
  } catch {
    return "";
  }
}
