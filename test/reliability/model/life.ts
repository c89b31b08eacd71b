/**
 * What can happen in a random life of two teams that share a project: what their programs declare, which commands they
 * run, what others do between two requests, what the network does to a request, and what becomes of their states.
 */
import * as fc from "fast-check";
import type { TimelineRule } from "../../../emulator";
import { variants, type Variant } from "../../support/variants";

type Of<Source> = Source extends fc.Arbitrary<infer T> ? Readonly<T> : never;
const oneOf = fc.constantFrom;

export const names = ["ada", "bob", "cyd", "dee"] as const;
export const sizes = [0.25, 1, 4] as const;
const settings = ["none", "plain", "secret", "other secret"] as const;
/** What the option ignoreChanges of a resource names. */
export const ignores = {
  nothing: [],
  "its size": ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"],
  "its settings": ["settings"],
  "whether it is disabled": ["disabled"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
const ignored = Object.keys(ignores) as readonly (keyof typeof ignores)[];

const name = oneOf(...names);
const team = oneOf<0 | 1>(0, 0, 1);
/** Picks one of the resources, or of the computes, that exist. */
const which = fc.nat(7);

const part = fc.record({
  isPrimary: fc.boolean(),
  /** One of the team's own branches; the last one is a secret. */
  place: oneOf<0 | 1 | 2>(0, 0, 1, 2),
  /** A replica can be on a branch that both teams share; a primary of this kind suspends later. */
  isShared: fc.boolean(),
  sizeCu: oneOf(...sizes),
  settings: oneOf("none", ...settings),
  disabled: oneOf(false, false, false, true),
  ignores: oneOf<keyof typeof ignores>(
    "nothing",
    "nothing",
    "nothing",
    "nothing",
    "nothing",
    "nothing",
    ...ignored,
  ),
});

const parts = fc
  .uniqueArray(fc.tuple(name, part), { minLength: 1, maxLength: 4, selector: ([one]) => one })
  .map((entries) => Object.fromEntries(entries) as Parts);

/** How a program is edited before it is brought up. */
const edit = fc.oneof(
  /** `follow advice` adds the lines that the last failures asked for. */
  {
    weight: 7,
    arbitrary: fc.record({
      kind: oneOf("none" as const, "another program" as const, "follow advice" as const),
    }),
  },
  /** One resource gets the size, the settings and `disabled` of this part. */
  { weight: 7, arbitrary: fc.record({ kind: oneOf("change" as const), part }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: oneOf("rename" as const),
      to: name,
      by: oneOf("an alias", "nothing", "pulumi state rename"),
    }),
  },
);

/** How a run ends. Previews and runs killed at their end store nothing; runs killed between two requests have stored each step. */
export const ends = [
  "well",
  "as its preview said",
  "in a preview",
  "killed between two requests",
  "killed at its end",
] as const;

/** How a command is run. */
const how = fc.record({
  ends: oneOf("well", "well", "as its preview said", ...ends),
  /** The number of requests after which a run is killed. */
  diesAfter: fc.integer({ min: 1, max: 9 }),
  refreshesFirst: oneOf(false, false, false, true),
  isTargeted: oneOf(false, false, false, false, true),
  isReplaced: oneOf(false, false, false, false, false, true),
  /** How many hours the clock of this run's machine is off. */
  clockOffHours: oneOf(0, 0, 0, 0, 0, 0, 0, 0, -3, 2),
  which,
});

/**
 * What somebody does in the console, or the control plane does on its own. `set a setting` sets one that no program declares, and
 * `set the token` one that programs declare, on a compute for which no run has sent it. `preview elsewhere` is a preview of the
 * same stack on another machine, while a run is under way.
 */
export const deeds = [
  "create",
  "create a primary",
  "delete",
  "resize",
  "disable",
  "enable",
  "restart",
  "suspend",
  "check availability",
  "set a setting",
  "set the token",
  "preview elsewhere",
] as const;

/** Some answers leave open whether a request was carried out, some mean that it was, and some mean that it was not. */
export const answers = {
  open: ["408", "425", "500", "502", "503", "cut", "none"],
  after: ["truncated", "garbled", "wrong shape"],
  denying: ["429", "423", "409", "401", "redirect", "gateway's 404", "service's 404"],
} as const;

/** `later`: after the sender has the answer. */
type Done = "yes" | "no" | "later";

function troubleWith<Answer extends (typeof answers)[keyof typeof answers][number]>(
  all: readonly Answer[],
  done: readonly Done[],
) {
  return fc.record({
    kind: oneOf("trouble" as const),
    method: oneOf("POST", "POST", "PATCH", "PATCH", "DELETE", "GET"),
    answer: oneOf(...all),
    done: oneOf(...done),
    /** What else happens before the sender tries again: somebody sets a setting of the same compute. */
    meanwhile: oneOf("nothing", "a setting of somebody else"),
    /** How many requests of the method pass first, and how many meet the fault. */
    after: oneOf(0, 0, 0, 1, 3),
    times: oneOf(1, 1, 1, 1, 2, 12),
  });
}

const open = troubleWith(answers.open, ["yes", "no", "later"]);
const after = troubleWith(answers.after, ["yes"]);
const denying = troubleWith(answers.denying, ["no"]);

export const timelines: Readonly<Record<string, TimelineRule>> = {
  "an operation that fails": { endStatus: "failed", times: 1 },
  "an operation in an unknown status": { endStatus: "parked", times: 1 },
  "an operation that never ends": { stuck: "running", times: 1 },
  "an operation that vanishes": { vanished: true, times: 1 },
  "an operation that takes long": { schedulingMs: 3_000, runningMs: 20_000, times: 2 },
};

/** What happens meanwhile. */
const disturbance = fc.oneof(
  { weight: 4, arbitrary: open },
  { weight: 1, arbitrary: after },
  { weight: 2, arbitrary: denying },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: oneOf("deed" as const),
      deed: oneOf("create", "set a setting", ...deeds),
      /** After how many requests; at 0 it happened some time before the command. */
      after: fc.nat(8),
      which,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: oneOf("timeline" as const), name: oneOf(...Object.keys(timelines)) }),
  },
);

const run = { team, how, disturbances: fc.array(disturbance, { maxLength: 3 }) };
/** `parts` is another program, or the team's first program. */
const up = fc.record({ kind: oneOf("up" as const), edit, parts, ...run });
export const latenessMs = [3_000, 10_000, 25_000] as const;

const command = fc.oneof(
  { weight: 18, arbitrary: up },
  { weight: 4, arbitrary: fc.record({ kind: oneOf("refresh" as const, "destroy" as const), ...run }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: oneOf("show" as const), lateMs: oneOf(0, ...latenessMs) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: oneOf("rename the stack" as const), team }) },
  /** A resource goes to the other team by `pulumi state move`, or to this team's other provider by `state delete` and `adopt`. */
  { weight: 5, arbitrary: fc.record({ kind: oneOf("give away" as const), team, which }) },
  { weight: 2, arbitrary: fc.record({ kind: oneOf("wait" as const), minutes: oneOf(0.5, 2, 30) }) },
);

export const life = fc.record({
  place: oneOf("teams on two machines", "teams in one backend"),
  /** The provider processes of the first team: a second one is another provider resource of its program. */
  first: oneOf<readonly Variant[]>(
    ["dynamic"],
    ["native"],
    ["dynamic", "native"],
    ["dynamic", "dynamic"],
    ["native", "native"],
  ),
  /** The provider process of the second team. */
  second: oneOf(...variants),
  service: oneOf("interface", "neon"),
  restartedBy: oneOf("start_compute", "apply_config"),
  settingsPatch: oneOf("replaces", "replaces", "merges"),
  lock: oneOf("off", "off", "off", "project"),
  /** What the answer to a change of the size names. */
  sizeAnswer: oneOf("its operations", "its operations", "its operations", "nothing", "an empty list"),
  /** Whether the stacks leave live facts on. */
  liveFacts: oneOf(true, true, true, false),
  commands: fc.array(command, { minLength: 4, maxLength: 14 }),
});

export type Name = Of<typeof name>;
export type Part = Of<typeof part>;
/** By name. */
export type Parts = Readonly<Partial<Record<Name, Part>>>;
export type Edit = Of<typeof edit>;
export type Deed = (typeof deeds)[number];
/** A deed that changes a compute. */
export type Change = Exclude<
  Deed,
  "create" | "create a primary" | "check availability" | "preview elsewhere"
>;
export type Disturbance = Of<typeof disturbance>;
export type Trouble = Of<typeof open> | Of<typeof after> | Of<typeof denying>;
export type Command = Of<typeof command>;
export type Run = Extract<Command, { readonly team: 0 | 1; readonly how: unknown }>;
export type Life = Of<typeof life>;

/** The rare events of lives: an event that no life has met was not tested, and fails the run. */
const wanted: readonly string[] = [
  ...answers.open.flatMap((answer) => ["yes", "no", "later"].map((done) => `${answer}, done: ${done}`)),
  ...answers.after.map((answer) => `${answer}, done: yes`),
  ...answers.denying.map((answer) => `${answer}, done: no`),
  ...["read", "write"].map((kind) => `a ${kind} in trouble`),
  ...[...deeds, ...ends, ...Object.keys(timelines)],
  ...latenessMs.map((lateMs) => `a list ${lateMs / 1_000} s late`),
  ...["teams on two machines", "teams in one backend", "both teams wrote"],
  ...["dynamic and plugin at once", "two explicit providers at once"],
  ...["rename by an alias", "rename by nothing", "rename by pulumi state rename", "stack renamed"],
  ...["a resource of the other team", "a resource of the team's other provider"],
  ...["advice followed", "a target", "a replacement", "an alias and a target", "an alias and a replacement"],
  ...["a clock that is off", "a size change that names nothing", "a size change that names an empty list"],
  ...[
    "a service that merges settings",
    "one write at a time",
    "live facts off",
    "a setting of somebody else that a PATCH kept",
    "a setting of somebody else while a PATCH waits",
  ],
  ...ignored.slice(1).map((name) => `ignores ${name}`),
  "a change as its preview said",
];

/** Counts an event when it really happened, not when it was planned. */
export interface Met {
  readonly count: (ingredient: string) => void;
  readonly all: () => Readonly<Record<string, number>>;
  /** The events that no life has met. */
  readonly missing: () => readonly string[];
}

export function countIngredients(): Met {
  const counts = new Map(wanted.map((name) => [name, 0]));
  return {
    count: (ingredient) => counts.set(ingredient, (counts.get(ingredient) ?? 0) + 1),
    all: () => Object.fromEntries(counts),
    missing: () => wanted.filter((name) => counts.get(name) === 0),
  };
}
