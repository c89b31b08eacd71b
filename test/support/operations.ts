/** Operations of one request, as the service answers them: created together on a Monday at eight. */
import type { ApiOperation } from "../../provider/service/schemas";

export const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 0, 5, 8) + seconds * 1000).toISOString();

type OfAction = (endedAt: number, more?: Partial<ApiOperation>) => ApiOperation;

/** @returns operations of an action, which end so many seconds after they were created */
export const operation =
  (action: string): OfAction =>
  (endedAt, more = {}) => ({
    id: `op-${action}`,
    action,
    status: "finished",
    created_at: at(0),
    updated_at: at(endedAt),
    ...more,
  });

export const applies = operation("apply_config");
export const starts = operation("start_compute");
export const suspends = operation("suspend_compute");
/** Of an action that this version does not know. */
export const replaces = operation("replace_compute");
