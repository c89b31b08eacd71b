/**
 * The wiring root: what Pulumi's dynamic provider process loads.
 *
 * The names of the handlers are the wire format of every stored state (`sdk/remote.ts`): they never change.
 */
import { toPlain, toThrown } from "./boundary";
import { systemClock } from "./clock";
import { readConfig, type ProviderConfig, type ReadStackConfig } from "./config";
import { createEngineVoice, watchEngine, type EngineVoice } from "./engine";
import { ConfigurationError, messageOf } from "./errors";
import { createRedactor } from "./redact";
import type { Lifecycle } from "./services";
import { checkEndpoint, diffEndpoint } from "./endpoint/plan";
import { heldTwice, trackHolders, type Holders } from "./endpoint/holders";
import { secretValuesOf } from "./endpoint/inputs";
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
  // What a service writes may quote the key or a declared secret, and leaves by two ways: on a row, and as an error.
  const { hide, redact } = createRedactor();
  const voice = createEngineVoice(engineAddress, redact);
  const guarded = async <T>(bags: readonly Bag[], act: () => Promise<T>): Promise<T> => {
    for (const secret of bags.flatMap(secretValuesOf)) hide(secret);
    try {
      return await act();
    } catch (error) {
      throw toThrown(error, redact);
    }
  };
  const holders = trackHolders();
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
      lifecycle = connect(configured(), { voice, clock: systemClock, redact, holders });
      watchEngine(engineAddress, () => process.exit(1));
    }
    return lifecycle;
  };

  const journal = (): OpenJournal => (opened ??= openJournal(configured(), systemClock));
  const look: LookLive = async (compute) => (await connected()).lookLive(compute);
  const planning = { configured, look, journal, voice, holders, inState };

  return {
    // Synchronous, and never throws: the process calls methods before this one's promise is settled, and
    // goes on unconfigured after an error (pulumi's dynamic-provider `getProvider`).
    configure: ({ config: stack }) => {
      config = configurationOf((key) => stack.get(key));
      opened = undefined;
      hide(keyOf(config));
    },
    ...planningHandlers(planning, guarded),
    create: (inputs) =>
      guarded([inputs], async () => {
        const replaces = inState.get(urnOf(inputs) ?? "");
        const { id, outs } = await (await connected()).create({ ...inputs, __replaces: replaces });
        return { id, outs: toPlain({ ...outs }) };
      }),
    read: (id, props) =>
      guarded([props], async () => {
        const seen = await (await connected()).read(id, props as unknown as EndpointState);
        const inputs = seen.inputs === undefined ? {} : { inputs: toPlain(seen.inputs) };
        return { id: seen.id, props: toPlain(seen.props), ...inputs };
      }),
    update: (_id, olds, news) =>
      guarded([olds, news], async () => {
        const outs = await (await connected()).update(olds as unknown as EndpointState, news);
        return { outs: toPlain({ ...outs }) };
      }),
    delete: (id, props) =>
      guarded([props], async () => {
        await (await connected()).delete(id, props as unknown as EndpointState);
      }),
  };
}

type Guarded = <T>(bags: readonly Bag[], act: () => Promise<T>) => Promise<T>;

interface Planning {
  readonly configured: () => ProviderConfig;
  readonly look: LookLive;
  readonly journal: () => OpenJournal;
  readonly voice: EngineVoice;
  readonly holders: Holders;
  /** Resources that the state holds, with the id of the compute where a diff has named it. */
  readonly inState: Map<string, { readonly endpointId?: string }>;
}

/** What comes before a change. */
function planningHandlers(planning: Planning, guarded: Guarded): Pick<EndpointHandlers, "check" | "diff"> {
  const { configured, look, journal, voice, holders, inState } = planning;
  // A refresh asks for a diff as well, without a check before it: that one plans nothing, so it refuses nothing and
  // warns of nothing. Each check is good for one diff.
  const checked = new Set<string>();
  return {
    check: (olds, news) =>
      guarded([olds, news], async () => {
        const urn = urnOf(news);
        if (urn !== undefined) checked.add(urn);
        const isStored = olds["projectId"] !== undefined;
        if (urn !== undefined && isStored) inState.set(urn, {});
        const { inputs, failures, warning } = await checkEndpoint(olds, news, {
          config: configured(),
          look,
          holders,
          now: () => systemClock.now(),
          isReplacement: !isStored && inState.has(urn ?? ""),
        });
        if (isStored && failures.length === 0) await forgetSeen(journal(), olds, news);
        if (warning !== undefined) await voice.say(urn, "warning", warning);
        return { inputs: toPlain(inputs), failures: [...failures] };
      }),
    diff: (_id, olds, news) =>
      guarded([olds, news], async () => {
        const state = olds as unknown as EndpointState;
        const urn = urnOf(news);
        const { warning, refusal, ...diff } = diffEndpoint(state, news, configured());
        await forgetSeen(journal(), olds, news);
        if (urn === undefined || checked.delete(urn)) {
          if (refusal !== undefined) throw refusal;
          inState.set(urn ?? "", { endpointId: state.endpointId });
          if (urn !== undefined) await holdOnce(state, urn, planning);
          if (warning !== undefined) await voice.say(urn, "warning", warning);
        }
        return { ...diff, replaces: [...diff.replaces] };
      }),
  };
}

/** @throws ComputeError where another resource of the program has the compute as well. */
async function holdOnce(
  state: EndpointState,
  urn: string,
  { holders, journal }: Pick<Planning, "holders" | "journal">,
): Promise<void> {
  const ref = { projectId: state.projectId, endpointId: state.endpointId };
  const storedUrn = state.__urn ?? urn;
  const other = holders.hold(ref, [...new Set([urn, storedUrn])]);
  if (other !== undefined) throw heldTwice(ref.endpointId, [urn, other]);
  if (storedUrn !== urn) await journal().takeovers.addName(ref, { known: storedUrn, also: urn });
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

/** Empty where there is none: nothing has been sent then, so that nobody can quote it. */
function keyOf(config: ProviderConfig | ConfigurationError): string {
  try {
    return config instanceof ConfigurationError ? "" : config.connection().apiKey;
  } catch {
    return "";
  }
}

/** Loaded by name from stored states: `require("pulumi-compute-endpoint/provider").endpoint`. */
export const endpoint: EndpointHandlers = createHandlers(process.argv[2]);
