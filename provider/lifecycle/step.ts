/**
 * What create, update and delete share: one call of the engine with its permit to write in the project, its deadline,
 * and the row for its messages.
 */
import type { CallOptions } from "../service/request";
import type { Api, EndpointRef } from "../service/client";
import { deadlineIn, type Clock, type Deadline } from "../clock";
import type { ProviderConfig } from "../settings/config";
import type { OperationBatches } from "../service/operations";
import type { Purpose } from "../service/wait";
import { defaultTimeouts } from "../model/timing";
import type { WritePermit, WritePermits } from "../service/writePermits";
import type { Timeouts } from "../model/inputs";
import type { ComputeDeclaration } from "../model/state";
import type { Run } from "../run/run";
import type { ListComputes } from "../service/lists";
import type { Judgement } from "../plan/judge";
import type { LiveReads } from "../plan/live";
import type { Resource } from "../run/resource";

/** The service, with the settings and the clock of this process. */
export interface Service {
  readonly api: Api;
  readonly listComputes: ListComputes;
  readonly operations: OperationBatches;
  /** The reads that previews use too, so that an update does what its preview announced. */
  readonly liveReads: LiveReads;
  readonly config: ProviderConfig;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
}

/** What create, read, update and delete are built from. Each takes what it uses. */
export interface Parts {
  readonly service: Service;
  readonly run: Run;
  readonly writes: WritePermits;
}

/** What a program declares about a compute, the resource that declares it, and what this run has said about it so far. */
export interface Declaration extends ComputeDeclaration {
  readonly resource: Resource;
  /** What this run has said about the change on the row. */
  readonly announced?: Judgement | undefined;
  /**
   * Arguments whose old values must not stay in the state: those values are secret, and the declaration no longer marks them.
   */
  readonly madePublic?: readonly string[];
}

/** One permit to write in a project, its time limit, and the row for its messages. An update with a restart has two steps. */
export interface Step extends Pick<Parts, "service" | "run"> {
  readonly resource: Resource;
  readonly deadline: Deadline;
  readonly permit: WritePermit;
}

/** The compute that a step changes. */
export interface Target extends Purpose {
  readonly ref: EndpointRef;
}

/** A step whose compute is known. */
export type ComputeStep = Step & Target;

interface StepRequest {
  readonly kind: keyof Timeouts;
  readonly projectId: string;
  readonly resource: Resource;
  readonly timeouts: Timeouts | undefined;
}

/**
 * Runs a step once it has its permit to write in the project. The deadline starts only then: waiting for a locked project does
 * not mean that this compute is stuck.
 */
export async function runStep<T>(
  { service, run, writes }: Parts,
  call: StepRequest,
  act: (step: Step) => Promise<T>,
): Promise<T> {
  const { projectId, resource } = call;
  const permit = await writes.take(projectId, () => {
    resource.row.progress("waiting for its turn in the project");
  });
  try {
    return await act({ service, run, resource, permit, deadline: deadlineOf({ service, run }, call) });
  } finally {
    permit.end();
  }
}

/** The deadline of a step that begins now. */
export function deadlineOf(
  { service, run }: Pick<Parts, "service" | "run">,
  { kind, timeouts, resource }: Omit<StepRequest, "projectId">,
): Deadline {
  const limitSeconds = timeouts?.[kind] ?? resource.limitSeconds ?? defaultTimeouts[kind];
  return deadlineIn(limitSeconds * 1000, service.clock, run.interrupted);
}

/** Options of a step's requests: they end at the step's deadline, and the row shows their retries. */
export function callOptions({ deadline, resource }: Pick<Step, "deadline" | "resource">): CallOptions {
  return {
    deadline,
    onRetry: (attempt, waitMs) => {
      const seconds = (waitMs / 1000).toFixed(1);
      resource.row.progress(`no usable answer from the service; attempt ${attempt + 1} in ${seconds} s`);
    },
  };
}

/**
 * Options of a step's writes: they wait for their turn in the project.
 *
 * @param isTaken - called after a conflict. It returns whether the branch already has a primary: if so, waiting does not help.
 */
export function writeOptions(step: Step, isTaken?: () => Promise<boolean>): CallOptions {
  return { ...callOptions(step), permit: step.permit, isTaken };
}
