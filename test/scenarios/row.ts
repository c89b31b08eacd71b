/**
 * What a row of a table says: what exists, which commands run, what goes wrong meanwhile, and what must be true afterwards.
 *
 * Ids are written as names: `<db>` is the compute of the resource "db", `<branch>` the branch that it is declared on, and
 * `<left>` a compute that a run has created and that is not in the state. "…" in an expected text stands for anything.
 */
import type { FaultRule, Switches, TimelineRule } from "../../emulator";
import type { MiniEngineOptions, Program, RunOptions, RunResult } from "../support/miniEngine";
import type { Values } from "../support/providerHandlers";
import type { Variant } from "../support/variants";
import type { Route, World } from "./world";

/** What somebody else does, or what the service does on its own. */
export type Event = (world: World) => void;

export interface Given {
  /** The arguments of the resource "db" besides its project and branch. If given, the resource is created before the row runs. */
  readonly db?: Values | undefined;
  /** More resources besides "db". */
  readonly more?: Program;
  /** The stack's configuration in each run. Keys are written without the prefix `compute:`. */
  readonly stack?: Readonly<Record<string, string>>;
  /** What the service has chosen where the interface leaves a choice. */
  readonly service?: Partial<Switches>;
  readonly operationMs?: number;
  readonly engine?: Partial<MiniEngineOptions>;
}

/** One command of the CLI. */
export interface Command {
  readonly words: string;
  readonly kind: "up" | "preview" | "refresh" | "destroy";
  /** The run is killed: the engine does not receive the answers to its steps. */
  readonly isKilled?: boolean;
  readonly run: (world: World, given: Given) => Promise<RunResult>;
}

/** A fault on the requests of one route. With `since`, it begins with the first request of another route. */
export type Fault = FaultRule & { readonly since?: Route };

/** A fault, or a function that makes the fault from the row's world. */
export type FaultOf = Fault | ((world: World) => Fault);

/** A request, such as `PATCH <db>`, or with its body: `{ "PATCH <db>": { … } }`. */
export type Sent = string | Readonly<Record<string, Values>>;

/** A text with "…" for anything, or a pattern. */
export type Words = string | RegExp;

export interface Expected {
  /** The writes, in order. */
  readonly sent?: readonly Sent[];
  /** The routes of all requests, in order. */
  readonly requests?: readonly Route[];
  /** How many requests of a route there were. */
  readonly count?: Readonly<Partial<Record<Route, number | `<= ${number}`>>>;
  /** Every warning and error on a row, in order. */
  readonly said?: readonly Words[];
  /** Every line that stays on a row, including information, in order. */
  readonly rows?: readonly Words[];
  /** Texts that appear on a row, while the command runs, or in an error. */
  readonly says?: readonly Words[];
  /** Texts that are not printed anywhere. */
  readonly never?: readonly Words[];
  /** The errors that the command fails with. Default: none. */
  readonly error?: Words | readonly Words[];
  /** The command is allowed to fail, with any error that is a sentence for users. */
  readonly mayFail?: true;
  /** Members that "db" has in the state, among others; `null`: it is not in the state. */
  readonly state?: Values | null;
  /** Members that the compute of "db" has at the service, among others; `null`: there is no such compute. */
  readonly live?: Values | null;
  /** The computes of the project, except those that others made. A row that leaves computes behind must list them. */
  readonly computes?: readonly string[];
  /** What the engine does with "db". */
  readonly step?: RunResult["steps"][string];
  /** The verdict of `compute-preview` on "db". */
  readonly verdict?: Values;
  /** How often the compute of "db" was restarted while it was active, in this run. */
  readonly restarts?: number;
  /** The most and the least time that the run takes, in seconds of the fake clock. */
  readonly within?: number;
  readonly atLeast?: number;
  /** What else must be true. */
  readonly also?: (world: World) => void;
}

export interface Step {
  /** What happened since the previous run. */
  readonly meanwhile?: readonly Event[];
  readonly faults?: Readonly<Partial<Record<Route | "ANY", FaultOf | readonly FaultOf[]>>>;
  /** How the service's operations proceed, instead of succeeding. */
  readonly operations?: readonly TimelineRule[];
  /** What others do while a request is on its way: the route's first request, or the one that follows `after` others. */
  readonly during?: Readonly<Partial<Record<Route, Event | readonly [after: number, event: Event]>>>;
  /** Causes what goes wrong, instead of `faults`. */
  readonly strike?: () => void;
  readonly do: Command;
  readonly expect?: Expected;
  /** What is different with one variant. */
  readonly native?: Expected;
  readonly dynamic?: Expected;
}

export interface Row extends Step {
  /** What the row promises, in the present tense. */
  readonly promise: string;
  readonly reason?: string;
  readonly given?: Given;
  /** Default: both variants. */
  readonly variants?: readonly Variant[];
  /** The steps that follow; faults of an earlier step have ended. */
  readonly then?: readonly Step[];
  /** Why the state does not match the service in the end. */
  readonly behind?: string;
}

export type Options = Omit<RunOptions, "isPreview" | "stack"> & {
  readonly stack?: Readonly<Record<string, string>>;
};
