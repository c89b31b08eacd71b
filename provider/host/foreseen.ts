/**
 * What a preview knows of a compute before anything is done, so that resources that use its outputs stay quiet.
 */
import { unknownValue } from "../endpoint/planning/verdict";
import { argumentNames, isOwn, outputNames, type ArgumentName } from "../fields";
import type { Values } from "./stored";

/** In a preview: what is known of a compute before it is created. The CLI shows these in place of the inputs. */
export function previewOfCreate(properties: Values): Values {
  const unknown = outputNames.filter((name) => name !== "settings").map((name) => [name, unknownValue]);
  return { ...(Object.fromEntries(unknown) as Values), ...properties };
}

/** In a preview: the state with the declared values. What the service alone decides stays: its host above all. */
export function previewOfUpdate(olds: Values, news: Values): Values {
  // As `toStored` of `endpoint/state.ts` leaves them out.
  const isKept = (name: ArgumentName): boolean => !isOwn(name) && name !== "settings";
  const dropped = argumentNames.filter((name) => !isKept(name) && news[name] === undefined);
  const kept = Object.entries(olds).filter(([name]) => !dropped.includes(name as ArgumentName));
  return { ...Object.fromEntries(kept), ...withoutNotice(news) };
}

function withoutNotice({ interruption: _, deferred: __, ...values }: Values): Values {
  return values;
}
