/**
 * The dynamic provider: converts the calls of Pulumi's dynamic provider process, and the answers to them.
 *
 * The names of the handlers are the wire format of every stored state (`sdk/remote.ts`): they never change.
 */
import { inputsOfState, type EndpointState } from "../../model/state";
import {
  hiddenIn,
  readInputs,
  readState,
  toInputValues,
  toStateValues,
  type Values,
} from "../../model/stored";
import { checkDeclaration } from "../check";
import { createDeclared } from "../create";
import { deleteHeld } from "../delete";
import { diffDeclaration } from "../diff";
import { readHeld } from "../read";
import { updateHeld } from "../update";
import { openSession, type Process, type Session } from "../session";
import { isUnknown } from "../../model/unknown";
import { guarded, toPlain } from "../values";

/** The methods that the engine's provider process calls, under the names that it uses. */
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
  /** @param values - what the engine passes, old before new. A partial failure takes its hidden members from the last values. */
  const call = <T>(values: readonly Values[], act: () => Promise<T>): Promise<T> => {
    const secrets = values.flatMap((passed) => hiddenIn(passed).secrets.map((name) => passed[name]));
    const hidden = hiddenIn(values.at(-1) ?? {});
    const properties = (state: EndpointState): Values => toStateValues(state, hidden);
    return guarded(session, { secrets, properties }, act);
  };
  return {
    // Synchronous, and never throws. The process would not wait for a promise before it calls other methods, and after an error
    // it would go on without a configuration (pulumi's dynamic-provider `getProvider`).
    configure: ({ config: stack }) => {
      session.configure((key) => stack.get(key));
    },
    check: (...sides) => call(sides, () => check(session, ...sides)),
    diff: (id, ...sides) => call(sides, () => diff(session, id, ...sides)),
    create: (inputs) => call([inputs], () => create(session, inputs)),
    read: (id, props) => call([props], () => read(session, id, props)),
    update: (id, ...sides) => call(sides, () => update(session, id, ...sides)),
    delete: (_id, props) => call([props], () => deleteHeld(session, readState(props))),
  };
}

/** One method of the handlers. */
type Method<Name extends "check" | "diff" | "create" | "read" | "update"> = (
  session: Session,
  ...passed: Parameters<EndpointHandlers[Name]>
) => ReturnType<EndpointHandlers[Name]>;

const check: Method<"check"> = async (session, olds, news) => {
  const before = olds["projectId"] === undefined ? undefined : readInputs(olds);
  const declared = readInputs(news);
  const { inputs, failures, shown, verdict } = await checkDeclaration(session, { before, declared });
  const { hidden } = declared;
  // The notice appears in previews only: if the state had its text, every later change would show it.
  const isTold = hidden.isPreview && failures.length === 0;
  const told = isTold ? { interruption: shown, __verdict: verdict, __service: session.config().service } : {};
  const values = { ...toInputValues(inputs, hidden), ...told };
  return { inputs: toPlain(values), failures: [...failures] };
};

const diff: Method<"diff"> = async (session, ...[, olds, news]) => {
  const held = readState(olds);
  const declared = readInputs(news);
  const { changes, replaces, deleteBeforeReplace } = await diffDeclaration(session, { held, declared });
  // A state that the plugin wrote lacks `__provider`, which a dynamic provider needs to refresh and delete. An update that
  // sends no request adds it.
  const isFromPlugin = held.hidden.provider === undefined && declared.hidden.provider !== undefined;
  const isStored = !isFromPlugin && !isOtherLine(held.state.adopt, declared.args["adopt"]);
  return { changes: changes || !isStored, replaces: [...replaces], deleteBeforeReplace };
};

/**
 * Whether the `adopt` line has changed. In this variant, a read gets only the state, and derives the inputs from it. An update
 * must store a changed line: otherwise every preview that follows a refresh would mention the line.
 */
function isOtherLine(before: unknown, now: unknown): boolean {
  return before !== now && !isUnknown(now);
}

const create: Method<"create"> = async (session, inputs) => {
  const declared = readInputs(inputs);
  const state = await createDeclared(session, declared);
  return { id: state.endpointId, outs: toPlain(toStateValues(state, declared.hidden)) };
};

const read: Method<"read"> = async (session, id, props) => {
  const held = readState(props);
  const found = await readHeld(session, id, held);
  if (found === undefined) return { id: "", props: {} };
  const inputs = toInputValues(inputsOfState(found), held.hidden);
  return { id, props: toPlain(toStateValues(found, held.hidden)), inputs: toPlain(inputs) };
};

const update: Method<"update"> = async (session, ...[, olds, news]) => {
  const declared = readInputs(news);
  const state = await updateHeld(session, { held: readState(olds), declared });
  return { outs: toPlain(toStateValues(state, declared.hidden)) };
};
