/**
 * What can happen to a compute: commands of its owner, changes behind the owner's back, and faults.
 */
import * as fc from "fast-check";
import type { FaultEffect, TimelineRule } from "../../../emulator";
import { deleteByHand } from "../../support/byHand";
import type { Scene } from "../scene";

/** What the program declares besides the project and the branch's name. */
export interface Declared {
  readonly branch: 0 | 1;
  readonly sizeCu: (typeof sizes)[number];
  readonly disabled: boolean;
  readonly suspendTimeoutSeconds: number;
  readonly trigger: number;
}

export type Command =
  | { readonly kind: "up"; readonly declared: Declared }
  /** An `up` whose engine is killed before it stores anything. */
  | { readonly kind: "killedUp"; readonly declared: Declared }
  | { readonly kind: "refresh" | "destroy" }
  | { readonly kind: "drift"; readonly what: "resize" | "suspend" | "restart" | "delete" | "disable" }
  | { readonly kind: "fault"; readonly effect: FaultEffect; readonly method: Method; readonly after: number }
  | { readonly kind: "timeline"; readonly rule: TimelineRule };

type Method = "GET" | "POST" | "PATCH" | "DELETE";

const sizes = [0.25, 1, 4] as const;

const declared: fc.Arbitrary<Declared> = fc.record({
  branch: fc.constantFrom(0 as const, 1 as const),
  sizeCu: fc.constantFrom(...sizes),
  disabled: fc.boolean(),
  suspendTimeoutSeconds: fc.constantFrom(300, 600),
  trigger: fc.nat(2),
});

export const effects: readonly FaultEffect[] = [
  { kind: "cut", when: "before" },
  { kind: "cut", when: "after" },
  { kind: "truncate" },
  { kind: "garbled" },
  { kind: "wrongShape", body: { endpoint: {} } },
  { kind: "status", status: 500, when: "before" },
  { kind: "status", status: 502, when: "after" },
  { kind: "status", status: 503 },
  { kind: "status", status: 503, when: "after" },
  { kind: "status", status: 429, headers: { "Retry-After": "3" } },
  { kind: "status", status: 423 },
  { kind: "status", status: 409 },
  { kind: "redirect", location: "https://elsewhere.invalid/" },
];

export const timelines: readonly TimelineRule[] = [
  { endStatus: "failed", times: 1 },
  { stuck: "running", times: 1 },
  { vanished: true, times: 1 },
  { schedulingMs: 3_000, runningMs: 20_000, times: 2 },
];

export const commands: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("up" as const), declared }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("killedUp" as const), declared }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("refresh" as const, "destroy" as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("drift" as const),
        what: fc.constantFrom("resize", "suspend", "restart", "delete", "disable"),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("fault" as const),
        effect: fc.constantFrom(...effects),
        method: fc.constantFrom("GET", "POST", "PATCH", "DELETE"),
        after: fc.nat(2),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("timeline" as const),
        rule: fc.constantFrom(...timelines),
      }),
    },
  ),
  { minLength: 1, maxLength: 10 },
);

/** What happens behind the owner's back, to the one compute there is. */
export function drift(scene: Scene, what: Extract<Command, { kind: "drift" }>["what"]): void {
  const [id] = scene.computes();
  if (id === undefined) return;
  const { emulator } = scene;
  switch (what) {
    case "resize":
      emulator.updateEndpoint(id, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
      return;
    case "disable":
      emulator.updateEndpoint(id, { disabled: true });
      return;
    case "suspend":
      emulator.suspendEndpoint(id);
      return;
    case "restart":
      emulator.restartEndpoint(id);
      return;
    case "delete":
      deleteByHand(scene, id);
  }
}
