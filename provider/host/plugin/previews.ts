/**
 * What a preview shows: how each property changes, and the outputs as far as they are known, so that resources which use
 * unchanged outputs show no change.
 */
import { argumentOf, changedNames, isSetting, pgSettingsOf, withoutPrefix } from "../../model/changes";
import { argumentNames, isOwn, outputNames, type ArgumentName } from "../../model/fields";
import type { PlannedInputs } from "../../model/inputs";
import type { EndpointState } from "../../model/state";
import type { Values } from "../../model/stored";
import { unknownValue } from "../../model/unknown";

export interface PropertyChange {
  readonly kind: "add" | "update" | "delete";
  readonly replaces: boolean;
}

/** How an argument changes, by its path. Each setting has its own path. */
export function changesOf(
  name: ArgumentName,
  state: EndpointState,
  { inputs, replaces }: { readonly inputs: PlannedInputs; readonly replaces: readonly ArgumentName[] },
): readonly (readonly [path: string, change: PropertyChange])[] {
  const change = (before: unknown, after: unknown): PropertyChange => ({
    kind: after === undefined ? "delete" : before === undefined ? "add" : "update",
    replaces: replaces.includes(name),
  });
  const [before, after] = [pgSettingsOf(state), pgSettingsOf(inputs)];
  const settings = changedNames(state, inputs).filter((one) => isSetting(one) && argumentOf(one) === name);
  if (settings.length === 0 || before === undefined || after === undefined)
    return [[name, change(state[name], inputs[name])]];
  return settings.map(withoutPrefix).map((setting) => {
    return [pathOf("settings.pgSettings", setting), change(before[setting], after[setting])] as const;
  });
}

/** The path of a member of a map. */
function pathOf(map: string, member: string): string {
  return /^\w+$/.test(member) ? `${map}.${member}` : `${map}[${JSON.stringify(member)}]`;
}

/**
 * What is known about a compute before it is created, for a preview. The CLI shows these values in place of the inputs.
 */
export function previewOfCreate(properties: Values): Values {
  const unknown = outputNames.filter((name) => name !== "settings").map((name) => [name, unknownValue]);
  return { ...(Object.fromEntries(unknown) as Values), ...properties };
}

/**
 * The state with the declared values, for a preview. Values that only the service decides, above all the host, keep their old
 * values.
 */
export function previewOfUpdate(olds: Values, { interruption: _, ...news }: Values): Values {
  // Settings, and the arguments that only this provider has: the state after the update also drops them once they are
  // undeclared (`model/state.ts`).
  const isKept = (name: ArgumentName): boolean => !isOwn(name) && name !== "settings";
  const dropped = argumentNames.filter((name) => !isKept(name) && news[name] === undefined);
  const kept = Object.entries(olds).filter(([name]) => !dropped.includes(name as ArgumentName));
  return { ...Object.fromEntries(kept), ...news };
}
