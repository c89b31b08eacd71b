/**
 * The state of one provider process: its configuration, its connection, and what the engine has passed about the
 * program's resources so far.
 */
import type { Clock } from "../clock";
import {
  environmentSecrets,
  readConfig,
  type Configured,
  type ProviderConfig,
  type ReadStackConfig,
} from "../settings/config";
import type { ConnectLifecycle, Lifecycle } from "../connect";
import type { AdoptLine } from "../plan/adoption";
import { trackOwnership, type Ownership } from "../run/ownership";
import { trackPrimaries, type Primaries } from "../plan/primaries";
import { createRestartOrder, type RestartOrder } from "../lifecycle/restartOrder";
import type { Judged } from "../plan/judged";
import type { Replacement } from "../plan/compare";
import type { Interruption } from "../model/interruption";
import type { Resource } from "../run/resource";
import type { EndpointState } from "../model/state";
import { ConfigurationError, messageOf } from "../model/errors";
import { createRedactor } from "../redact";
import { openStackBackend, type ExportStack, type StackBackend } from "../run/stackBackend";
import { stackRow, type EngineLog } from "./engineLog";
import { createReadiness, type Readiness } from "./readiness";

/** What the handlers need from their process. */
export interface Process {
  readonly clock: Clock;
  readonly log: (redact: (text: string) => string) => EngineLog;
  /** Loaded with the first request: a preview that sends none loads neither undici nor opens a connection. */
  readonly loadLifecycle: () => Promise<ConnectLifecycle>;
  /** Aborts when the run is interrupted, if the engine reports that. */
  readonly interrupted?: AbortSignal | undefined;
  /** How the state of the stack is had; absent where no engine runs. */
  readonly exportStack?: ExportStack | undefined;
}

/**
 * What the engine's calls of this run have shown of one resource: one member for each call, in the engine's order. Any
 * call may be missing.
 */
export interface SeenResource {
  /**
   * `read`: the compute in the state, as a refresh has found it; "two" if it has found another one as well: one of them
   * is replaced and still to be deleted, and the engine does not say which.
   */
  found?: EndpointState | "two" | undefined;
  /** `check` with the old inputs. A refresh requests a diff without it: that diff plans nothing. */
  checked?: Judged & { readonly adoptLine: AdoptLine; readonly isPreview: boolean };
  /** `diff` after that check. */
  diffed?: {
    readonly endpointId: string;
    readonly replaces: boolean;
    /** What this run has announced of the update. */
    readonly announced: Interruption | undefined;
    /** Whether it has said that a part of the change waits. */
    readonly hasSaidWaiting: boolean;
  };
  /** `check` without the old inputs, and what it has announced of the create. */
  creation?: { readonly announced: Interruption | undefined };
  /** `create` with a line `adopt`, or `read` for an import: the compute that is the resource's from then on. */
  taken?: string;
}

/** The state of this process, from the first call to the last. */
export interface Session extends Omit<Process, "log" | "exportStack"> {
  readonly log: EngineLog;
  /** From now on, `redact` removes this value from every text. */
  readonly hide: (secret: string) => void;
  readonly redact: (text: string) => string;
  readonly ownership: Ownership;
  readonly restartOrder: RestartOrder;
  readonly primaries: Primaries;
  readonly backend: StackBackend;
  readonly readiness: Readiness;
  /** If the configuration cannot be read, every call fails with this error. */
  config: ProviderConfig | ConfigurationError;
  lifecycle?: Lifecycle;
  /** By the resource's id; resources without an id share one entry. */
  readonly resources: Map<string, SeenResource>;
  /** Whether a row says that Pulumi's backend could not be asked. */
  hasSaidUnasked: boolean;
  /** Settles once rows name what earlier runs began to create and this run's program does not declare. */
  leftNamed?: Promise<void>;
}

export function openSession(process: Process): Session {
  // A service's text may quote the key or a declared secret. It leaves the process in two ways: on a row, and as an
  // error.
  const redactor = createRedactor();
  environmentSecrets().forEach(redactor.hide);
  const log = process.log(redactor.redact);
  return {
    ...process,
    ...redactor,
    log,
    config: configurationOf(() => undefined),
    ownership: trackOwnership(),
    restartOrder: createRestartOrder(process.clock),
    primaries: trackPrimaries(),
    backend: openStackBackend(process.exportStack),
    readiness: createReadiness(process.clock, (line) => {
      log.progress(stackRow, line);
    }),
    resources: new Map(),
    hasSaidUnasked: false,
  };
}

/** What is known of a resource so far, to read and to extend. */
export function seenOf({ resources }: Session, { id = "" }: Pick<Resource, "id">): SeenResource {
  const seen = resources.get(id) ?? {};
  resources.set(id, seen);
  return seen;
}

/** If there are two computes under one name, neither counts as the resource's. */
export function foundIn({ found }: SeenResource): EndpointState | undefined {
  return found === "two" ? undefined : found;
}

/**
 * What a `check` without old inputs, and the `create` after it, replace; undefined for a new resource.
 *
 * The engine requests both in the same form for a new resource and for the new side of a replacement. It passes neither
 * the replaced compute nor the reason: `--replace`, taint and the options that replace reach no provider. But it does so
 * only once for a resource: a compute that this run has seen in the resource's state is replaced now, and by force unless
 * our own diff has asked for it. For `--replace` and taint no call comes before, so only a refresh shows that compute.
 */
export function replacementIn(session: Session, resource: Resource): Replacement | undefined {
  if (resource.id === undefined) return undefined;
  const { checked, diffed, ...seen } = seenOf(session, resource);
  const endpointId = diffed?.endpointId ?? foundIn(seen)?.endpointId;
  if (checked === undefined && endpointId === undefined) return undefined;
  return { endpointId, isForced: endpointId !== undefined && diffed?.replaces !== true };
}

export function configure(session: Session, given: ReadStackConfig | Configured): void {
  const config = configurationOf(given);
  session.config = config;
  session.hide(keyOf(config));
  if (config instanceof ConfigurationError) return;
  for (const text of config.ignored) void session.log.say(stackRow, "warning", text);
}

export function configured({ config }: Session): ProviderConfig {
  if (config instanceof ConfigurationError) throw config;
  return config;
}

export async function lifecycleOf(session: Session): Promise<Lifecycle> {
  const connect = await session.loadLifecycle();
  session.lifecycle ??= connect(configured(session), session);
  return session.lifecycle;
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
