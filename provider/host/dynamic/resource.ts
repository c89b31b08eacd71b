/**
 * What the engine's provider process calls for one resource, with its names.
 */
import type { Values } from "../../pure/stored";

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
