/**
 * The form of a report: what `--format json` prints and docs/compute-preview.md documents. A change that breaks
 * readers increases the version.
 */
import type { FurtherEffect, Running } from "../provider/model/interruption";
import type { Effect } from "../provider/model/fields";
import type { Figure } from "../provider/model/sizes";
import type { SourceLine } from "./read/source";
import type { Shown } from "./read/values";

export type { SourceLine } from "./read/source";

/** Version of the type `Report`: a change that breaks readers increases it, a new member does not. */
export const reportVersion = 1;

/**
 * The most serious first: the order of every report.
 *
 * - `refused`: the preview failed on this compute.
 * - `interrupt`: connections may drop; the interface does not say.
 * - `gone`: it was deleted outside the program.
 * - `adopt`: an existing compute is adopted, and gets the declared values.
 * - `drift`: it was changed outside the program, and the program does not change it.
 * - `release`: it leaves the stack and continues to run (`retainOnDelete`).
 * - `deferred`: its interruption waits, for a window or until it is idle; the rest is applied, and connections are unaffected.
 * - `none`: it changes, and connections are unaffected.
 */
export const outcomes = [
  "refused",
  "delete",
  "replace",
  "move",
  "suspend",
  "restart",
  "interrupt",
  "gone",
  "adopt",
  "drift",
  "release",
  "deferred",
  "none",
  "create",
] as const;

/**
 * What happens to a compute: a word of `outcomes`.
 *
 * @useDeclaredType
 */
export type Outcome = (typeof outcomes)[number];

/** The values of `--fail-on`, with the exit code of each; if several apply, the first one counts. */
export const failureCodes = {
  delete: 20,
  replace: 21,
  move: 22,
  suspend: 23,
  restart: 24,
  /** Connections may drop, and only the update will know. */
  may: 25,
  /** Connections certainly drop: computes that are idle or disabled have none. */
  drop: 26,
  /** Something was changed or deleted outside the program. */
  drift: 27,
} as const;

/**
 * What `--fail-on` refuses: an outcome, or `may` (only the update will know whether connections drop), `drop` (they
 * certainly do) or `drift` (something was changed or deleted outside the program).
 *
 * @useDeclaredType
 */
export type FailureKind = keyof typeof failureCodes;

export const failureKinds = Object.keys(failureCodes) as readonly FailureKind[];

/** One argument, or one member of a map of them, that differs. */
export interface Difference {
  /** `settings.pgSettings.work_mem` for a member. Other providers' arguments have their own names: `pg_settings.work_mem`. */
  readonly argument: string;
  /** null if it was not set; `[secret]` if it is a secret. */
  readonly from: Shown;
  /** null if it is removed; `[unknown]` if only the update will know. */
  readonly to: Shown;
  /** True for a secret before and after: the preview does not show whether it changes. */
  readonly hidden: boolean;
}

/** An argument that the update changes, and what that does. */
export interface Change extends Difference {
  /** What changing this argument does to this compute. */
  readonly effect: Effect;
  /** True if it only undoes a change made outside: the program itself did not change. */
  readonly undoes: boolean;
}

/** In CU, `1` or `0.5–2`. */
export interface Resize {
  /** null for a new compute, and if it is not known. */
  readonly from: string | null;
  /** The new size. */
  readonly to: string;
}

/** A remark, and the one foreign value that it is about: renderers quote the value, not the remark. */
export interface Remark {
  /** The remark: a clause without its value. */
  readonly text: string;
  /** The value; absent if the remark has none, or if it is hidden. */
  readonly value?: string;
}

/** What a refresh found changed outside the program. */
export interface Drift {
  /** True if the compute was deleted. */
  readonly gone: boolean;
  /** null if the size is unchanged or unknown. */
  readonly size: Resize | null;
  /** Every argument that differs from the state; empty if the compute was deleted. */
  readonly changes: readonly Difference[];
}

/** What the update does to one compute. */
export interface ComputeReport {
  /** The engine's name of the resource, unique in its stack. */
  readonly urn: string;
  /** The resource's name in the program. */
  readonly name: string;
  /** The name, preceded by the names of its components if another compute has the same name. */
  readonly label: string;
  /** null for a new compute. */
  readonly id: string | null;
  /** The project before the change; for a new compute, its future project. null if it is secret or unknown. */
  readonly projectId: string | null;
  /** The branch that the compute serves before the change, as `projectId`. */
  readonly branchId: string | null;
  /** `read_write` or `read_only`, as `projectId`. */
  readonly type: string | null;
  /** `id`, or the id of the compute to be adopted. */
  readonly endpointId: string | null;
  /** The engine's operation: `update`, `replace`, `create`, `delete`, `refresh`. */
  readonly step: string;
  /** What happens to it, in one word. */
  readonly outcome: Outcome;
  /** Set for a project or a branch of another provider, which goes away with all its computes. */
  readonly holder?: "branch" | "project";
  /** False if only the update will know. */
  readonly certain: boolean;
  /**
   * What the change does besides its outcome, the most severe first: a move may also restart, and so may an adoption.
   * Absent if it does nothing else.
   */
  readonly also?: readonly FurtherEffect[];
  /** Whether open connections drop; `may` also if the preview stopped before it knew. */
  readonly drops: "yes" | "may" | "no";
  /** True if the preview asked the service about it, and got no answer or was refused one; absent otherwise. */
  readonly unasked?: true;
  /** What the service answered to the preview; null if the preview did not ask, or got no answer. */
  readonly now: Running | null;
  /** `5 min ago`, when the preview asked; null if it is not active, or the service did not say. */
  readonly lastAccess: string | null;
  /** Every argument that changes, in the order of notices. */
  readonly changes: readonly Change[];
  /** null if the size does not change, or is a secret. */
  readonly size: Resize | null;
  /** The figures of a new size; empty if the size does not change, and if its figures are not known. */
  readonly figures: readonly Figure[];
  /** The change that waits for a window or an idle compute; null if none does. */
  readonly deferred: Deferred | null;
  /** What a deferred or refused change is about, in the provider's words: `size 1 → 2 CU`; absent otherwise. */
  readonly heldBack?: string;
  /** What clients of this compute notice, a clause each. */
  readonly clients: readonly Remark[];
  /** The provider's notice; null if there is none, and if it may quote a secret or does not apply. */
  readonly notice: string | null;
  /** What else the preview says on the resource's row. */
  readonly warnings: readonly string[];
  /** Why the preview failed on this compute: the provider's messages. */
  readonly errors: readonly string[];
  /** null if nothing was changed outside the program, or nothing was refreshed. */
  readonly drift: Drift | null;
  /** Where the program declares it; null if it no longer does, and in the events, which do not say it. */
  readonly source: SourceLine | null;
}

/** What is judged of a step. */
export type Judgement = Pick<ComputeReport, "outcome" | "certain" | "also" | "drops" | "now">;

/** An interruption that this update leaves out. */
export interface Deferred {
  /** What the change does to the compute once it is applied. */
  readonly effect: Effect;
  /** Until when, in words: `to the first update that finds the compute idle, or that runs in the window from Sat 28 Nov 02:00 (Europe/Berlin)`. */
  readonly until: string;
}

/** A branch on which several computes drop, or may drop, their connections. */
export interface SharedBranch {
  /** null if it is secret or unknown. */
  readonly projectId: string | null;
  /** Id of the branch; begins with `br-`. */
  readonly branchId: string;
  /** URNs of those computes. */
  readonly computes: readonly string[];
  /**
   * The same in the order that their dependencies give (`dependsOn`, or an output that another one uses): those of one wave
   * may be interrupted at the same moment, those of the next one only after them. One wave where nothing orders them, and
   * in the events and in a plan, which do not show it.
   */
  readonly waves: readonly (readonly string[])[];
}

/** A compute that is deleted while an equal one is new: it may have been renamed. */
export interface Rename {
  /** URN of the one that is deleted. */
  readonly from: string;
  /** URN of the new one. */
  readonly to: string;
}

/** The first lines of a report: whether it passes, what is interrupted, and what to do. */
export interface CheckVerdict {
  /**
   * - `passed`: nothing is interrupted, and all of it is known.
   * - `allowed`: something is, and `--fail-on` does not refuse it.
   * - `reported`: there is no `--fail-on`, so nothing can be refused.
   * - `refused`: `--fail-on` refuses a change.
   * - `failed`: a preview ended with an error.
   * - `not known`: a preview could not be read, could not ask the service, or changes what cannot be judged.
   */
  readonly word: "passed" | "allowed" | "reported" | "refused" | "failed" | "not known";
  /** The exit code of `compute-preview`. */
  readonly code: number;
  /** What is interrupted, in one line. */
  readonly line: string;
  /** What to do, a sentence or two each. */
  readonly advice: readonly string[];
  /** What `--fail-on` refuses, in the order of the exit codes. */
  readonly refused: readonly Refusal[];
}

/** A kind of `--fail-on` that applies. */
export interface Refusal {
  /** A value of `--fail-on`. */
  readonly kind: FailureKind;
  /** How many computes it applies to. */
  readonly computes: number;
}

/** What `--format json` prints for one preview. */
export interface Report {
  /** Distinguishes this form from the report of several stacks. */
  readonly format: "compute-preview";
  /** Version of this form: a change that breaks readers increases it, a new member does not. */
  readonly version: typeof reportVersion;
  /** The verdict on this stack. */
  readonly verdict: CheckVerdict;
  /** The Pulumi project; null if the preview does not name it. */
  readonly project: string | null;
  /** The stack; null if the preview does not name it. */
  readonly stack: string | null;
  /**
   * The form that was read. A document, the default of `pulumi preview --json`, shows neither pending deletions
   * (computes that an earlier replacement did not delete) nor why policies refused.
   */
  readonly form: "document" | "events" | "plan";
  /** True if the preview ended with an error: the engine may have planned only a part. */
  readonly failed: boolean;
  /** Errors that belong to no compute of this report. */
  readonly errors: readonly string[];
  /** Most serious outcome first. */
  readonly computes: readonly ComputeReport[];
  /** Branches on which more than one compute drops, or may drop, its connections. */
  readonly branches: readonly SharedBranch[];
  /** Computes that may have been renamed without an alias. */
  readonly renames: readonly Rename[];
  /** True for the preview of a refresh: nothing is planned, and it only shows what changed outside. */
  readonly refresh: boolean;
  /** True if the preview did not read every compute from the service: it then says nothing about changes made outside. */
  readonly unread: boolean;
  /** Computes that were refreshed, if this form does not show what changed outside. */
  readonly unseenRefreshes: number;
  /**
   * How many resources of any type changed outside without being shown; null if this form shows them, or does not
   * count them.
   */
  readonly unseenChanges: number | null;
  /** Resources that may be or hold computes, and whose changes cannot be judged: `TYPE NAME: ATTRIBUTE, …`. */
  readonly unjudged: readonly string[];
  /** Projects that change only the sizes of later computes: `TYPE NAME: ATTRIBUTE, …`. */
  readonly laterDefaults: readonly string[];
  /** True if a part of the program may be missing: a plan with `-target`, or one that was filtered. */
  readonly partial: boolean;
  /** Resources of other types that change. */
  readonly otherChanges: number;
  /** Resources of any type that do not change: the engine does not list them. */
  readonly unchangedResources: number;
  /** The number of computes for each outcome, in one line. */
  readonly summary: string;
}

/** Version of the type `StacksReport`, as `reportVersion`. */
export const stacksVersion = 1;

/** One stack of several. */
export interface StackReport {
  /** `project/stack` from the preview, or the file's name; followed by the file if two stacks have one name. */
  readonly name: string;
  /** The preview's file, as it was passed. */
  readonly file: string;
  /** What the preview does. */
  readonly report: Report;
}

/** A file that contains no preview: what its stack does is unknown. */
export interface UnreadablePreview {
  /** The file, as it was passed. */
  readonly file: string;
  /** Why it is not a preview, as a clause. */
  readonly reason: string;
  /** What to run in its place. */
  readonly advice: string;
}

/** What `--format json` prints for several files, or for a folder of them. */
export interface StacksReport {
  /** Distinguishes this form from the report of one stack. */
  readonly format: "compute-preview-stacks";
  /** Version of this form: a change that breaks readers increases it, a new member does not. */
  readonly version: typeof stacksVersion;
  /** The verdict on all stacks together. */
  readonly verdict: CheckVerdict;
  /** Most serious first. */
  readonly stacks: readonly StackReport[];
  /** Files that contain no preview. */
  readonly unreadable: readonly UnreadablePreview[];
  /** Files of a folder that are not read, because they end in neither .json, .ndjson nor .jsonl; absent if there are none. */
  readonly ignored?: readonly string[];
  /** The number of computes of all stacks for each outcome, in one line. */
  readonly summary: string;
}
