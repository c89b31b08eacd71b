/**
 * The plugin: converts the engine's calls of a resource plugin to calls of the lifecycle, and back.
 *
 * The engine passes a plugin the URN, marks secrets and passes timeouts, so a declaration needs no hidden members.
 */
import { plannedInputs } from "../../model/inputs";
import { inputsOfState, type EndpointState } from "../../model/state";
import { ComputeError, oneLine } from "../../model/errors";
import type { EndpointFacts } from "../../facts";
import { createDeclared, deleteHeld, guarded, readHeld, updateHeld } from "../calls";
import { changesOf } from "./detailedDiff";
import { checkDeclaration, diffDeclaration, previewCreate } from "../planningCalls";
import { createConfigurator } from "./configureOnce";
import { invokeLookup, openLookups, type LoadLookups } from "./invoke";
import { previewOfCreate, previewOfUpdate } from "./previewedOutputs";
import { endpointIdIn, heldByCommand, importCompute } from "./imports";
import { markedLike, secretMembers, withoutMarks } from "./secretMarks";
import {
  checkAnswer,
  declaredIn,
  limitOf,
  sidesOf,
  type OfResource,
  type Pair,
  type PluginDiff,
  type PluginResource,
} from "./resource";
import { checkConfig, type CheckAnswer, type OfProvider } from "./config";
import { isRemovedRestart, refuseRestart, restartFailure } from "../removedRestart";
import { secretValuesOf } from "../secretValues";
import { toPlain } from "../serialization";
import { configured, openSession, type Process, type Session } from "../session";
import {
  readState,
  toReason,
  toStateValues,
  type Held,
  type PropertyValues,
  type Values,
} from "../../model/stored";

/** What the plugin needs of its process. */
export interface PluginProcess extends Process {
  readonly lookups: LoadLookups;
}

/** The calls of the engine, with property values as plain objects whose secrets are marked. */
export interface PluginHandlers extends PluginResource {
  checkConfig(request: OfProvider): CheckAnswer;
  /**
   * @param urn - the provider's URN, if the engine passes it.
   * @throws ConfigurationError if it was called before with other values.
   */
  configure(args: Values, urn?: string): void;
  invoke(token: string, args: Values): Promise<Values>;
  /** The computes of a project, for `pulumi do … list`: each id names the project too, as an import asks for it. */
  list(query: Values): Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** Whether the engine has to read a compute before it plans. */
  readonly refreshesBeforeUpdate: () => boolean;
}

export function createPluginHandlers(process: PluginProcess): PluginHandlers {
  const session = openSession(process);
  const lookup = invokeLookup(openLookups(session, process.lookups));
  /** @param values - what the engine passes, old before new. */
  const guard = <T>(urn: string, values: readonly Values[], act: () => Promise<T>): Promise<T> => {
    const secrets = values.flatMap((passed) => secretValuesOf(withoutMarks(passed), secretMembers(passed)));
    const like = allOf(values);
    return guarded(session, { secrets, properties: (state) => outputsOf(state, { urn, like }) }, act);
  };
  const endpoints = endpointHandlers(session);
  const ofType = ({ urn }: OfResource): PluginResource => (isRemovedRestart(urn) ? restart : endpoints);
  return {
    checkConfig,
    configure: createConfigurator(session),
    check: (request) =>
      guard(request.urn, [request.olds, request.news], () => ofType(request).check(request)),
    diff: (request) => guard(request.urn, [request.olds, request.news], () => ofType(request).diff(request)),
    create: (request) => guard(request.urn, [request.properties], () => ofType(request).create(request)),
    read: (request) =>
      guard(request.urn, [request.properties], () => withStoredSettings(() => ofType(request).read(request))),
    update: (request) =>
      guard(request.urn, [request.olds, request.news], () => ofType(request).update(request)),
    delete: (request) =>
      guard(request.urn, [request.properties], () =>
        withStoredSettings(() => ofType(request).delete(request)),
      ),
    invoke: (token, args) => guard("", [args], () => lookup(token, withoutMarks(args))),
    list: (query) =>
      guard("", [query], async () => listedIn(await lookup("listEndpoints", withoutMarks(query)))),
    refreshesBeforeUpdate: () => configured(session).refreshBeforeUpdate,
  };
}

const restart: PluginResource = {
  check: ({ news }) => Promise.resolve({ inputs: news, failures: [restartFailure()] }),
  diff: () =>
    Promise.resolve({
      changes: false,
      replaces: [],
      deleteBeforeReplace: false,
      detailed: {},
      verdict: undefined,
    }),
  create: refuseRestart,
  read: (held) => Promise.resolve(held),
  update: refuseRestart,
  delete: () => Promise.resolve(),
};

function endpointHandlers(session: Session): PluginResource {
  return {
    check: (request) => check(session, request),
    diff: (request) => diff(session, request),
    create: async ({ urn, properties, preview, timeout }) => {
      const declared = declaredIn(urn, properties);
      if (preview) {
        await previewCreate(session, declared);
        return { id: "", properties: previewOfCreate(properties) };
      }
      const state = await createDeclared(session, { ...declared, limitSeconds: limitOf(timeout) });
      return { id: state.endpointId, properties: outputsOf(state, { urn, like: properties }) };
    },
    read: (request) => read(session, request),
    update: async ({ urn, olds, news, preview, timeout }) => {
      if (preview) return { properties: previewOfUpdate(olds, news) };
      const declared = declaredIn(urn, news);
      const limitSeconds = limitOf(timeout);
      const state = await updateHeld(session, { held: heldIn(olds), declared, limitSeconds });
      return { properties: outputsOf(state, { urn, like: allOf([olds, news]) }) };
    },
    delete: async ({ urn, id = "", properties, timeout }) => {
      const held = isWithoutState(properties) ? heldByCommand(urn, id) : heldAs(urn, properties);
      await deleteHeld(session, { ...held, limitSeconds: limitOf(timeout) });
    },
  };
}

function listedIn({ endpoints }: Values): Awaited<ReturnType<PluginHandlers["list"]>> {
  return (endpoints as readonly EndpointFacts[]).map(({ projectId, endpointId, name }) => ({
    id: `${projectId}/${endpointId}`,
    // The CLI prints it as it is.
    name: oneLine(name ?? endpointId),
  }));
}

/**
 * If no program runs, the engine reads and deletes with the key and the address from the state: an error that doubts
 * them has to say how to change them there.
 */
async function withStoredSettings<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ComputeError) || error.problem.doubtsConnection !== true) throw error;
    throw new ComputeError({ ...error.problem, fix: `${error.problem.fix}; ${afterChange}`, cause: error });
  }
}

const afterChange =
  "where the stack or the program has another one since the last `pulumi up`, the engine still takes the old one from the state: run `pulumi up --refresh --run-program` once";

async function check(session: Session, request: Pair): Promise<CheckAnswer> {
  const { ofReplacement, ...checked } = await checkDeclaration(session, sidesOf(request));
  // A replacement waits for nothing.
  const isReplacing = checked.notice === undefined && ofReplacement?.notice?.property === "interruption";
  return checkAnswer(request, isReplacing ? { ...checked, notice: ofReplacement.notice } : checked);
}

async function diff(session: Session, { urn, olds, news }: Pair): Promise<PluginDiff> {
  const held = heldIn(olds);
  const declared = declaredIn(urn, news);
  const { judged, ...differs } = await diffDeclaration(session, { held, declared });
  const { changes, changed, replaces, deleteBeforeReplace } = differs;
  // As the check wrote it into the inputs.
  const notices = ["interruption", "deferred"].filter((name) => judged !== undefined && name in news);
  const inputs = plannedInputs(declared.args);
  const detailed = changed.flatMap((name) => changesOf(name, { state: held.state, inputs, replaces }));
  return {
    changes,
    replaces,
    deleteBeforeReplace,
    verdict: judged?.verdict && toReason(judged.verdict),
    detailed: {
      ...Object.fromEntries(detailed),
      ...Object.fromEntries(notices.map((name) => [name, { kind: "add", replaces: false } as const])),
    },
  };
}

/** A refresh, `Endpoint.get`, or an import, for which the engine passes only the id. */
async function read(
  session: Session,
  request: Parameters<PluginHandlers["read"]>[0],
): ReturnType<PluginHandlers["read"]> {
  const { urn, id, properties, inputs } = request;
  const state = isWithoutState(properties)
    ? await importCompute(session, { urn, id })
    : await readHeld(session, endpointIdIn(id), heldAs(urn, properties));
  if (state === undefined) return { id: "", properties: {}, inputs: {} };
  // The notices of the last update: a refresh that drops them would show a change.
  const { interruption, deferred } = inputs;
  const notices = { interruption, deferred };
  return {
    id: state.endpointId,
    // If a value became secret without another change, only the inputs have its mark.
    properties: markedLike(outputsOf(state, { urn, like: properties }), inputs),
    inputs: markedLike(toPlain({ ...inputsOfState(state), ...adoptIn(inputs), ...notices }), {
      ...properties,
      ...inputs,
    }),
  };
}

/** The engine passes only an id: an import, or `pulumi do`. */
function isWithoutState(properties: Values): boolean {
  return properties["projectId"] === undefined;
}

/** The line as the program had it last: the state has it as of the last step that changed something. */
function adoptIn(inputs: Values): Values {
  return inputs["projectId"] === undefined ? {} : { adopt: withoutMarks(inputs)["adopt"] };
}

function heldIn(values: Values): Held {
  const { state, hidden } = readState(withoutMarks(values));
  return { state, hidden: { ...hidden, secrets: [...hidden.secrets, ...secretMembers(values)] } };
}

/**
 * Uses the same name as a check: without the organisation, which a state of the dynamic provider may still contain.
 * After `stack rename`, `state rename` and `state move`, the state has another name.
 */
function heldAs(urn: string, values: Values): Held {
  const { state, hidden } = heldIn(values);
  return { state, hidden: { ...hidden, urn, organization: undefined }, former: hidden };
}

/** New values override old ones. A value that is no longer declared, but still in the state, stays secret. */
function allOf(values: readonly Values[]): Values {
  return Object.assign({}, ...values) as Values;
}

/** What the engine stores of a compute. @param like - the values whose secret marks apply here. */
function outputsOf(
  state: EndpointState,
  { urn, like }: { readonly urn: string; readonly like: PropertyValues },
): Values {
  return markedLike(toPlain(toStateValues(state, { urn, secrets: [] })), like);
}
