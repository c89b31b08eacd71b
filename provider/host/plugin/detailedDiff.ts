/**
 * How each property changes, by its path, as the engine's detailed diff shows it.
 */
import { changedSettings, droppedSettings, pgSettingsOf } from "../../pure/changes";
import type { PlannedInputs } from "../../endpoint/planning/inputs";
import type { EndpointState } from "../../endpoint/state";
import type { ArgumentName } from "../../pure/fields";

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
  const change = (before: unknown, after: unknown): PropertyChange => ({
    kind: before === undefined ? "add" : after === undefined ? "delete" : "update",
    replaces: replaces.includes(name),
  });
  const [before, after] = [pgSettingsOf(state), pgSettingsOf(inputs)];
  if (name !== "settings" || before === undefined || after === undefined)
    return [[name, change(state[name], inputs[name])]];
  const pathOf = (setting: string): string =>
    `settings.pgSettings${/^\w+$/.test(setting) ? `.${setting}` : `[${JSON.stringify(setting)}]`}`;
  return [
    ...changedSettings(state, inputs).map(
      (setting) => [pathOf(setting), change(before[setting], after[setting])] as const,
    ),
    ...droppedSettings(state, inputs).map(
      (setting) => [pathOf(setting), { kind: "delete", replaces: false }] as const,
    ),
  ];
}
