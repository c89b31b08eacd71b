/**
 * The dynamic provider's calls about an EndpointRestart.
 */
import { checkRestart, createRestart, diffRestart, updateRestart } from "../restartCalls";
import { toPlain } from "../serialization";
import { configured, type Session } from "../session";
import {
  noticeValues,
  readInputs,
  readRestart,
  toInputValues,
  toRestartValues,
  type Values,
} from "../../pure/stored";
import type { DynamicResource } from "./resource";

export function restartHandlers(session: Session): DynamicResource {
  return {
    check: (olds, news) => check(session, olds, news),
    diff: async (_id, olds, news) => {
      const held = readRestart(olds);
      const declared = readInputs(news);
      const { changed } = await diffRestart(session, { held, declared });
      // A state that the plugin wrote lacks what refresh and delete need here.
      const isFromPlugin = held.hidden.provider === undefined && declared.hidden.provider !== undefined;
      return { changes: changed.length > 0 || isFromPlugin, replaces: [], deleteBeforeReplace: false };
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

async function check(session: Session, olds: Values, news: Values): ReturnType<DynamicResource["check"]> {
  const declared = readInputs(news);
  const before = olds["projectId"] === undefined ? undefined : readInputs(olds);
  const { inputs, failures, notice, verdict } = await checkRestart(session, { before, declared });
  const { hidden } = declared;
  const notices = noticeValues({
    notice,
    kept: before?.hidden.interruption,
    verdict,
    isPreview: hidden.isPreview,
    updatePlans: configured(session).updatePlans,
  });
  const checked = { ...toInputValues(inputs, hidden), ...(failures.length > 0 ? {} : notices) };
  return { inputs: toPlain(checked), failures: [...failures] };
}
