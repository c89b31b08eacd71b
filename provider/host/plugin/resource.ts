/**
 * What the engine asks a plugin about one resource, with property values as plain objects whose secrets are marked.
 */
import type { CheckAnswer } from "./config";
import type { PropertyChange } from "./detailedDiff";
import type { Values } from "../../pure/stored";

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
