/**
 * What can happen to two teams that share a project: their runs, what others do between two requests, what the network
 * does to one of them, and what becomes of their stacks.
 */
import * as fc from "fast-check";
import type { Trouble } from "./network";
import { names, parts, type Name, type Part, type Parts } from "./programCommands";

/** What a person does in the console, or the control plane of its own accord. */
export type Deed = (typeof deeds)[number];

const deeds = [
  "create",
  "create",
  "create a primary",
  "delete",
  "resize",
  "set a setting",
  "set a setting",
  "restart",
  "suspend",
  "check availability",
] as const;

/** What happens to the next requests. */
export type Disturbance =
  | { readonly kind: "trouble"; readonly trouble: Trouble }
  /** Somebody acts after so many requests. */
  | { readonly kind: "deed"; readonly deed: Deed; readonly after: number; readonly which: number };

export type TeamRun = "up" | "up after a preview" | "killed up" | "refresh" | "destroy";

export type TeamCommand =
  | {
      readonly kind: "run";
      readonly team: 0 | 1;
      readonly run: TeamRun;
      /** Another program, or, without one, the last one again. */
      readonly parts: Parts | undefined;
      /** Requests until a killed run ends. */
      readonly diesAfter: number;
      readonly disturbances: readonly Disturbance[];
    }
  | { readonly kind: "show"; readonly lateMs: number; readonly hasUnknownStates: boolean }
  | { readonly kind: "operation"; readonly becomes: "vanished" | "unknown" }
  | { readonly kind: "rename the stack"; readonly team: 0 | 1 }
  | { readonly kind: "rename in the state"; readonly team: 0 | 1; readonly which: number; readonly to: Name }
  /** `pulumi state move` from one team's stack to the other's. */
  | { readonly kind: "move"; readonly team: 0 | 1; readonly which: number }
  /** From one provider process of the first team to its other one, by `pulumi state delete` and a line with `adopt`. */
  | { readonly kind: "hand over"; readonly which: number }
  | { readonly kind: "wait"; readonly minutes: number };

export const places = ["teams on two machines", "teams in one backend"] as const;

/** The provider processes of the first team. */
export const processes = [
  "dynamic",
  "plugin",
  "dynamic and plugin at once",
  "two explicit providers at once",
] as const;

export interface TeamLife {
  readonly place: (typeof places)[number];
  readonly processes: (typeof processes)[number];
  /** Of the second team, and of a first one with two explicit providers. */
  readonly isPlugin: boolean;
  /** Of each team's machine. */
  readonly clockOffHours: readonly [number, number];
  readonly commands: readonly TeamCommand[];
}

const trouble: fc.Arbitrary<Trouble> = fc.record({
  method: fc.constantFrom(
    "POST" as const,
    "POST" as const,
    "POST" as const,
    "PATCH" as const,
    "DELETE" as const,
  ),
  answer: fc.constantFrom(408 as const, 425 as const, 502 as const, 503 as const, "none" as const),
  done: fc.constantFrom("yes" as const, "yes" as const, "no" as const, "no" as const, "later" as const),
});

const which = fc.nat(5);
const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  fc.record({ kind: fc.constant("trouble" as const), trouble }),
  fc.record({
    kind: fc.constant("deed" as const),
    deed: fc.constantFrom(...deeds),
    after: fc.integer({ min: 1, max: 8 }),
    which,
  }),
);

const team = fc.constantFrom(0 as const, 0 as const, 1 as const);

const command: fc.Arbitrary<TeamCommand> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant("run" as const),
      team,
      run: fc.constantFrom<TeamRun>(
        "up",
        "up",
        "up after a preview",
        "up after a preview",
        "killed up",
        "refresh",
        "destroy",
      ),
      parts: fc.option(parts, { nil: undefined, freq: 3 }),
      diesAfter: fc.integer({ min: 1, max: 9 }),
      disturbances: fc.array(disturbance, { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("show" as const),
      lateMs: fc.constantFrom(0, 3_000, 10_000, 25_000),
      hasUnknownStates: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("operation" as const),
      becomes: fc.constantFrom("vanished" as const, "unknown" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rename the stack" as const), team }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("rename in the state" as const),
      team,
      which,
      to: fc.constantFrom(...names),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("move" as const), team, which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("hand over" as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), minutes: fc.constantFrom(0.5, 2, 30) }),
  },
);

const offHours = fc.constantFrom(0, 0, 3, -3);

export const teamLives: fc.Arbitrary<TeamLife> = fc.record({
  place: fc.constantFrom(...places),
  processes: fc.constantFrom(...processes),
  isPlugin: fc.boolean(),
  clockOffHours: fc.tuple(offHours, offHours),
  commands: fc.array(command, { minLength: 6, maxLength: 14 }),
});

/** A resource that moves to another stack suits few random programs, so one life has it for certain. */
export const lifeWithMove: TeamLife = {
  place: "teams in one backend",
  processes: "dynamic",
  isPlugin: false,
  clockOffHours: [0, 0],
  commands: [
    upOf(0, { ada: replica(0.25), bob: replica(1) }),
    upOf(1, { cyd: replica(4) }),
    { kind: "move", team: 0, which: 0 },
    upOf(1, undefined),
    upOf(0, undefined),
  ],
};

function replica(sizeCu: Part["sizeCu"]): Part {
  return {
    isPrimary: false,
    place: 0,
    isShared: true,
    sizeCu,
    settings: "none",
    disabled: false,
  };
}

function upOf(team: 0 | 1, declared: Parts | undefined): TeamCommand {
  return {
    kind: "run",
    team,
    run: "up after a preview",
    parts: declared,
    diesAfter: 0,
    disturbances: [],
  };
}
