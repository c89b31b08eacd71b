/**
 * Builds the outputs that a preview shows before anything is done, so that resources which use unchanged outputs show
 * no change.
 */
import { unknownValue } from "../../model/unknown";
import { argumentNames, isOwn, outputNames, type ArgumentName } from "../../model/fields";
import type { Values } from "../../model/stored";

/**
 * For a preview: what is known of a compute before it is created. The CLI shows these values in place of the inputs.
 */
export function previewOfCreate(properties: Values): Values {
  const unknown = outputNames.filter((name) => name !== "settings").map((name) => [name, unknownValue]);
  return { ...(Object.fromEntries(unknown) as Values), ...properties };
}

/**
 * For a preview: the state with the declared values. Values that only the service decides stay, above all the host.
 */
export function previewOfUpdate(olds: Values, news: Values): Values {
  // Leaves out the same arguments as `toStored` of `model/state.ts`.
  const isKept = (name: ArgumentName): boolean => !isOwn(name) && name !== "settings";
  const dropped = argumentNames.filter((name) => !isKept(name) && news[name] === undefined);
  const kept = Object.entries(olds).filter(([name]) => !dropped.includes(name as ArgumentName));
  return { ...Object.fromEntries(kept), ...withoutNotices(news) };
}

/** A declaration without what its check has said of the change. */
export function withoutNotices({ interruption: _, deferred: __, ...values }: Values): Values {
  return values;
}
