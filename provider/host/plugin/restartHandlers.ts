/**
 * The plugin's calls about an EndpointRestart.
 */
import { ComputeError } from "../../pure/errors";
import { checkRestart, createRestart, diffRestart, updateRestart } from "../restartCalls";
import type { RestartArgument, RestartState } from "../../restart/state";
import { changedTriggers } from "../../pure/triggers";
import { toPlain } from "../serialization";
import type { Session } from "../session";
import {
  readInputs,
  readRestart,
  toReason,
  toRestartValues,
  type EngineDeclaration,
  type HeldRestart,
  type PropertyValues,
  type Values,
} from "../../pure/stored";
import type { PropertyChange } from "./detailedDiff";
import { limitOf, type PluginResource } from "./resource";
import { markedLike, secretMembers, withoutMarks } from "./secretMarks";

export function restartHandlers(session: Session): PluginResource {
  return {
    check: (request) => check(session, request),
    diff: (request) => diff(session, request),
    create: async ({ urn, properties, preview, timeout }) => {
      if (preview) return { id: "", properties: withoutNotices(properties) };
      const declared = { ...declaredIn(urn, properties), limitSeconds: limitOf(timeout) };
      const { id, state } = await createRestart(session, declared);
      return { id, properties: outputsOf(state, properties) };
    },
    // The service keeps nothing of a restart that a refresh could find.
    read: ({ id, properties, inputs }) =>
      properties["projectId"] === undefined
        ? Promise.reject(importRefusal(id))
        : Promise.resolve({ id, properties, inputs }),
    update: async ({ urn, olds, news, preview, timeout }) => {
      if (preview) return { properties: withoutNotices(news) };
      const declared = declaredIn(urn, news);
      const limitSeconds = limitOf(timeout);
      const state = await updateRestart(session, { held: heldIn(olds), declared, limitSeconds });
      return { properties: outputsOf(state, { ...olds, ...news }) };
    },
    delete: () => Promise.resolve(),
  };
}

async function check(
  session: Session,
  { urn, olds, news }: Parameters<PluginResource["check"]>[0],
): ReturnType<PluginResource["check"]> {
  const before = olds["projectId"] === undefined ? undefined : declaredIn(urn, olds);
  const declared = declaredIn(urn, news);
  const { inputs, failures, notice, verdict } = await checkRestart(session, { before, declared });
  if (failures.length > 0) return { inputs: markedLike(toPlain(inputs), news), failures };
  const values = {
    ...inputs,
    ...(notice && { [notice.property]: notice.text }),
    // For the report, since no diff of a new resource passes it on. Without live facts, so that a saved plan stays valid.
    __verdict:
      before === undefined && verdict ? { ...verdict, now: undefined, lastAccess: undefined } : undefined,
  };
  return { inputs: markedLike(toPlain(values), news), failures };
}

async function diff(
  session: Session,
  { urn, olds, news }: Parameters<PluginResource["diff"]>[0],
): ReturnType<PluginResource["diff"]> {
  const held = heldIn(olds);
  const declared = declaredIn(urn, news);
  const { changed, notice, verdict } = await diffRestart(session, { held, declared });
  const detailed = changed.flatMap((name) => changesOf(name, held.state, declared.args));
  return {
    changes: changed.length > 0,
    replaces: [],
    deleteBeforeReplace: false,
    verdict: verdict === undefined ? undefined : toReason(verdict),
    detailed: {
      ...Object.fromEntries(detailed),
      ...(notice && { [notice.property]: { kind: "add", replaces: false } as const }),
    },
  };
}

/** How an argument changes; each trigger has its own path. */
function changesOf(
  name: RestartArgument,
  state: HeldRestart["state"],
  args: EngineDeclaration["args"],
): readonly (readonly [string, PropertyChange])[] {
  const change = (before: unknown, after: unknown): PropertyChange => ({
    kind: before === undefined ? "add" : after === undefined ? "delete" : "update",
    replaces: false,
  });
  const [before, after]: readonly unknown[] = [state[name], args[name]];
  if (name !== "triggers" || !isMap(before) || !isMap(after)) return [[name, change(before, after)]];
  const removed = Object.keys(before).filter((trigger) => !Object.hasOwn(after, trigger));
  return [...changedTriggers(before, after), ...removed].map((trigger) => {
    const path = /^\w+$/.test(trigger) ? `triggers.${trigger}` : `triggers[${JSON.stringify(trigger)}]`;
    return [path, change(before[trigger], after[trigger])] as const;
  });
}

function isMap(value: unknown): value is PropertyValues {
  return typeof value === "object" && value !== null;
}

/** A declaration as the engine passes it. The engine does not say whether the run is a preview. */
function declaredIn(urn: string, values: Values): EngineDeclaration {
  const { args } = readInputs(withoutMarks(values));
  return { args, hidden: { urn, secrets: secretMembers(values), isPreview: true } };
}

function heldIn(values: Values): HeldRestart {
  const { state, hidden } = readRestart(withoutMarks(values));
  return { state, hidden: { ...hidden, secrets: [...hidden.secrets, ...secretMembers(values)] } };
}

/** What the engine stores of a restart. @param like - the values whose secret marks apply here. */
function outputsOf(state: Partial<RestartState>, like: PropertyValues): Values {
  return markedLike(toPlain(toRestartValues(state, { secrets: [] })), like);
}

function withoutNotices({ interruption: _, deferred: __, ...values }: Values): Values {
  return values;
}

function importRefusal(id: string): ComputeError {
  return new ComputeError({
    doing: `importing ${id}`,
    what: "a restart is an event, and the service keeps nothing of it that could be imported",
    fix: "Declare the EndpointRestart in the program: creating it restarts the compute once",
  });
}
