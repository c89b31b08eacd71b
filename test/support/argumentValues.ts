/**
 * Values of every argument, from which tests make pairs: what a program declares before and after a change.
 */
import type { EndpointInputs } from "../../provider/model/inputs";
import { computeSizes } from "../../provider/model/sizes";

export type Values = Partial<Record<keyof EndpointInputs, unknown>>;

export const branches = ["br-one", "br-two"];

/** Every minimum size of a service with every maximum that the service documents for that minimum: fixed sizes and ranges. */
export function sizePairsOf(service: "interface" | "neon"): readonly Values[] {
  const sizes = computeSizes(service).map(({ cu }) => cu);
  const isRange = (min: number, max: number): boolean =>
    service === "interface" || min === max || (max <= 16 && max - min <= 8);
  return sizes.flatMap((min) =>
    sizes
      .filter((max) => max >= min && isRange(min, max))
      .map((max) => ({ autoscalingLimitMinCu: min, autoscalingLimitMaxCu: max })),
  );
}

/** A few values of each argument. In `{}`, the argument is not declared. */
export const dimensions: Record<string, readonly Values[]> = {
  size: [
    {},
    ...[
      [0.25, 0.25],
      [0.25, 1],
      [1, 1],
      [1, 4],
    ].map(([min, max]) => ({ autoscalingLimitMinCu: min, autoscalingLimitMaxCu: max })),
  ],
  branch: branches.map((branchId) => ({ branchId })),
  autosuspend: [{}, ...[0, -1, 60, 300, 604_800].map((suspendTimeoutSeconds) => ({ suspendTimeoutSeconds }))],
  pooling: [
    {},
    { poolerEnabled: true },
    { poolerEnabled: false },
    { poolerEnabled: true, poolerMode: "transaction" },
  ],
  disabled: [{}, { disabled: true }, { disabled: false }],
  settings: [
    {},
    { settings: { pgSettings: { work_mem: "4MB" } } },
    { settings: { pgSettings: { work_mem: "8MB" } } },
  ],
  name: [{}, { name: "one" }, { name: "two" }],
  passwordless: [{}, { passwordlessAccess: true }, { passwordlessAccess: false }],
  triggers: [{}, { restartTriggers: { release: 1 } }, { restartTriggers: { release: 2 } }],
  ours: [{}, { onInterruption: "warn" }, { timeouts: { update: 5 } }],
};

/** A new or a changed trigger asks for a restart; a removed one does not. */
export function asksForRestart(before: Values, after: Values): boolean {
  const [old, now] = [before, after].map(({ restartTriggers = {} }) => restartTriggers as object);
  const kept = new Map(Object.entries(old ?? {}) as [string, unknown][]);
  return Object.entries(now ?? {}).some(([name, value]) => kept.get(name) !== value);
}
