/**
 * The dynamic provider: converts the calls of Pulumi's dynamic provider process to calls of the lifecycle, and back.
 *
 * The names of the handlers are the wire format of every stored state (`sdk/remote.ts`): they never change.
 */
import { inputsOfState } from "../../model/state";
import { createDeclared, deleteHeld, guarded, readHeld, updateHeld } from "../calls";
import { checkDeclaration, diffDeclaration } from "../planningCalls";
import { secretValuesOf } from "../secretValues";
import { isRemovedRestart, refuseRestart, restartFailure } from "../removedRestart";
import { toPlain } from "../serialization";
import { configure, openSession, type Process, type Session } from "../session";
import {
  hiddenIn,
  readInputs,
  readState,
  toInputValues,
  toStateValues,
  type Values,
} from "../../model/stored";
import { checkAnswer, isFromPlugin, sidesOf, type DynamicResource } from "./resource";

/** The methods that the engine's provider process calls, with its names. */
export interface EndpointHandlers extends DynamicResource {
  configure(request: { readonly config: { get(key: string): string | undefined } }): void;
}

export function createHandlers(process: Process): EndpointHandlers {
  const session = openSession(process);
  /** @param values - what the engine passes; the last one is used for a partial failure. */
  const guard = <T>(values: readonly Values[], act: () => Promise<T>): Promise<T> => {
    const secrets = values.flatMap((passed) => secretValuesOf(passed, hiddenIn(passed).secrets));
    const hidden = hiddenIn(values.at(-1) ?? {});
    return guarded(session, { secrets, properties: (state) => toStateValues(state, hidden) }, act);
  };
  const ofType = ({ __urn: urn }: Values): DynamicResource => (isRemovedRestart(urn) ? restart : endpoints);
  const endpoints: DynamicResource = {
    check: (olds, news) => check(session, olds, news),
    diff: (_id, olds, news) => diff(session, olds, news),
    create: (inputs) => create(session, inputs),
    read: (id, props) => read(session, id, props),
    update: (_id, olds, news) => update(session, olds, news),
    delete: (_id, props) => deleteHeld(session, readState(props)),
  };
  return {
    // Synchronous, and never throws: the process calls methods before this promise is settled, and continues without
    // configuration after an error (pulumi's dynamic-provider `getProvider`).
    configure: ({ config: stack }) => {
      configure(session, (key) => stack.get(key));
    },
    check: (olds, news) => guard([olds, news], () => ofType(news).check(olds, news)),
    diff: (id, olds, news) => guard([olds, news], () => ofType(news).diff(id, olds, news)),
    create: (inputs) => guard([inputs], () => ofType(inputs).create(inputs)),
    read: (id, props) => guard([props], () => ofType(props).read(id, props)),
    update: (id, olds, news) => guard([olds, news], () => ofType(news).update(id, olds, news)),
    delete: (id, props) => guard([props], () => ofType(props).delete(id, props)),
  };
}

const restart: DynamicResource = {
  check: (_olds, inputs) => Promise.resolve({ inputs, failures: [restartFailure()] }),
  diff: () => Promise.resolve({ changes: false, replaces: [], deleteBeforeReplace: false }),
  create: refuseRestart,
  read: (id, props) => Promise.resolve({ id, props }),
  update: refuseRestart,
  delete: () => Promise.resolve(),
};

async function check(session: Session, olds: Values, news: Values): ReturnType<EndpointHandlers["check"]> {
  const sides = sidesOf(olds, news);
  const { ofReplacement, ...checked } = await checkDeclaration(session, sides);
  return checkAnswer(sides, { ...checked, verdict: checked.verdict ?? ofReplacement?.verdict });
}

async function diff(session: Session, olds: Values, news: Values): ReturnType<EndpointHandlers["diff"]> {
  const held = readState(olds);
  const declared = readInputs(news);
  const differs = await diffDeclaration(session, { held, declared });
  const { changes, replaces, deleteBeforeReplace } = differs;
  const isMoved = isFromPlugin(held.hidden, declared.hidden);
  return { changes: changes || isMoved, replaces: [...replaces], deleteBeforeReplace };
}

async function create(session: Session, values: Values): ReturnType<EndpointHandlers["create"]> {
  const declared = readInputs(values);
  const state = await createDeclared(session, declared);
  return { id: state.endpointId, outs: toPlain(toStateValues(state, declared.hidden)) };
}

async function read(session: Session, id: string, values: Values): ReturnType<EndpointHandlers["read"]> {
  const held = readState(values);
  const seen = await readHeld(session, id, held);
  if (seen === undefined) return { id: "", props: {} };
  const inputs = toInputValues(inputsOfState(seen), held.hidden);
  return { id, props: toPlain(toStateValues(seen, held.hidden)), inputs: toPlain(inputs) };
}

async function update(session: Session, olds: Values, news: Values): ReturnType<EndpointHandlers["update"]> {
  const declared = readInputs(news);
  const changed = await updateHeld(session, { held: readState(olds), declared });
  return { outs: toPlain(toStateValues(changed, declared.hidden)) };
}
