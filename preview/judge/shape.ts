/**
 * The shape of a report: what `--format json` prints and docs/compute-preview.md documents. A change that
 * breaks a reader raises the version.
 */
import type { Running } from "../../provider/endpoint/planning/verdict";
import type { Effect } from "../../provider/fields";
import type { Figure } from "../../provider/sizes";
import type { Shown } from "../read/values";
import type { FailureKind } from "./failureKinds";

/** Of the shape `Report`: it rises where a change breaks a reader, not where members are added. */
export const reportVersion = 1;

/**
 * Most serious first: the order of every report.
 *
 * - `refused`: the preview failed on this compute.
 * - `interrupt`: connections may drop; the interface does not say.
 * - `gone`: it was deleted outside the program.
 * - `adopt`: an existing compute is taken over, and what is declared is applied to it.
 * - `drift`: it was changed outside the program, and the program does not change it.
 * - `release`: it leaves the stack and goes on running (`retainOnDelete`).
 * - `handover`: another resource of the program takes it over; nothing is deleted.
 * - `deferred`: what interrupts it waits for a window; the rest is applied, and connections are unaffected.
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
  "handover",
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

/** One argument, or one member of a map of them, that differs. */
export interface Difference {
  /** `settings.pgSettings.work_mem` for a member. */
  readonly argument: string;
  /** null where it was not set; `[secret]` where it is one. */
  readonly from: Shown;
  /** null where it is removed; `[unknown]` where only the update will know. */
  readonly to: Shown;
  /** True for a secret before and after: whether it changes, the preview does not show. */
  readonly hidden: boolean;
}

/** An argument that the update changes, and what that does. */
export interface Change extends Difference {
  /** What changing this argument does to this compute. */
  readonly effect: Effect;
  /** True where it only takes back what was changed outside: the program says what it said before. */
  readonly undoes: boolean;
}

/** In CU, `1` or `0.5–2`. */
export interface Resize {
  /** null for a new compute, and where it is not known. */
  readonly from: string | null;
  /** The size as it will be. */
  readonly to: string;
}

/** A remark, and beside it the one foreign value it is about: renderers quote values, not remarks. */
export interface Remark {
  /** The remark, a clause without its value. */
  readonly text: string;
  /** The value; absent where the remark is about none, or about one that is hidden. */
  readonly value?: string;
}

/** What a refresh found changed outside the program. */
export interface Drift {
  /** True where the compute was deleted. */
  readonly gone: boolean;
  /** null where the size is as it was, or is not known. */
  readonly size: Resize | null;
  /** Every argument that differs from the state; empty where the compute was deleted. */
  readonly changes: readonly Difference[];
}

/** What the update does to one compute. */
export interface ComputeReport {
  /** The engine's name of the resource, unique in its stack. */
  readonly urn: string;
  /** The resource's name in the program. */
  readonly name: string;
  /** The name; behind those of the components around it where another compute has the same one. */
  readonly label: string;
  /** null for a new compute. */
  readonly id: string | null;
  /** Where the compute is before the change; of a new one, where it will be. Secret or unknown: null. */
  readonly projectId: string | null;
  /** The branch that the compute serves before the change, as `projectId`. */
  readonly branchId: string | null;
  /** `read_write` or `read_only`, as `projectId`. */
  readonly type: string | null;
  /** `id`, or that of the compute to be adopted. */
  readonly endpointId: string | null;
  /** The engine's word: `update`, `replace`, `create`, `delete`, `refresh`. */
  readonly step: string;
  /** What happens to it, in one word. */
  readonly outcome: Outcome;
  /** False where only the update will know. */
  readonly certain: boolean;
  /** Whether open connections drop; `may` also where the preview stopped before it knew. */
  readonly drops: "yes" | "may" | "no";
  /** What the service said when the preview asked it; null where it was not asked, or did not say. */
  readonly now: Running | null;
  /** Every argument that changes, in the order in which notices tell of them. */
  readonly changes: readonly Change[];
  /** null where the size stays, or is a secret. */
  readonly size: Resize | null;
  /** What follows from a new size; empty where the size stays, and where the table states no figure. */
  readonly figures: readonly Figure[];
  /** What waits for a window; null where nothing does. */
  readonly deferred: Deferred | null;
  /** What clients of this compute notice, a clause each. */
  readonly clients: readonly Remark[];
  /** The provider's own words; null where it said none, and where they may quote a secret or do not hold. */
  readonly notice: string | null;
  /** Why the preview failed on this compute, in the provider's words. */
  readonly errors: readonly string[];
  /** null where nothing was changed outside the program, or no refresh looked. */
  readonly drift: Drift | null;
}

/** An interruption that this update leaves out. */
export interface Deferred {
  /** What the change does to the compute once it is applied. */
  readonly effect: Effect;
  /** In ISO 8601; null where no window is configured. */
  readonly until: string | null;
}

/** A branch of which several computes drop, or may drop, their connections. */
export interface SharedBranch {
  /** null where it is a secret or unknown. */
  readonly projectId: string | null;
  /** Id of the branch; begins with `br-`. */
  readonly branchId: string;
  /** URNs of those computes; in the order in which they are interrupted, where that is one after the other. */
  readonly computes: readonly string[];
  /** True where each is interrupted when the one before is active again. */
  readonly ordered: boolean;
  /** True where they are its read_write compute and every other compute of it in this preview. */
  readonly whole: boolean;
}

/** What `--fail-on` refuses, and somebody has allowed. */
export interface Allowance {
  /** Who allowed it, as `--allowed-by` was told. */
  readonly by: string;
  /** What is allowed, in the words of `--fail-on`. */
  readonly kind: FailureKind;
  /** URNs of the computes that are met by it. */
  readonly computes: readonly string[];
}

/** What `--format json` prints for one preview. */
export interface Report {
  /** Tells this shape from that of several stacks. */
  readonly format: "compute-preview";
  /** Of this shape: it rises where a change breaks a reader, not where members are added. */
  readonly version: typeof reportVersion;
  /** The Pulumi project; null where the preview does not name it. */
  readonly project: string | null;
  /** The stack; null where the preview does not name it. */
  readonly stack: string | null;
  /** True where the preview ended with an error: the engine may have planned less than it would have. */
  readonly failed: boolean;
  /** Errors that belong to no compute of this report. */
  readonly errors: readonly string[];
  /** Most serious outcome first. */
  readonly computes: readonly ComputeReport[];
  /** Branches of which more than one compute drops, or may drop, its connections. */
  readonly branches: readonly SharedBranch[];
  /** True for a refresh that is previewed: nothing is planned, and what changed outside is all that it tells. */
  readonly refresh: boolean;
  /** Computes that were refreshed, without a word of this form on what changed outside. */
  readonly unseenRefreshes: number;
  /** How many resources of any type did change outside without being shown; null where this form shows them, or does not count them. */
  readonly unseenChanges: number | null;
  /** Resources of other types that change. */
  readonly otherChanges: number;
  /** Resources of any type that stay as they are: the engine does not list them. */
  readonly unchangedResources: number;
  /** How many computes meet what, in one line. */
  readonly summary: string;
  /** Only where somebody allowed what would be refused otherwise. */
  readonly allowed?: readonly Allowance[];
}

/** Of the shape `StacksReport`, as `reportVersion`. */
export const stacksVersion = 1;

/** One stack of several. */
export interface StackReport {
  /** `project/stack` as the preview has it, else the file's name; the file stands behind it where two stacks have one name. */
  readonly name: string;
  /** The preview's file, as it was named. */
  readonly file: string;
  /** What the preview does. */
  readonly report: Report;
}

/** A file that holds no preview: what its stack does is not known. */
export interface UnreadablePreview {
  /** The file, as it was named. */
  readonly file: string;
  /** Why it is no preview, as a clause. */
  readonly reason: string;
}

/** What `--format json` prints for several files, or for a folder of them. */
export interface StacksReport {
  /** Tells this shape from that of one stack. */
  readonly format: "compute-preview-stacks";
  /** Of this shape: it rises where a change breaks a reader, not where members are added. */
  readonly version: typeof stacksVersion;
  /** Most serious first. */
  readonly stacks: readonly StackReport[];
  /** Files that hold no preview. */
  readonly unreadable: readonly UnreadablePreview[];
  /** How many computes of all stacks meet what, in one line. */
  readonly summary: string;
}
