/**
 * How each property changes, by its path, as the engine's detailed diff shows it.
 */
import { changedSettings, droppedSettings, pgSettingsOf } from "../../model/changes";
import type { PlannedInputs } from "../../model/inputs";
import type { EndpointState } from "../../model/state";
import type { ArgumentName } from "../../model/fields";

export interface PropertyChange {
  readonly kind: "add" | "update" | "delete";
  readonly replaces: boolean;
}

interface DiffSides {
  readonly state: EndpointState;
  readonly inputs: PlannedInputs;
  readonly replaces: readonly ArgumentName[];
}

/** How an argument changes; each setting has its own path. */
export function changesOf(
  name: ArgumentName,
  { state, inputs, replaces }: DiffSides,
): readonly (readonly [string, PropertyChange])[] {
  const change = (before: unknown, after: unknown): PropertyChange =>
    changeBetween(before, after, replaces.includes(name));
  const [before, after] = [pgSettingsOf(state), pgSettingsOf(inputs)];
  if (name !== "settings" || before === undefined || after === undefined)
    return [[name, change(state[name], inputs[name])]];
  return [...changedSettings(state, inputs), ...droppedSettings(state, inputs)].map(
    (setting) => [pathOf("settings.pgSettings", setting), change(before[setting], after[setting])] as const,
  );
}

export function changeBetween(before: unknown, after: unknown, replaces = false): PropertyChange {
  return { kind: after === undefined ? "delete" : before === undefined ? "add" : "update", replaces };
}

/** The path of a member of a map. */
export function pathOf(map: string, member: string): string {
  return /^\w+$/.test(member) ? `${map}.${member}` : `${map}[${JSON.stringify(member)}]`;
}
