/**
 * The plugin's calls about an EndpointRestart.
 */
import { ComputeError } from "../../pure/errors";
import { checkRestart, createRestart, diffRestart, updateRestart } from "../restartCalls";
import type { RestartArgument, RestartState } from "../../restart/state";
import { changedTriggers } from "../../pure/restartCause";
import { toPlain } from "../serialization";
import type { Session } from "../session";
import {
  readRestart,
  toReason,
  toRestartValues,
  type EngineDeclaration,
  type HeldRestart,
  type PropertyValues,
  type Values,
} from "../../pure/stored";
import { changeBetween, pathOf, type PropertyChange } from "./detailedDiff";
import { withoutNotices } from "./previewedOutputs";
import { checkAnswer, declaredIn, limitOf, sidesOf, type PluginResource } from "./resource";
import { markedLike, secretMembers, withoutMarks } from "./secretMarks";

export function restartHandlers(session: Session): PluginResource {
  return {
    check: async (request) => checkAnswer(request, await checkRestart(session, sidesOf(request))),
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
  const [before, after]: readonly unknown[] = [state[name], args[name]];
  if (name !== "triggers" || !isMap(before) || !isMap(after)) return [[name, changeBetween(before, after)]];
  const removed = Object.keys(before).filter((trigger) => !Object.hasOwn(after, trigger));
  return [...changedTriggers(before, after), ...removed].map(
    (trigger) => [pathOf(name, trigger), changeBetween(before[trigger], after[trigger])] as const,
  );
}

function isMap(value: unknown): value is PropertyValues {
  return typeof value === "object" && value !== null;
}

function heldIn(values: Values): HeldRestart {
  const { state, hidden } = readRestart(withoutMarks(values));
  return { state, hidden: { ...hidden, secrets: [...hidden.secrets, ...secretMembers(values)] } };
}

/** What the engine stores of a restart. @param like - the values whose secret marks apply here. */
function outputsOf(state: Partial<RestartState>, like: PropertyValues): Values {
  return markedLike(toPlain(toRestartValues(state, { secrets: [] })), like);
}

function importRefusal(id: string): ComputeError {
  return new ComputeError({
    doing: `importing ${id}`,
    what: "a restart is an event, and the service keeps nothing of it that could be imported",
    fix: "Declare the EndpointRestart in the program: creating it restarts the compute once",
  });
}
