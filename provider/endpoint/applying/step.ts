/**
 * What create, update and delete share: one call of the engine, its permit to write in the project, its deadline, and
 * the row that its messages go to.
 */
import type { CallOptions } from "../../api/answers";
import type { Api, EndpointRef } from "../../api/client";
import { deadlineIn, type Clock, type Deadline } from "../../clock";
import type { ProviderConfig } from "../../settings/config";
import { ComputeError, messageOf } from "../../errors";
import type { OperationBatches } from "../../operations/batch";
import type { Awaited } from "../../operations/errors";
import { defaultTimeouts } from "../../timing";
import type { Journal } from "../../writes/journal";
import type { PendingCreates } from "../../writes/pendingCreates";
import type { ProjectLock, WritePermit } from "../../writes/projectLock";
import type { Ownership } from "../ownership";
import type { Timeouts } from "../planning/inputs";
import type { EndpointLists } from "../lists";
import type { LiveLooks } from "../planning/live";
import type { Resource } from "../resource";
import type { RestartOrder } from "./restartOrder";

/** What a compute's life runs on. */
export interface Services {
  readonly api: Api;
  readonly lists: EndpointLists;
  /** What previews ask, for an update that does what they announced. */
  readonly looks: LiveLooks;
  readonly operations: OperationBatches;
  readonly projectLock: ProjectLock;
  readonly journal: Journal;
  /** Whose journal entry a create is, or which stack's; undefined without an id. */
  readonly ownerOf: (id: string | undefined) => string | undefined;
  readonly pendingCreates: PendingCreates;
  /** Whose each compute is. */
  readonly ownership: Ownership;
  readonly restartOrder: RestartOrder;
  readonly clock: Clock;
  readonly config: ProviderConfig;
  readonly redact: (text: string) => string;
  /** Aborts when the run is interrupted, where the host is told of that. */
  readonly interrupted?: AbortSignal | undefined;
}

/** One call of the engine: what it may take, whose permit it has, and where its messages go. */
export interface Step {
  readonly services: Services;
  readonly resource: Resource;
  readonly deadline: Deadline;
  readonly permit: WritePermit;
}

/** What a step is done to. */
export interface Target extends Awaited {
  readonly ref: EndpointRef;
}

interface StepPlan {
  readonly kind: keyof Timeouts;
  readonly projectId: string;
  readonly resource: Resource;
  readonly timeouts: Timeouts | undefined;
}

/**
 * Runs a step once it may write in its project. The deadline begins then: a queue in front of a locked project is no
 * sign that this compute is stuck.
 */
export async function runStep<T>(
  services: Services,
  { kind, projectId, resource, timeouts }: StepPlan,
  act: (step: Step) => Promise<T>,
): Promise<T> {
  const permit = await services.projectLock.enter(projectId, () => {
    resource.row.progress("waiting for its turn in the project");
  });
  try {
    return await act({
      services,
      resource,
      permit,
      deadline: deadlineIn(limitOf(kind, { timeouts, resource }), services.clock, services.interrupted),
    });
  } finally {
    permit.end();
  }
}

/** Longest wait of a step, in milliseconds. */
export function limitOf(
  kind: keyof Timeouts,
  { timeouts, resource }: Pick<StepPlan, "timeouts" | "resource">,
): number {
  return (timeouts?.[kind] ?? resource.limitSeconds ?? defaultTimeouts[kind]) * 1000;
}

interface PermittedWrite<T> {
  readonly request: (call: CallOptions) => Promise<T>;
  /** Asked after a conflict: whether the branch has its primary, so that waiting does not help. */
  readonly isTaken?: () => Promise<boolean>;
}

/**
 * Sends a write under the step's permit; answers to lists on their way no longer count.
 *
 * @throws ComputeError where the run was interrupted before.
 */
export function sendWrite<T>(
  step: Step,
  projectId: string,
  { request, isTaken }: PermittedWrite<T>,
): Promise<T> {
  const send = (): Promise<T> => {
    if (step.deadline.isInterrupted()) throw interruptedBefore(projectId);
    step.services.lists.noteWrite(projectId);
    return request(callOptions(step));
  };
  return step.permit.send(send, { deadline: step.deadline, isTaken });
}

function interruptedBefore(projectId: string): ComputeError {
  return new ComputeError({
    doing: `changing project ${projectId}`,
    what: "the run was interrupted before this change was sent",
    fix: "Run the same command again: nothing of it was done",
  });
}

/** A request of a step: over when the step's time is, its retries shown on the row. */
export function callOptions({ deadline, resource }: Pick<Step, "deadline" | "resource">): CallOptions {
  return {
    deadline,
    onRetry: (attempt, waitMs) => {
      const seconds = (waitMs / 1000).toFixed(1);
      resource.row.progress(`no good answer; attempt ${attempt + 1} in ${seconds} s`);
    },
  };
}

/** A journal that cannot be written is a risk, not a reason to stop: that is said once for each resource. */
export async function keepOnDisk({ row }: Resource, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (warnedRows.has(row)) return;
    warnedRows.add(row);
    const text = `The journal of creates cannot be written (${messageOf(error)}): a run that is killed now may leave its compute behind. COMPUTE_JOURNAL_FOLDER names another folder.`;
    await row.say("warning", text);
  }
}

const warnedRows = new WeakSet<Resource["row"]>();
