/**
 * What the engine's provider process calls for one resource, with its names.
 */
import { noticeValues, readInputs, toInputValues, type Hidden, type Values } from "../../model/stored";
import type { Checked, ToCheck } from "../planningCalls";
import { toPlain } from "../serialization";

export interface DynamicResource {
  check(
    olds: Values,
    news: Values,
  ): Promise<{ inputs: Values; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: Values,
    news: Values,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Values): Promise<{ id: string; outs: Values }>;
  read(id: string, props: Values): Promise<{ id: string; props: Values; inputs?: Values }>;
  update(id: string, olds: Values, news: Values): Promise<{ outs: Values }>;
  delete(id: string, props: Values): Promise<void>;
}

/** What a check answers: the inputs with their hidden members, and in a preview what is said of the change. */
export function checkAnswer(
  { declared }: ToCheck,
  { inputs, failures, ...judged }: Checked,
): Awaited<ReturnType<DynamicResource["check"]>> {
  const { hidden } = declared;
  const notices = hidden.isPreview ? noticeValues(judged) : {};
  const checked = { ...toInputValues(inputs, hidden), ...(failures.length > 0 ? {} : notices) };
  return { inputs: toPlain(checked), failures: [...failures] };
}

export function sidesOf(olds: Values, news: Values): ToCheck {
  return {
    before: olds["projectId"] === undefined ? undefined : readInputs(olds),
    declared: readInputs(news),
  };
}

/** A state that the plugin wrote lacks what refresh and delete need here: an update that sends no request adds it. */
export function isFromPlugin(held: Hidden, declared: Hidden): boolean {
  return held.provider === undefined && declared.provider !== undefined;
}
