/**
 * What a row of a table says: what is there, what is run, what goes wrong meanwhile, and what then must be true.
 *
 * Ids are written as names: `<db>` is the compute of the resource "db", `<branch>` the branch that it is declared on, and
 * `<left>` a compute that a run has made and no state has. "…" in an expected text stands for anything.
 */
import type { FaultRule, Switches, TimelineRule } from "../../emulator";
import type { MiniEngineOptions, Program, RunOptions, RunResult } from "../support/miniEngine";
import type { Values } from "../support/providerHandlers";
import type { Variant } from "../support/variants";
import type { Route, World } from "./world";

/** What somebody else does, or what the service does by itself. */
export type Event = (world: World) => void;

export interface Given {
  /** The arguments of the resource "db", which is created first, besides its project and branch; none: nothing is created. */
  readonly db?: Values | undefined;
  /** More resources besides "db". */
  readonly more?: Program;
  /** The stack's configuration in each run, without `compute:`. */
  readonly stack?: Readonly<Record<string, string>>;
  /** Which of the interface's open choices the service has taken. */
  readonly service?: Partial<Switches>;
  readonly operationMs?: number;
  readonly engine?: Partial<MiniEngineOptions>;
}

/** One command of the CLI. */
export interface Command {
  readonly words: string;
  readonly kind: "up" | "preview" | "refresh" | "destroy";
  /** The engine hears of nothing that its steps then answer. */
  readonly isKilled?: boolean;
  readonly run: (world: World, given: Given) => Promise<RunResult>;
}

/** A fault, on the requests of one route; `since`: from the first request of another route on. */
export type Fault = FaultRule & { readonly since?: Route };

/** A fault, or one that is made of what is there. */
export type FaultOf = Fault | ((world: World) => Fault);

/** A request, as `PATCH <db>`; with what its body has, as `{ "PATCH <db>": { … } }`. */
export type Sent = string | Readonly<Record<string, Values>>;

/** A text with "…" for anything, or a pattern. */
export type Words = string | RegExp;

export interface Expected {
  /** The requests that ask for a change, in their order. */
  readonly sent?: readonly Sent[];
  /** All requests, in their order, by their routes. */
  readonly requests?: readonly Route[];
  /** How many requests of a route there were. */
  readonly count?: Readonly<Partial<Record<Route, number | `<= ${number}`>>>;
  /** Every warning and error on a row, in order. */
  readonly said?: readonly Words[];
  /** Every line that stays on a row, information too. */
  readonly rows?: readonly Words[];
  /** Among what is said, shown while it runs, or given as an error. */
  readonly says?: readonly Words[];
  /** In nothing that is printed. */
  readonly never?: readonly Words[];
  /** What the command fails with, one error each. Not given: it ends well. */
  readonly error?: Words | readonly Words[];
  /** It may fail, with whatever a user can go by. */
  readonly mayFail?: true;
  /** What the state has of "db", among more; `null`: nothing. */
  readonly state?: Values | null;
  /** What the service has of the compute of "db", among more; `null`: no such compute. */
  readonly live?: Values | null;
  /** The computes that the service has in the project besides those of others: rows that leave some say which. */
  readonly computes?: readonly string[];
  /** What the engine does with "db". */
  readonly step?: RunResult["steps"][string];
  /** What the report of `compute-preview` makes of "db". */
  readonly verdict?: Values;
  /** How often the compute of "db" was restarted while it was active, in this run. */
  readonly restarts?: number;
  /** The most or the least that the run takes, in seconds of the clock. */
  readonly within?: number;
  readonly atLeast?: number;
  /** What else must be true. */
  readonly also?: (world: World) => void;
}

export interface Step {
  /** What happened since the run before. */
  readonly meanwhile?: readonly Event[];
  readonly faults?: Readonly<Partial<Record<Route | "ANY", FaultOf | readonly FaultOf[]>>>;
  /** How the service's operations go, instead of ending well. */
  readonly operations?: readonly TimelineRule[];
  /** What others do in the moment in which a request is on its way: the first to the route, or one after so many others. */
  readonly during?: Readonly<Partial<Record<Route, Event | readonly [after: number, event: Event]>>>;
  /** In place of `faults`, what goes wrong. */
  readonly strike?: () => void;
  readonly do: Command;
  readonly expect?: Expected;
  /** What is different with one variant. */
  readonly native?: Expected;
  readonly dynamic?: Expected;
}

export interface Row extends Step {
  /** In the present tense. */
  readonly promise: string;
  readonly reason?: string;
  readonly given?: Given;
  /** Default: both. */
  readonly variants?: readonly Variant[];
  /** What is run after that; faults that are left have ended by then. */
  readonly then?: readonly Step[];
  /** Why, in the end, the state is behind the service. */
  readonly behind?: string;
}

export type Options = Omit<RunOptions, "isPreview" | "stack"> & {
  readonly stack?: Readonly<Record<string, string>>;
};
