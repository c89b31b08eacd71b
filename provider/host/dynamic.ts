/**
 * The dynamic door: what Pulumi's dynamic provider process calls, turned into plain calls of the lifecycle and back.
 *
 * The names of the handlers are the wire format of every stored state (`sdk/remote.ts`): they never change.
 */
import { checkEndpoint } from "../endpoint/check";
import { diffEndpoint } from "../endpoint/diff";
import { heldTwice } from "../endpoint/holders";
import { secretValuesOf, type EndpointInputs } from "../endpoint/inputs";
import { inputsOfState } from "../endpoint/state";
import { forgetStored, noteTold } from "../writes/journal";
import { toPlain, toThrown } from "./serialization";
import {
  configure,
  configured,
  connected,
  journalOf,
  openSession,
  type Process,
  type Session,
} from "./session";
import {
  hiddenIn,
  type Hidden,
  noticeValues,
  readInputs,
  readState,
  resourceOf,
  toInputValues,
  toStateValues,
  type PropertyValues,
} from "./stored";

type Values = Record<string, unknown>;

/** The methods that the engine's provider process calls, in its own words. */
export interface EndpointHandlers {
  configure(request: { readonly config: { get(key: string): string | undefined } }): void;
  check(
    olds: Values,
    news: Values,
  ): Promise<{ inputs: Values; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: Values,
    news: Values,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Values): Promise<{ id: string; outs: Values }>;
  read(id: string, props: Values): Promise<{ id: string; props: Values; inputs?: Values }>;
  update(id: string, olds: Values, news: Values): Promise<{ outs: Values }>;
  delete(id: string, props: Values): Promise<void>;
}

export function createHandlers(process: Process): EndpointHandlers {
  const session = openSession(process);
  const { redact } = session;
  /** Runs a call of the engine. @param values - what it passes: secrets among them are hidden, the last goes into a partial failure. */
  const guarded = async <T>(values: readonly Values[], act: () => Promise<T>): Promise<T> => {
    for (const passed of values)
      for (const secret of secretValuesOf(passed, hiddenIn(passed).secrets)) session.hide(secret);
    try {
      return await act();
    } catch (error) {
      const hidden = hiddenIn(values.at(-1) ?? {});
      throw toThrown(error, { redact, properties: (state) => toStateValues(state, hidden) });
    }
  };
  return {
    // Synchronous, and never throws: the process calls methods before this one's promise is settled, and
    // goes on unconfigured after an error (pulumi's dynamic-provider `getProvider`).
    configure: ({ config: stack }) => {
      configure(session, (key) => stack.get(key));
    },
    check: (olds, news) => guarded([olds, news], () => check(session, olds, news)),
    diff: (_id, olds, news) => guarded([olds, news], () => diff(session, olds, news)),
    create: (inputs) => guarded([inputs], () => create(session, inputs)),
    read: (id, props) => guarded([props], () => read(session, id, props)),
    update: (_id, olds, news) => guarded([olds, news], () => update(session, olds, news)),
    delete: (_id, props) => guarded([props], () => remove(session, props)),
  };
}

async function check(session: Session, olds: Values, news: Values): ReturnType<EndpointHandlers["check"]> {
  const { args, hidden } = readInputs(news);
  const resource = resourceOf(hidden, { log: session.log });
  const id = resource.id ?? "";
  const isStored = olds["projectId"] !== undefined;
  if (isStored) session.inState.set(id, {});
  session.checked.add(id);
  session.hasChecked = true;
  const config = configured(session);
  const before = readInputs(olds);
  const {
    inputs,
    failures,
    interruption,
    verdict,
    warnings = [],
  } = await checkEndpoint(
    {
      stored: isStored ? before.args : undefined,
      args,
      resource: { ...resource, secrets: secretsOfEither(hidden, before.hidden) },
      isPreview: hidden.isPreview,
      isReplacement: !isStored && resource.id !== undefined && session.inState.has(id),
    },
    {
      config,
      holders: session.holders,
      looks: {
        lookLive: async (compute) => (await connected(session)).lookLive(compute),
        listLive: async (projectId) => (await connected(session)).listLive(projectId),
      },
      now: () => session.clock.now(),
    },
  );
  // `diff` is not called for a compute about to be adopted.
  if (!isStored && hidden.isPreview && interruption !== undefined)
    await resource.row.say("warning", interruption.text);
  for (const warning of warnings) await resource.row.say("warning", warning);
  // The new side of a replacement is checked without the old inputs: the judgement is the one made with them.
  if (isStored && verdict !== undefined) session.verdicts.set(id, verdict);
  const notice = noticeValues({
    text: interruption?.text ?? (config.updatePlans ? before.hidden.interruption : undefined),
    verdict: verdict ?? (isStored ? undefined : session.verdicts.get(id)),
    isPreview: hidden.isPreview,
    updatePlans: config.updatePlans,
  });
  const checked = { ...toInputValues(inputs, hidden), ...(failures.length > 0 ? {} : notice) };
  return { inputs: toPlain(checked), failures: [...failures] };
}

async function diff(session: Session, olds: Values, news: Values): ReturnType<EndpointHandlers["diff"]> {
  const { args, hidden } = readInputs(news);
  const { state, hidden: stored } = readState(olds);
  const { interruption: text, verdict } = hidden;
  const secrets = secretsOfEither(hidden, stored);
  const inputs = args as unknown as EndpointInputs;
  const noticed = text === undefined ? undefined : { text, certain: verdict?.certain ?? true };
  const checked = { inputs, secrets, noticed, askedOf: verdict?.endpointId };
  const { warning, refusal, ...differs } = diffEndpoint(state, checked, configured(session));
  await forgetSeen(session, olds, news);
  const resource = resourceOf(hidden, { log: session.log, former: stored });
  if (session.checked.delete(resource.id ?? "")) {
    if (refusal !== undefined) throw refusal;
    session.inState.set(resource.id ?? "", { endpointId: state.endpointId });
    const other = session.holders.hold(state, resource);
    if (other !== undefined) throw heldTwice(state.endpointId, resource, other);
    if (resource.id !== undefined && resource.formerId !== undefined)
      await journalOf(session).takeovers.addName(state, { known: resource.formerId, also: resource.id });
    if (warning !== undefined) await resource.row.say("warning", warning);
  }
  return { ...differs, replaces: [...differs.replaces] };
}

/** A notice names both sides of a change: what was a secret before is one still. */
function secretsOfEither(now: Hidden, before: Hidden): readonly string[] {
  return [...new Set([...now.secrets, ...before.secrets])];
}

async function create(session: Session, values: Values): ReturnType<EndpointHandlers["create"]> {
  const { args, hidden } = readInputs(values);
  const resource = resourceOf(hidden, { log: session.log });
  const replaces = session.inState.get(resource.id ?? "");
  const inputs = args as unknown as EndpointInputs;
  const state = await (await connected(session)).create({ inputs, resource, replaces });
  const { journal, ownerOf } = journalOf(session);
  const owner = ownerOf(resource.id);
  if (owner !== undefined) {
    session.answered.add(owner);
    await noteTold(journal, owner, state.endpointId);
  }
  return { id: state.endpointId, outs: toPlain(toStateValues(state, hidden)) };
}

async function read(session: Session, id: string, values: Values): ReturnType<EndpointHandlers["read"]> {
  const { state, hidden } = readState(values);
  const resource = resourceOf(hidden, { log: session.log });
  const seen = await (await connected(session)).read(state, { endpointId: id, resource });
  if (seen === undefined) return { id: "", props: {} };
  const inputs = toInputValues(inputsOfState(seen), hidden);
  return { id, props: toPlain(toStateValues(seen, hidden)), inputs: toPlain(inputs) };
}

async function update(session: Session, olds: Values, news: Values): ReturnType<EndpointHandlers["update"]> {
  const { args, hidden } = readInputs(news);
  const { state, hidden: stored } = readState(olds);
  const resource = resourceOf(hidden, { log: session.log, former: stored });
  const inputs = args as unknown as EndpointInputs;
  const changed = await (await connected(session)).update(state, { inputs, resource });
  return { outs: toPlain(toStateValues(changed, hidden)) };
}

async function remove(session: Session, values: Values): Promise<void> {
  const { state, hidden } = readState(values);
  const resource = resourceOf(hidden, { log: session.log });
  const lifecycle = await connected(session);
  session.deletions += 1;
  try {
    await lifecycle.delete(state, resource);
  } finally {
    session.deletions -= 1;
  }
  // Nothing was checked: this is a destroy, and its last deletion so far.
  if (!session.hasChecked && session.deletions === 0) await lifecycle.nameLeftBehind(resource);
}

/** Clears journal entries of computes that the state holds, under this name and, after a rename, the old one. */
async function forgetSeen(session: Session, olds: PropertyValues, news: PropertyValues): Promise<void> {
  const { journal, ownerOf } = journalOf(session);
  const { endpointId } = readState(olds).state;
  for (const urn of new Set([hiddenIn(news).urn, hiddenIn(olds).urn]))
    await forgetStored(journal, ownerOf(urn), endpointId);
}
