/**
 * The wiring root: what Pulumi's dynamic provider process loads.
 *
 * The names of the handlers are the wire format of every stored state (`sdk/remote.ts`): they never change.
 */
import { toPlain, toThrown } from "./boundary";
import { systemClock } from "./clock";
import { readConfig, type ProviderConfig, type ReadStackConfig } from "./config";
import { createEngineVoice, watchEngine } from "./engine";
import { ConfigurationError, messageOf } from "./errors";
import { redactor } from "./redact";
import type { Lifecycle } from "./services";
import { checkEndpoint, diffEndpoint } from "./endpoint/plan";
import { forgetFirst, forgetStored, openJournal, type OpenJournal } from "./endpoint/journal";
import type { LookLive } from "./endpoint/live";
import type { EndpointState } from "./endpoint/state";

/** The methods that the engine's provider process calls, in its own words. */
export interface EndpointHandlers {
  configure(request: { readonly config: { get(key: string): string | undefined } }): void;
  check(olds: Bag, news: Bag): Promise<{ inputs: Bag; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: Bag,
    news: Bag,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Bag): Promise<{ id: string; outs: Bag }>;
  read(id: string, props: Bag): Promise<{ id: string; props: Bag; inputs?: Bag }>;
  update(id: string, olds: Bag, news: Bag): Promise<{ outs: Bag }>;
  delete(id: string, props: Bag): Promise<void>;
}

type Bag = Record<string, unknown>;

/**
 * @param engineAddress - where the engine listens: the first argument of its provider process.
 */
export function createHandlers(engineAddress: string | undefined): EndpointHandlers {
  let config: ProviderConfig | ConfigurationError = configurationOf(() => undefined);
  // What a service writes may quote the key, and leaves by two ways: on a row, and as an error.
  const redact = (text: string): string => redactorOf(config)(text);
  const voice = createEngineVoice(engineAddress, redact);
  const guarded = <T>(act: () => T | Promise<T>): Promise<T> => rethrowing(act, redact);
  let lifecycle: Lifecycle | undefined;
  let opened: OpenJournal | undefined;
  // A replacement is checked twice, with the old inputs and without, and `--replace` does not even ask for a
  // diff: create alone would not know it for one. The id is known once a diff has named it.
  const inState = new Map<string, { readonly endpointId?: string }>();

  const configured = (): ProviderConfig => {
    if (config instanceof ConfigurationError) throw config;
    return config;
  };
  // Loaded with the first request: a preview without one pays for neither undici nor a connection.
  const connected = async (): Promise<Lifecycle> => {
    const { connect } = await import("./services.js");
    if (lifecycle === undefined) {
      lifecycle = connect(configured(), voice, systemClock);
      watchEngine(engineAddress, () => process.exit(1));
    }
    return lifecycle;
  };

  const journal = (): OpenJournal => (opened ??= openJournal(configured(), systemClock));

  return {
    // Synchronous, and never throws: the process calls methods before this one's promise is settled, and
    // goes on unconfigured after an error (pulumi's dynamic-provider `getProvider`).
    configure: ({ config: stack }) => {
      config = configurationOf((key) => stack.get(key));
      opened = undefined;
    },
    check: (olds, news) =>
      guarded(async () => {
        const urn = urnOf(news);
        const isStored = olds["projectId"] !== undefined;
        if (urn !== undefined && isStored) inState.set(urn, {});
        const look: LookLive = async (compute) => (await connected()).lookLive(compute);
        const checked = await checkEndpoint(olds, news, {
          config: configured(),
          look,
          now: () => systemClock.now(),
          isReplacement: !isStored && inState.has(urn ?? ""),
        });
        if (isStored && checked.failures.length === 0) await forgetSeen(journal(), olds, news);
        if (checked.warning !== undefined) await voice.say(urn, "warning", checked.warning);
        return { inputs: toPlain(checked.inputs), failures: [...checked.failures] };
      }),
    diff: (_id, olds, news) =>
      guarded(async () => {
        const state = olds as unknown as EndpointState;
        const { warning, ...diff } = diffEndpoint(state, news, configured());
        inState.set(urnOf(news) ?? "", { endpointId: state.endpointId });
        await forgetSeen(journal(), olds, news);
        if (warning !== undefined) await voice.say(urnOf(news), "warning", warning);
        return { ...diff, replaces: [...diff.replaces] };
      }),
    create: (inputs) =>
      guarded(async () => {
        const replaces = inState.get(urnOf(inputs) ?? "");
        const { id, outs } = await (await connected()).create({ ...inputs, __replaces: replaces });
        return { id, outs: toPlain({ ...outs }) };
      }),
    read: (id, props) =>
      guarded(async () => {
        const seen = await (await connected()).read(id, props as unknown as EndpointState);
        const inputs = seen.inputs === undefined ? {} : { inputs: toPlain(seen.inputs) };
        return { id: seen.id, props: toPlain(seen.props), ...inputs };
      }),
    update: (_id, olds, news) =>
      guarded(async () => {
        const outs = await (await connected()).update(olds as unknown as EndpointState, news);
        return { outs: toPlain({ ...outs }) };
      }),
    delete: (id, props) =>
      guarded(async () => {
        await (await connected()).delete(id, props as unknown as EndpointState);
      }),
  };
}

/** Clears journal entries of computes that the state holds, under this name and, after a rename, the old one. */
async function forgetSeen({ journal, ownerOf }: OpenJournal, olds: Bag, news: Bag): Promise<void> {
  const endpointId = olds["endpointId"] as string | undefined;
  for (const urn of new Set([urnOf(news), urnOf(olds)])) {
    if (endpointId === undefined) await forgetFirst(journal, ownerOf(urn));
    else await forgetStored(journal, ownerOf(urn), endpointId);
  }
}

/** Never throws: a configuration that cannot be read is the failure of every call. */
function configurationOf(read: ReadStackConfig): ProviderConfig | ConfigurationError {
  try {
    return readConfig(read);
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

function urnOf(inputs: Bag): string | undefined {
  return inputs["__urn"] as string | undefined;
}

/** Every failure leaves as an error that the process can print. */
async function rethrowing<T>(act: () => T | Promise<T>, redact: (text: string) => string): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw toThrown(error, redact);
  }
}

function redactorOf(config: ProviderConfig | ConfigurationError): (text: string) => string {
  try {
    if (!(config instanceof ConfigurationError)) return redactor(config.connection().apiKey);
  } catch {
    // Nothing has been sent, so nobody has a key to quote.
  }
  return (text) => text;
}

/** Loaded by name from stored states: `require("pulumi-compute-endpoint/provider").endpoint`. */
export const endpoint: EndpointHandlers = createHandlers(process.argv[2]);
