/**
 * What the engine asks a plugin about one resource, with property values as plain objects whose secrets are marked.
 */
import type { CheckAnswer } from "./config";
import type { PropertyChange } from "./detailedDiff";
import { readInputs, type EngineDeclaration, type Values } from "../../model/stored";
import type { Checked, ToCheck } from "../planningCalls";
import { toPlain } from "../serialization";
import { markedLike, secretMembers, withoutMarks } from "./secretMarks";

export interface PluginDiff {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** By property path. */
  readonly detailed: Readonly<Record<string, PropertyChange>>;
  /** The judgement, for the report: `preview --json` shows it as `diffReasons`; nothing else shows it. */
  readonly verdict: string | undefined;
}

export interface OfResource {
  readonly urn: string;
}

interface CustomTimeout {
  /** From the option customTimeouts, in seconds; 0 if it is not set. */
  readonly timeout: number;
}

export type Pair = OfResource & { readonly olds: Values; readonly news: Values };

export interface PluginResource {
  check(request: Pair): Promise<CheckAnswer>;
  diff(request: Pair): Promise<PluginDiff>;
  create(
    request: OfResource & CustomTimeout & { readonly properties: Values; readonly preview: boolean },
  ): Promise<{ readonly id: string; readonly properties: Values }>;
  /** An empty id in the answer means that the compute is gone. */
  read(
    request: OfResource & { readonly id: string; readonly properties: Values; readonly inputs: Values },
  ): Promise<{ readonly id: string; readonly properties: Values; readonly inputs: Values }>;
  update(
    request: Pair & CustomTimeout & { readonly preview: boolean },
  ): Promise<{ readonly properties: Values }>;
  /** @param request - without properties, the id names the project too: `pulumi do` has no state. */
  delete(
    request: OfResource & CustomTimeout & { readonly id?: string; readonly properties: Values },
  ): Promise<void>;
}

export function limitOf(timeout: number): number | undefined {
  return timeout > 0 ? timeout : undefined;
}

/** A declaration as the engine passes it. The engine does not say whether the run is a preview. */
export function declaredIn(urn: string, values: Values): EngineDeclaration {
  const { args } = readInputs(withoutMarks(values));
  return { args, hidden: { urn, secrets: secretMembers(values), isPreview: true } };
}

export function sidesOf({ urn, olds, news }: Pair): ToCheck {
  const before = olds["projectId"] === undefined ? undefined : declaredIn(urn, olds);
  return { before, declared: declaredIn(urn, news) };
}

/** What a check answers: the inputs, and what is said of the change. */
export function checkAnswer(
  { olds, news }: Pair,
  { inputs, failures, notice, verdict }: Checked,
): CheckAnswer {
  if (failures.length > 0) return { inputs: markedLike(toPlain(inputs), news), failures };
  const isNew = olds["projectId"] === undefined;
  const values = {
    ...inputs,
    ...(notice && { [notice.property]: notice.text }),
    // For the report, where no diff passes it on. Without live facts, so that a saved plan stays valid.
    __verdict: isNew && verdict ? { ...verdict, now: undefined, lastAccess: undefined } : undefined,
  };
  return { inputs: markedLike(toPlain(values), news), failures };
}
