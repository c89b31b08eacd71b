/**
 * What can happen to the stacks of a project: commands of their owners on programs of several resources, changes behind
 * their backs, and faults.
 */
import * as fc from "fast-check";
import type { FaultEffect, TimelineRule } from "../../../emulator";

/** What a program declares of one resource. */
export interface Part {
  readonly isPrimary: boolean;
  /** A branch of the stack's own; its last one is a secret. */
  readonly place: 0 | 1 | 2;
  /** A replica may be on a branch that all stacks share; a primary may suspend later. */
  readonly isShared: boolean;
  readonly sizeCu: (typeof sizes)[number];
  readonly settings: Declarable;
  readonly disabled: boolean;
}

/** How a setting is declared. */
export type Declarable = "none" | "plain" | "secret" | "other secret";

export type Name = (typeof names)[number];

/** By name. */
export type Parts = Readonly<Partial<Record<Name, Part>>>;

export interface HowToUp {
  readonly kind: "up" | "killed up" | "preview";
  readonly refreshesFirst: boolean;
  readonly isTargeted: boolean;
  readonly isReplaced: boolean;
  /** Which of the resources is meant by a target, a replacement, a new name or a copied line. */
  readonly which: number;
}

export type ProgramCommand =
  /** Another program, or, without one, the last one again. */
  | { readonly kind: "run"; readonly how: HowToUp; readonly parts: Parts | undefined; readonly stack: 0 | 1 }
  /** A resource gets another name. */
  | {
      readonly kind: "rename";
      readonly how: HowToUp;
      readonly to: Name;
      readonly hasAlias: boolean;
      readonly stack: 0 | 1;
    }
  /** Adds the line that the last failure asked for. */
  | { readonly kind: "follow advice"; readonly how: HowToUp; readonly stack: 0 | 1 }
  /** Adds a resource with another's `adopt` line. */
  | { readonly kind: "copy a line"; readonly how: HowToUp; readonly to: Name; readonly stack: 0 | 1 }
  | { readonly kind: "refresh" | "see a stranger"; readonly stack: 0 | 1 }
  | {
      readonly kind: "destroy";
      readonly isTargeted: boolean;
      readonly which: number;
      readonly stack: 0 | 1;
    }
  | { readonly kind: "change by hand"; readonly what: ByHand; readonly which: number }
  | {
      readonly kind: "fault";
      readonly effect: FaultEffect;
      readonly method: "GET" | "POST" | "PATCH" | "DELETE";
      readonly after: number;
      readonly times: number;
    }
  | { readonly kind: "timeline"; readonly rule: TimelineRule };

export type ByHand = (typeof byHand)[number];

const byHand = ["delete", "resize", "disable", "suspend", "restart"] as const;
const sizes = [0.25, 1, 4] as const;
export const names = ["ada", "bob", "cyd", "dee"] as const;

/** What a gateway in front of the service answers to a path that it does not know. */
export const gatewayAnswer: FaultEffect = {
  kind: "status",
  status: 404,
  body: { message: "no Route matched with those values" },
};

const declarable = fc.constantFrom<Declarable>("none", "none", "plain", "secret", "other secret");

const part: fc.Arbitrary<Part> = fc.record({
  isPrimary: fc.boolean(),
  place: fc.constantFrom(0 as const, 0 as const, 1 as const, 2 as const),
  isShared: fc.boolean(),
  sizeCu: fc.constantFrom(...sizes),
  settings: declarable,
  disabled: fc.constantFrom(false, false, false, true),
});

const name = fc.constantFrom(...names);
export const parts: fc.Arbitrary<Parts> = fc
  .uniqueArray(fc.tuple(name, part), { minLength: 1, maxLength: 4, selector: ([one]) => one })
  .map((entries) => Object.fromEntries(entries) as Parts);

const how: fc.Arbitrary<HowToUp> = fc.record({
  kind: fc.constantFrom(
    "up" as const,
    "up" as const,
    "up" as const,
    "killed up" as const,
    "preview" as const,
  ),
  refreshesFirst: fc.constantFrom(false, false, true),
  isTargeted: fc.constantFrom(false, false, false, true),
  isReplaced: fc.constantFrom(false, false, false, false, true),
  which: fc.nat(3),
});
const which = fc.nat(7);
const stack = fc.constantFrom(0 as const, 0 as const, 1 as const);

const faults: readonly FaultEffect[] = [
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
  gatewayAnswer,
  { kind: "status", status: 404, body: { code: "not_found", message: "There is no such project." } },
  { kind: "status", status: 401, body: { code: "unauthorized", message: "not your key" } },
];

const timelines: readonly TimelineRule[] = [
  { endStatus: "failed", times: 1 },
  { stuck: "running", times: 1 },
  { vanished: true, times: 1 },
  { schedulingMs: 3_000, runningMs: 20_000, times: 2 },
];

const command: fc.Arbitrary<ProgramCommand> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant("run" as const),
      how,
      parts: fc.option(parts, { nil: undefined, freq: 2 }),
      stack,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("rename" as const),
      how,
      to: name,
      hasAlias: fc.boolean(),
      stack,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("follow advice" as const), how, stack }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("copy a line" as const), how, to: name, stack }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("refresh" as const, "see a stranger" as const),
      stack,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("destroy" as const),
      isTargeted: fc.boolean(),
      which,
      stack,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("change by hand" as const),
      what: fc.constantFrom(...byHand),
      which,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("fault" as const),
      effect: fc.constantFrom(...faults),
      method: fc.constantFrom(
        "GET" as const,
        "POST" as const,
        "POST" as const,
        "PATCH" as const,
        "DELETE" as const,
      ),
      after: fc.nat(3),
      times: fc.constantFrom(1, 1, 2, 12),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("timeline" as const), rule: fc.constantFrom(...timelines) }),
  },
);

export interface ProgramLife {
  /** Whether the two stacks have one name, in two backends. */
  readonly isOneName: boolean;
  readonly commands: readonly ProgramCommand[];
}

export const programLives: fc.Arbitrary<ProgramLife> = fc.record({
  isOneName: fc.boolean(),
  commands: fc.array(command, { minLength: 2, maxLength: 12 }),
});
