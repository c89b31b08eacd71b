/**
 * The dynamic provider's calls about an EndpointRestart.
 */
import { checkRestart, createRestart, diffRestart, updateRestart } from "../restartCalls";
import { toPlain } from "../serialization";
import type { Session } from "../session";
import { readInputs, readRestart, toRestartValues } from "../../pure/stored";
import { checkAnswer, isFromPlugin, sidesOf, type DynamicResource } from "./resource";

export function restartHandlers(session: Session): DynamicResource {
  return {
    check: async (olds, news) => {
      const sides = sidesOf(olds, news);
      return checkAnswer(session, sides, await checkRestart(session, sides));
    },
    diff: async (_id, olds, news) => {
      const held = readRestart(olds);
      const declared = readInputs(news);
      const { changed } = await diffRestart(session, { held, declared });
      const changes = changed.length > 0 || isFromPlugin(held.hidden, declared.hidden);
      return { changes, replaces: [], deleteBeforeReplace: false };
    },
    create: async (inputs) => {
      const declared = readInputs(inputs);
      const { id, state } = await createRestart(session, declared);
      return { id, outs: toPlain(toRestartValues(state, declared.hidden)) };
    },
    // The service keeps nothing of a restart that a refresh could find.
    read: (id, props) => Promise.resolve({ id, props }),
    update: async (_id, olds, news) => {
      const declared = readInputs(news);
      const state = await updateRestart(session, { held: readRestart(olds), declared });
      return { outs: toPlain(toRestartValues(state, declared.hidden)) };
    },
    delete: () => Promise.resolve(),
  };
}
