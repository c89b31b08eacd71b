/**
 * A policy pack may change a declaration after the dynamic provider's check, which has written a verdict and a sentence
 * into it by then. The row comes from the diff: it counts.
 */
import { computeOn, warning } from "./previews";

const of = (cu: number): Record<string, unknown> => ({
  autoscalingLimitMinCu: cu,
  autoscalingLimitMaxCu: cu,
});
const interruption = "restart: size 1 → 4 CU drops open connections";
const verdict = {
  effect: "restart",
  certain: true,
  now: "active",
  lastAccess: "5 min ago",
  endpointId: "ep-app",
};
const checked = { interruption, __verdict: verdict };

const cases = [
  {
    pack: "changes nothing",
    sides: { old: of(1), new: { ...of(4), ...checked } },
    row: "restart: size 1 → 4 CU drops open connections (active now, last access 5 min ago)",
    expected: { outcome: "restart", drops: "yes", now: "active", notice: interruption },
  },
  {
    pack: "makes another size of it",
    sides: { old: of(1), new: { ...of(2), ...checked } },
    row: "restart: size 1 → 2 CU drops open connections (active now, last access 5 min ago)",
    expected: {
      outcome: "restart",
      drops: "yes",
      notice: "restart: size 1 → 2 CU drops open connections (active now, last access 5 min ago)",
    },
  },
  {
    pack: "takes the interruption out of it",
    sides: { old: of(1), new: { ...of(1), suspendTimeoutSeconds: 600, ...checked } },
    row: undefined,
    expected: { outcome: "none", drops: "no", notice: null },
  },
  {
    pack: "lets it wait",
    sides: { old: of(1), new: { ...of(4), ...checked } },
    row: "deferred until it is idle: restart: size 1 → 4 CU drops open connections (active now)",
    expected: {
      outcome: "deferred",
      drops: "no",
      deferred: { effect: "restart", until: null },
      heldBack: "size 1 → 4 CU",
    },
  },
  {
    pack: "does not let it wait",
    sides: {
      old: of(1),
      new: {
        ...of(4),
        deferred: "until it is idle: restart: size 1 → 4 CU drops open connections",
        __verdict: {
          effect: "none",
          certain: true,
          deferred: { effect: "restart", text: "until it is idle" },
        },
      },
    },
    row: "restart: size 1 → 4 CU drops open connections",
    expected: { outcome: "restart", drops: "yes", deferred: null },
  },
];

it.each(cases)("a policy pack that $pack is reported as it is sent", ({ sides, row, expected }) => {
  const diagnostics = row === undefined ? [] : [warning("app", row)];
  expect(computeOn(sides, { diagnostics })).toMatchObject(expected);
});
