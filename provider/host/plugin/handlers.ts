/**
 * The plugin: converts the engine's calls of a resource plugin, and the answers to them. Property values are plain objects
 * whose secrets are marked. The engine passes the URN and the timeouts to a plugin.
 */
import type { EndpointFacts } from "../../facts";
import { ComputeError, oneLine } from "../../model/errors";
import { plannedInputs } from "../../model/inputs";
import { inputsOfState, type EndpointState } from "../../model/state";
import { toReason, type PropertyValues, type Values } from "../../model/stored";
import { checkDeclaration, previewCreate } from "../check";
import { createDeclared } from "../create";
import { deleteHeld } from "../delete";
import { diffDeclaration } from "../diff";
import { importCompute, readHeld } from "../read";
import { updateHeld } from "../update";
import { openSession, type Process, type Session } from "../session";
import { guarded, toPlain } from "../values";
import { checkConfig, createConfigurator, type CheckAnswer } from "./config";
import { createInvoke, type LoadLookups } from "./invoke";
import { changesOf, previewOfCreate, previewOfUpdate, type PropertyChange } from "./previews";
import {
  declaredIn,
  endpointIdIn,
  heldAs,
  heldByCommand,
  heldIn,
  importedBy,
  markedLike,
  outputsOf,
  secretMembers,
  withoutMarks,
} from "./propertyValues";

/** What the plugin needs from its process. */
export interface PluginProcess extends Process {
  readonly lookups: LoadLookups;
}

export interface PluginDiff {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** By property path. */
  readonly detailed: Readonly<Record<string, PropertyChange>>;
  /** The judgement, for the report: `preview --json` shows it as `diffReasons`; nothing else shows it. */
  readonly verdict?: string | undefined;
}

/** The members of the engine's requests; each kind of request has some of them. */
interface EngineRequest {
  /** The URN of the resource, or of the provider itself. */
  readonly urn: string;
  readonly id: string;
  /** What the state has; in a check, what the program declared before. */
  readonly olds: Values;
  readonly news: Values;
  /** In a create, what is declared; otherwise what the state has. */
  readonly properties: Values;
  readonly inputs: Values;
  readonly preview: boolean;
  /** From the option customTimeouts, in seconds; 0 if it is not set. */
  readonly timeout: number;
  /** From the option ignoreChanges. */
  readonly ignoreChanges: readonly string[];
}

type Having<Name extends keyof EngineRequest> = Pick<EngineRequest, Name>;

export interface PluginHandlers {
  checkConfig(request: Having<"urn" | "news">): CheckAnswer;
  /**
   * @param urn - the provider's URN, if the engine passes it.
   * @throws ConfigurationError if it was called before with other values.
   */
  configure(args: Values, urn?: string): void;
  check(request: Having<"urn" | "olds" | "news">): Promise<CheckAnswer>;
  diff(request: Having<"urn" | "olds" | "news"> & Partial<Having<"ignoreChanges">>): Promise<PluginDiff>;
  create(request: Having<"urn" | "properties" | "preview" | "timeout">): Promise<Having<"id" | "properties">>;
  /** An empty id in the answer means that the compute is gone. */
  read(
    request: Having<"urn" | "id" | "properties" | "inputs">,
  ): Promise<Having<"id" | "properties" | "inputs">>;
  update(
    request: Having<"urn" | "olds" | "news" | "preview" | "timeout"> & Partial<Having<"ignoreChanges">>,
  ): Promise<Having<"properties">>;
  /** Without properties, the id must name the project too: `pulumi do` has no state. */
  delete(request: Having<"urn" | "properties" | "timeout"> & Partial<Having<"id">>): Promise<void>;
  invoke(token: string, args: Values): Promise<Values>;
  /** The computes of a project, for `pulumi do … list`. Each id names the project too, in the form that an import takes. */
  list(query: Values): Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** Whether the engine has to read a compute before it plans. */
  readonly refreshesBeforeUpdate: () => boolean;
}

export function createPluginHandlers(process: PluginProcess): PluginHandlers {
  const session = openSession(process);
  const invoke = createInvoke(session, process.lookups);
  /** @param values - what the engine passes, old before new. */
  const call = <T>(urn: string, values: readonly Values[], act: () => Promise<T>): Promise<T> => {
    const secrets = values.flatMap((passed) => {
      const plain = withoutMarks(passed);
      return secretMembers(passed).map((name) => plain[name]);
    });
    const [news = {}, olds] = values.toReversed();
    const properties = (state: EndpointState): Values => outputsOf(state, urn, { olds, news });
    return guarded(session, { secrets, properties }, act);
  };
  /** Makes a method whose request has old and new values, or only properties. */
  const method =
    <Request extends Having<"urn"> & (Having<"olds" | "news"> | Having<"properties">), Answer>(
      act: (session: Session, request: Request) => Promise<Answer>,
    ) =>
    (request: Request): Promise<Answer> => {
      const values = "olds" in request ? [request.olds, request.news] : [request.properties];
      return call(request.urn, values, () => act(session, request));
    };
  return {
    checkConfig,
    configure: createConfigurator(session),
    check: method(check),
    diff: method(diff),
    create: method(create),
    read: method((session, request) => withStoredSettings(read(session, request))),
    update: method(update),
    delete: method((session, request) => withStoredSettings(remove(session, request))),
    invoke: (token, args) => call("", [args], () => invoke(token, withoutMarks(args))),
    list: (query) =>
      call("", [query], async () => listedIn(await invoke("listEndpoints", withoutMarks(query)))),
    refreshesBeforeUpdate: () => session.config().refreshBeforeUpdate,
  };
}

/** One method of the handlers. */
type Method<Name extends "check" | "diff" | "create" | "read" | "update" | "delete"> = (
  session: Session,
  request: Parameters<PluginHandlers[Name]>[0],
) => ReturnType<PluginHandlers[Name]>;

const check: Method<"check"> = async (session, { urn, olds, news }) => {
  const before = hasNoState(olds) ? undefined : declaredIn(urn, olds);
  const checked = await checkDeclaration(session, { before, declared: declaredIn(urn, news) });
  const { inputs, failures, shown, verdict } = checked;
  // The verdict for the report, in case no diff follows. It leaves out live facts, so that a saved plan stays valid.
  const stable = verdict && { ...verdict, now: undefined, lastAccess: undefined };
  const values = { ...inputs, interruption: shown, __verdict: stable };
  return { inputs: markedLike(toPlain(values), news), failures };
};

const diff: Method<"diff"> = async (session, { urn, olds, news, ignoreChanges }) => {
  const held = heldIn(olds);
  const declared = declaredIn(urn, news, ignoreChanges);
  const { verdict, changed, replaces, ...more } = await diffDeclaration(session, { held, declared });
  const sides = { inputs: plannedInputs(declared.args), replaces };
  const detailed = changed.flatMap((name) => changesOf(name, held.state, sides));
  return {
    ...more,
    replaces,
    verdict: verdict && toReason(verdict),
    // Show the sentence that the check has added to the inputs.
    detailed: {
      ...Object.fromEntries(detailed),
      ...(verdict && "interruption" in news && { interruption: { kind: "add", replaces: false } }),
    },
  };
};

const create: Method<"create"> = async (session, { urn, properties, preview, timeout }) => {
  const declared = declaredIn(urn, properties);
  if (preview) {
    await previewCreate(session, declared);
    return { id: "", properties: previewOfCreate(properties) };
  }
  const state = await createDeclared(session, { ...declared, limitSeconds: limitOf(timeout) });
  return { id: state.endpointId, properties: outputsOf(state, urn, { news: properties }) };
};

/** A refresh, `Endpoint.get`, or an import, for which the engine passes only the id. */
const read: Method<"read"> = async (session, { urn, id, properties, inputs }) => {
  const found = hasNoState(properties)
    ? await importCompute(session, urn, importedBy(id))
    : await readHeld(session, endpointIdIn(id), heldAs(urn, properties));
  if (found === undefined) return { id: "", properties: {}, inputs: {} };
  // Take the `adopt` line from the inputs, which have the program's last one. The line in the state may be older.
  const line = hasNoState(inputs) ? {} : { adopt: withoutMarks(inputs)["adopt"] };
  // Keep the notice of the last update: a refresh that drops it would show a change.
  const values = { ...inputsOfState(found), ...line, interruption: inputs["interruption"] };
  return {
    id: found.endpointId,
    // If a value became secret without another change, only the inputs have its mark.
    properties: markedLike(outputsOf(found, urn, { news: properties }), inputs),
    inputs: markedLike(toPlain(values), { ...properties, ...inputs }),
  };
};

const update: Method<"update"> = async (session, { urn, olds, news, preview, timeout, ignoreChanges }) => {
  if (preview) return { properties: previewOfUpdate(olds, news) };
  const sides = { held: heldIn(olds), declared: declaredIn(urn, news, ignoreChanges) };
  const state = await updateHeld(session, { ...sides, limitSeconds: limitOf(timeout) });
  return { properties: outputsOf(state, urn, { olds, news }) };
};

const remove: Method<"delete"> = (session, { urn, id = "", properties, timeout }) => {
  const held = hasNoState(properties) ? heldByCommand(urn, id) : heldAs(urn, properties);
  return deleteHeld(session, { ...held, limitSeconds: limitOf(timeout) });
};

/**
 * If no program runs, the engine reads and deletes with the key and the address from the state. So an error that doubts the key
 * or the address must say how to change them in the state.
 */
async function withStoredSettings<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ComputeError) || error.problem.doubtsConnection !== true) throw error;
    throw new ComputeError({ ...error.problem, fix: `${error.problem.fix}. ${afterChange}`, cause: error });
  }
}

const afterChange =
  "If the key or the address has changed since the last `pulumi up`, the engine still uses the old value from the state: run `pulumi up --refresh --run-program` once";

/**
 * Whether the engine passes no state. For an import and `pulumi do` it passes only an id; for a new resource, no old values.
 */
function hasNoState(values: PropertyValues): boolean {
  return values["projectId"] === undefined;
}

function limitOf(timeout: number): number | undefined {
  return timeout > 0 ? timeout : undefined;
}

function listedIn({ endpoints }: Values): Awaited<ReturnType<PluginHandlers["list"]>> {
  return (endpoints as readonly EndpointFacts[]).map(({ projectId, endpointId, name }) => ({
    id: `${projectId}/${endpointId}`,
    // The CLI prints the name unchanged, so remove control characters.
    name: oneLine(name ?? endpointId),
  }));
}
