/**
 * The form of a report: what `--format json` prints and docs/pull-requests.md documents. A change that breaks
 * readers increases the version.
 */
import type { FurtherEffect, Running } from "../provider/model/interruption";
import type { Effect } from "../provider/model/fields";
import type { Figure } from "../provider/model/sizes";
import { failures, outcomeTable, type OutcomeName } from "./outcomes";
import type { SourceLine } from "./read/source";
import type { Shown } from "./read/values";

export type { SourceLine } from "./read/source";

/** Version of the type `Report`: a change that breaks readers increases it, a new member does not. */
export const reportVersion = 1;

/** The most serious first: the order of every report. `outcomes.ts` says what each means. */
export const outcomes = Object.keys(outcomeTable) as readonly OutcomeName[];

/**
 * What happens to a compute: a word of `outcomes`.
 *
 * @useDeclaredType
 */
export type Outcome = OutcomeName;

/**
 * What `--fail-on` refuses: an outcome, or `may` (only the update will know whether connections drop), `drop` (they
 * certainly do) or `drift` (something was changed or deleted outside the program).
 *
 * @useDeclaredType
 */
export type FailureKind = keyof typeof failures;

export const failureKinds = Object.keys(failures) as readonly FailureKind[];

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

/** An argument that the update changes, and the effect of the change. */
export interface Change extends Difference {
  /** What changing this argument does to this compute. */
  readonly effect: Effect;
  /** True if it only undoes a change made outside: the program itself did not change. */
  readonly undoes: boolean;
}

/** A change of size, in CU. A size is `1`, or `0.5–2` for a range. */
export interface Resize {
  /** The old size; null for a new compute, or if the old size is not known. */
  readonly from: string | null;
  /** The new size. */
  readonly to: string;
}

/** A remark, and the one value that it is about. Renderers quote the value, since it may contain any text. */
export interface Remark {
  /** The remark: a clause without its value. */
  readonly text: string;
  /** The value; absent if the remark has none, or if it is hidden. */
  readonly value?: string;
}

/** How another resource interrupts a compute. */
export interface Cause {
  /** What it does, as a clause: `a role is created on its branch`. */
  readonly text: string;
  /** Its name in the program, or its address in the configuration. */
  readonly resource: string;
  /** False if open connections only may drop. */
  readonly certain: boolean;
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
  /** The branch before the change; for a new compute, its future branch. null if it is secret or unknown. */
  readonly branchId: string | null;
  /** `read_write` or `read_only`, before the change or for a new compute. null if it is secret or unknown. */
  readonly type: string | null;
  /** `id`, or the id of the compute to adopt. */
  readonly endpointId: string | null;
  /** The engine's operation: `update`, `replace`, `create`, `delete`, `refresh`. */
  readonly step: string;
  /** What happens to it, in one word. */
  readonly outcome: Outcome;
  /** Set for a project or a branch of another provider, which goes away with all its computes. */
  readonly holder?: "branch" | "project";
  /** False if only the update can tell whether the outcome happens. */
  readonly certain: boolean;
  /**
   * Further effects of the change, the most severe first: a move or an adoption may also restart the compute. Absent if
   * there are none.
   */
  readonly also?: readonly FurtherEffect[];
  /** Whether open connections drop; `may` also if the preview stopped before it found out. */
  readonly drops: "yes" | "may" | "no";
  /** True if the preview asked the service about this compute, and got no answer or a refusal; absent otherwise. */
  readonly unasked?: true;
  /** What the compute does now, as the service told the preview; null if the preview did not ask, or got no answer. */
  readonly now: Running | null;
  /**
   * The last access, seen from the preview: `5 min ago`. null if the compute is not active, or the service did not say.
   */
  readonly lastAccess: string | null;
  /** Every argument that changes, in the order in which notices list them. */
  readonly changes: readonly Change[];
  /** null if the size does not change, or is a secret. */
  readonly size: Resize | null;
  /** The figures that a new size changes; empty if the size does not change, or if its figures are not known. */
  readonly figures: readonly Figure[];
  /** The change that waits for a window, or until the compute is idle; null if no change waits. */
  readonly deferred: Deferred | null;
  /** The deferred or refused change, in the provider's words: `size 1 → 2 CU`; absent otherwise. */
  readonly heldBack?: string;
  /** What other resources of the same plan do to this compute; absent if nothing does. */
  readonly causes?: readonly Cause[];
  /** Set for the computes of a branch or a project, if the preview does not know them one by one. */
  readonly place?: "branch" | "project";
  /** What clients of this compute notice: one clause each. */
  readonly clients: readonly Remark[];
  /** With `--connections`: the connections that the interruption drops; absent if nothing is interrupted. */
  readonly connections?: Connections;
  /** The provider's notice; null if there is none, if it may quote a secret, or if it does not apply. */
  readonly notice: string | null;
  /** Other warnings of the preview on the resource's row. */
  readonly warnings: readonly string[];
  /** Why the preview failed on this compute: the provider's messages. */
  readonly errors: readonly string[];
  /** What changed outside the program; null if nothing did, or if nothing was refreshed. */
  readonly drift: Drift | null;
  /** Where the program declares it; null if the program no longer does, or if the preview does not show lines. */
  readonly source: SourceLine | null;
}

/** What `--connections` found out about the open connections of a compute. */
export interface Connections {
  /** `failed`: the compute was asked, and did not answer within 5 s, or refused. */
  readonly status: "answered" | "not asked" | "failed";
  /** Why the compute was not asked, as a clause, or the error; null if it answered. */
  readonly reason: string | null;
  /** When the compute was asked, in UTC: `2026-11-28T07:02:11.000Z`; null if it was not asked. */
  readonly at: string | null;
  /** How many connections were open; null if the compute did not answer. */
  readonly open: number | null;
  /** Of which applications, most connections first. */
  readonly applications: readonly ConnectedApplication[];
  /** Number of connections whose transactions the role may not see: it needs `pg_monitor`. */
  readonly hidden: number;
}

/** Connections with the same `application_name`. */
export interface ConnectedApplication {
  /** The name that the client gives itself; empty if it gives none. */
  readonly name: string;
  /** How many connections were open. */
  readonly open: number;
  /** How many of them were in a transaction. */
  readonly inTransaction: number;
  /** Age of the oldest transaction, in seconds; null if there is none. */
  readonly oldestSeconds: number | null;
}

/** The result of judging a step. */
export type Judgement = Pick<ComputeReport, "outcome" | "certain" | "also" | "drops" | "now">;

/** An interruption that this update defers. */
export interface Deferred {
  /** What the change does to the compute once it is applied. */
  readonly effect: Effect;
  /**
   * How long it waits: `until an update finds the compute idle or runs in the window from Sat 28 Nov 02:00
   * (Europe/Berlin)`.
   */
  readonly until: string;
}

/** A branch on which several computes drop, or may drop, their connections. */
export interface SharedBranch {
  /** null if it is secret or unknown. */
  readonly projectId: string | null;
  /** Id of the branch; begins with `br-`. */
  readonly branchId: string;
  /** URNs of these computes. */
  readonly computes: readonly string[];
  /**
   * The same computes in waves, in the order of their dependencies (`dependsOn`, or an output that another compute
   * uses). Computes of one wave may be interrupted at the same moment, and those of the next wave only after them.
   * There is a single wave if no dependency orders the computes, and for events and plans, which show no dependencies.
   */
  readonly waves: readonly (readonly string[])[];
}

/** A deleted compute and an equal new one: the resource may have been renamed. */
export interface Rename {
  /** URN of the deleted compute. */
  readonly from: string;
  /** URN of the new compute. */
  readonly to: string;
}

/** The first lines of a report: whether it passes, what is interrupted, and what to do. */
export interface CheckVerdict {
  /**
   * - `passed`: nothing is interrupted, and every change could be judged.
   * - `allowed`: something is interrupted, and `--fail-on` does not refuse it.
   * - `reported`: there is no `--fail-on`, so nothing can be refused.
   * - `refused`: `--fail-on` refuses a change; or with code 4, `onInterruption` does, so that the preview ended there.
   * - `failed`: a preview ended with another error.
   * - `not known`: a preview could not be read, could not ask the service, or has a change that cannot be judged.
   */
  readonly word: "passed" | "allowed" | "reported" | "refused" | "failed" | "not known";
  /** The exit code of `compute-preview`. */
  readonly code: number;
  /** What is interrupted, in one line. */
  readonly line: string;
  /** What to do: one or two sentences each. */
  readonly advice: readonly string[];
  /** What `--fail-on` refuses, in the order of the exit codes. */
  readonly refused: readonly Refusal[];
}

/** A kind of change that `--fail-on` refuses. */
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
  /** Number of refreshed computes, if this form does not show what changed outside. */
  readonly unseenRefreshes: number;
  /**
   * How many resources of any type changed outside without being shown; null if this form shows them, or does not
   * count them.
   */
  readonly unseenChanges: number | null;
  /** Resources that may be or hold computes, and whose changes cannot be judged: `TYPE NAME: ATTRIBUTE, …`. */
  readonly unjudged: readonly string[];
  /** Projects that only change the defaults of computes created later: `TYPE NAME: ATTRIBUTE, …`. */
  readonly laterDefaults: readonly string[];
  /** True if a part of the program may be missing: a plan with `-target`, or one that was filtered. */
  readonly partial: boolean;
  /** Number of changing resources of other types. */
  readonly otherChanges: number;
  /** Number of unchanged resources of any type: the engine does not list them. */
  readonly unchangedResources: number;
  /** The number of computes for each outcome, in one line. */
  readonly summary: string;
}

/** Version of the type `StacksReport`; the rule of `reportVersion` applies. */
export const stacksVersion = 1;

/** One stack of several. */
export interface StackReport {
  /** `project/stack` from the preview, or the file's name. If two stacks have the same name, the file follows. */
  readonly name: string;
  /** The preview's file, as it was passed. */
  readonly file: string;
  /** What the preview does. */
  readonly report: Report;
}

/** A file that contains no preview: what happens to its stack is unknown. */
export interface UnreadablePreview {
  /** The file, as it was passed. */
  readonly file: string;
  /** Why it is not a preview, as a clause. */
  readonly reason: string;
  /** What to run instead. */
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
  /**
   * Files of a folder that are not read, since their extension is not .json, .ndjson or .jsonl; absent if there are
   * none.
   */
  readonly ignored?: readonly string[];
  /** The number of computes of all stacks for each outcome, in one line. */
  readonly summary: string;
}
