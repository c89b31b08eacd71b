/**
 * What one provider process knows: its configuration, its connection, and what the engine has told it of the program's
 * resources so far.
 */
import type { Clock } from "../clock";
import { readConfig, type Configured, type ProviderConfig, type ReadStackConfig } from "../settings/config";
import type { Connect, Lifecycle } from "../connect";
import type { CheckResult } from "../endpoint/planning/check";
import { trackOwnership, type Ownership } from "../endpoint/ownership";
import { createRestartOrder, type RestartOrder } from "../endpoint/applying/restartOrder";
import type { EndpointState } from "../endpoint/state";
import type { Verdict } from "../endpoint/planning/verdict";
import { ConfigurationError, messageOf } from "../errors";
import { createRedactor } from "../redact";
import { openJournal, type OpenJournal } from "../writes/openJournal";
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
export interface CheckNotice {
  readonly text: string | undefined;
  /** The text without what may be otherwise a moment later. */
  readonly planned: string | undefined;
  readonly verdict: Verdict | undefined;
  /** What is left for a window, in place of the texts above. */
  readonly deferral?: CheckResult["deferral"];
}

/**
 * What this process has seen of one resource, in the order in which a run goes: a refresh, a check with the old inputs, a
 * diff, the check of a replacement without them, and the step itself. Any of them may be left out.
 */
export interface SeenResource {
  /**
   * The compute that a refresh of this run has found; "two" where it has found another one as well: one of them is
   * replaced, and still to be deleted, which the engine does not tell. Written by `read`; read by `check`, for what the
   * declaration is compared with, by an import, and by the `create` of whoever adopts it.
   */
  found?: EndpointState | "two" | undefined;
  /** The compute that was imported in this run. Written by an import; read by `delete`: the engine may delete it as its own original. */
  imported?: string;
  /**
   * That the state holds a compute of it. Written by `check` with the old inputs, by that of a replacement by force, and
   * by `diff`, which alone knows the id and whether the change replaces. Read by the check of a replacement, which comes
   * without the old inputs, and by `create`: the engine does not tell it that it replaces something.
   */
  inState?: { readonly endpointId?: string; readonly replaces?: boolean };
  /**
   * Whether it was checked and not compared yet. Written by `check`, and taken back by `diff`. A refresh asks for a diff
   * as well, without a check before it: that one plans nothing, so it refuses nothing and warns of nothing.
   */
  isChecked?: boolean;
  /** What the check with the old inputs said. Written by it; read by `diff`, and by the check of a replacement. */
  notice?: CheckNotice;
  /** The owner of a create that the engine was told of. Written by `create`; read when the process ends. */
  answered?: string;
}

/** What this process knows, from the first call to the last. */
export interface Session extends Omit<Process, "log"> {
  readonly log: EngineLog;
  /** From now on, `redact` takes this value out of every text. */
  readonly hide: (secret: string) => void;
  readonly redact: (text: string) => string;
  readonly ownership: Ownership;
  readonly restartOrder: RestartOrder;
  /** A configuration that cannot be read is the failure of every call. */
  config: ProviderConfig | ConfigurationError;
  lifecycle?: Lifecycle;
  journal?: OpenJournal | undefined;
  /** By the resource's id; one without an id has none of this. */
  readonly resources: Map<string, SeenResource>;
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
    ownership: trackOwnership({
      opened: () => journalOf(session),
      inState: (endpointId) => namesInState(session, endpointId),
    }),
    restartOrder: createRestartOrder(process.clock),
    resources: new Map(),
    hasChecked: false,
    deletions: 0,
  };
  process.onEnd(() => {
    const answered = [...session.resources.values()].flatMap(({ answered: owner }) => owner ?? []);
    session.journal?.journal.settle(new Set(answered));
  });
  return session;
}

/** What is known of a resource so far, to read and to add to. */
export function seenOf({ resources }: Session, id: string): SeenResource {
  const seen = resources.get(id) ?? {};
  resources.set(id, seen);
  return seen;
}

function namesInState({ resources }: Session, endpointId: string): readonly string[] {
  return [...resources].flatMap(([id, seen]) => (foundIn(seen)?.endpointId === endpointId ? [id] : []));
}

/** Of two computes under one name, neither is known for that of the resource. */
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
