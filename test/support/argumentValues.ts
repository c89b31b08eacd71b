/**
 * Values of every argument, of which a test declares pairs.
 */
import type { EndpointInputs } from "../../provider/endpoint/planning/inputs";
import { computeSizes } from "../../provider/sizes";

export type Values = Partial<Record<keyof EndpointInputs, unknown>>;

export const branches = ["br-one", "br-two"];
const sizes = computeSizes("interface").map(({ cu }) => cu);
export const sizePairs: Values[] = sizes.flatMap((min) =>
  sizes
    .filter((max) => max >= min)
    .map((max) => ({ autoscalingLimitMinCu: min, autoscalingLimitMaxCu: max })),
);

/** Values of each argument other than the size; undefined is "not declared". */
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
  passwordless: [{}, { passwordlessAccess: true }, { passwordlessAccess: false }],
  ours: [{}, { onInterruption: "warn" }, { timeouts: { update: 5 } }],
};
