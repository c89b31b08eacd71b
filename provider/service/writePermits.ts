/**
 * Decides when each write of a project may be sent.
 *
 * Many services run one operation of a project at a time, and answer 423 to other writes. The first two writes show whether
 * this service does: they are sent one after the other. The second is sent as soon as the first is answered, while the
 * operations of the first usually still run. If the second is accepted, all others are sent at once. If it is refused, each
 * write keeps its permit until its operations have ended, so that the others do not retry in vain. A write without an answer
 * shows nothing, so the others do not wait for it: if the service is down, all of them fail as soon as one does.
 *
 * An operation that never ends keeps a locked project locked. Once one write has waited for it in vain, no other write waits for
 * it: otherwise the waits of many writes would add up to hours.
 */
import type { ApiOperation } from "./schemas";
import type { Deadline } from "../clock";
import { createCondition, type Condition } from "../condition";
import { isKind, RequestError } from "../model/errors";
import { hasEnded, nameOf } from "./observation";
import { lockRefusalsAllowed, lockPollMs, probeAnswersWithinMs, spanText, timeOf } from "../model/timing";

export interface WritePermits {
  /**
   * Waits until a write may be sent in the project.
   *
   * @param onQueued - called if the project is locked: the wait can then be long.
   */
  take(projectId: string, onQueued?: () => void): Promise<WritePermit>;
}

/** The right to send a write. It lasts until the answer, or in a locked project until the write's operations have ended. */
export interface WritePermit {
  /** A write is about to be sent. */
  begin(options: WriteLimits): PermittedWrite;
  /** A step has waited for this operation until its time limit: no write waits for it any more. */
  foundStuck(operation: ApiOperation): void;
  /** Call it when the operations of the write have ended, successfully or not: the next write may be sent. */
  end(): void;
}

interface WriteLimits {
  readonly deadline: Deadline;
  /** Called after a conflict: true if the cause is not a lock, so that waiting does not help. */
  readonly isTaken?: (() => Promise<boolean>) | undefined;
}

/** Takes note of what the answers to a write show about its project. */
interface PermittedWrite {
  accepted(): void;
  /**
   * After a failure: if a lock was the reason, waits until it is gone.
   *
   * @returns whether to send the write again.
   * @throws RequestError if the lock is an operation that does not end.
   */
  outlastsLock(error: unknown): Promise<boolean>;
}

interface ProjectWrites {
  /** `probing`: one write at a time, until its answer. `locked`: one at a time, until its operations have ended. */
  mode: "probing" | "free" | "locked";
  accepted: number;
  /** How many writes hold a permit: one at most, unless the project is free now or was free before. */
  holders: number;
  /** Writes that wait for the permit. */
  readonly permitFree: Condition;
  /** The operations of the project that are under way; undefined if the service does not say. */
  readonly underWay: (deadline: Deadline) => Promise<readonly ApiOperation[] | undefined>;
  /** Operations for which a write has waited in vain. */
  readonly stuck: ApiOperation[];
}

/** Accepted writes after which a project counts as free. */
const acceptedProve = 2;

/**
 * @param listNewest - the newest operations of a project.
 * @param serviceNow - the service's wall time in milliseconds; undefined until an answer has stated it.
 */
export function createWritePermits(
  listNewest: (projectId: string, call: { readonly deadline: Deadline }) => Promise<readonly ApiOperation[]>,
  serviceNow: () => number | undefined,
): WritePermits {
  const projects = new Map<string, ProjectWrites>();
  const begin = (id: string): ProjectWrites => {
    const underWay: ProjectWrites["underWay"] = (deadline) =>
      listNewest(id, { deadline }).then(
        (newest) => newest.filter(({ status }) => !hasEnded(status)),
        () => undefined,
      );
    const project: ProjectWrites = {
      mode: "probing",
      accepted: 0,
      holders: 0,
      permitFree: createCondition(),
      underWay,
      stuck: [],
    };
    projects.set(id, project);
    return project;
  };
  return {
    take: async (projectId, onQueued) => {
      const project = projects.get(projectId) ?? begin(projectId);
      if (project.mode === "free" || project.holders === 0) project.holders++;
      else {
        // The wait is short while the first writes are probing, and can be long in a locked project.
        if (project.mode === "locked") onQueued?.();
        // Whoever wakes this write has already counted it as a holder.
        await project.permitFree.wait();
      }
      return permitIn(project, serviceNow);
    },
  };
}

function permitIn(project: ProjectWrites, serviceNow: () => number | undefined): WritePermit {
  const { permitFree } = project;
  let held = true;
  const end = (): void => {
    if (!held) return;
    held = false;
    clearTimeout(late);
    project.holders--;
    // The next write has the permit from now on: no later caller may take it.
    if (project.mode === "free") project.holders += permitFree.notifyAll();
    else if (project.holders === 0) project.holders += permitFree.notify();
  };
  const stopProbing = (): void => {
    if (project.mode !== "probing") return;
    project.mode = "free";
    end();
  };
  // The others do not wait for longer than this: an update may hold the permit while it waits for operations of an earlier run.
  // The timer runs in real time, as the time limits of a request do.
  const late = setTimeout(stopProbing, probeAnswersWithinMs).unref();
  const begin: WritePermit["begin"] = ({ deadline, isTaken }) => {
    let conflicts = 0;
    let idleRefusals = 0;
    /** The operations that were under way when this write last looked. */
    let seen: readonly ApiOperation[] = [];
    return {
      accepted: () => {
        clearTimeout(late);
        project.accepted++;
        if (project.mode === "probing" && project.accepted >= acceptedProve) project.mode = "free";
        if (project.mode !== "locked") end();
      },
      outlastsLock: async (error) => {
        const isLate = deadline.leftMs() <= 0;
        if (isKind(error, "conflict")) conflicts++;
        const waits = !isLate && idleRefusals < lockRefusalsAllowed;
        if (waits && (await isLock(error, project, { deadline, isTaken, conflicts }))) {
          project.mode = "locked";
          const wait = await waitUntilQuiet(project, deadline, idleRefusals);
          seen = wait.seen;
          if (!wait.isStuck) {
            idleRefusals = wait.wasAtWork ? 0 : idleRefusals + 1;
            return true;
          }
        }
        if (error instanceof RequestError && error.outcome === "unknown") stopProbing();
        end();
        // Lists begin with the newest: the oldest operation is the one that the others wait for.
        const lock = seen.at(-1);
        if (lock === undefined || !isKind(error, "locked", "conflict") || deadline.isInterrupted())
          return false;
        project.stuck.push(...seen);
        // A conflict may have another reason.
        if (error.kind === "locked") throw lockedBy(lock, error, serviceNow());
        return false;
      },
    };
  };
  const foundStuck: WritePermit["foundStuck"] = (operation) => {
    project.stuck.push(operation);
  };
  return { begin, end, foundStuck };
}

/** The error for a write that a stuck operation keeps from being done. @param nowMs - the service's time, if it is known. */
function lockedBy(lock: ApiOperation, cause: RequestError, nowMs: number | undefined): RequestError {
  const { doing, requestId } = cause.problem;
  const { created_at: createdAt, endpoint_id: endpointId, status } = lock;
  const ageMs = (nowMs ?? NaN) - timeOf(createdAt);
  const whose = endpointId == null ? "" : ` of compute ${endpointId}`;
  const age = ageMs >= 0 ? ` after ${ageText(ageMs)}` : "";
  const what = `${nameOf(lock)}${whose} is still ${status}${age}, and the service takes one write of a project at a time`;
  const fix =
    "Nothing was changed. Once that operation has ended (see it at the service), run the same command again";
  return new RequestError({ doing, what, requestId, fix, cause }, { kind: "locked", outcome: "not done" });
}

function ageText(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : spanText(ms / 60_000);
}

/** Whether a refusal means that another operation of the project is running. */
async function isLock(
  error: unknown,
  { underWay }: ProjectWrites,
  { deadline, isTaken, conflicts }: WriteLimits & { readonly conflicts: number },
): Promise<boolean> {
  if (!isKind(error, "locked", "conflict") || error.outcome !== "not done") return false;
  if (error.kind === "locked") return true;
  // Interface 7 gives no status for a lock, so the first few conflicts count as a lock if operations are running.
  if (conflicts > lockRefusalsAllowed) return false;
  if ((await isTaken?.().catch(() => false)) === true) return false;
  return ((await underWay(deadline)) ?? []).length > 0;
}

/**
 * Waits until no operation of the project is running, but not longer than `lockPollMs` in all. The write is then tried again in
 * any case: the running operations may not be the lock, and a failed list says nothing.
 *
 * @param refusals - refusals in a row while no operation was running: each makes the first wait longer.
 */
async function waitUntilQuiet(
  { underWay, stuck }: ProjectWrites,
  deadline: Deadline,
  refusals: number,
): Promise<LockWait> {
  let seen: readonly ApiOperation[] = [];
  for (let reads = 0; reads < lockPollMs.length; reads++) {
    // Many writes may find the same stuck operation.
    const isFirstOfMany = reads === 0 && stuck.length > 0;
    const waitMs = isFirstOfMany ? 0 : (lockPollMs[Math.max(reads, refusals)] ?? 0);
    await deadline.wait(Math.min(waitMs, deadline.leftMs()));
    const isLate = deadline.leftMs() <= 0;
    const now = isLate && seen.length > 0 ? seen : await underWay(deadline);
    seen = now ?? seen;
    if (isLate || now?.length === 0) return { wasAtWork: reads > 0, isStuck: false, seen };
    if (seen.length > 0 && seen.every((one) => isBehind(one, stuck)))
      return { wasAtWork: true, isStuck: true, seen };
  }
  return { wasAtWork: true, isStuck: false, seen };
}

/** Whether an operation is one of these, or waits for one because both are of the same compute. */
function isBehind({ id, endpoint_id: endpointId }: ApiOperation, stuck: readonly ApiOperation[]): boolean {
  return stuck.some((one) => one.id === id || (endpointId != null && one.endpoint_id === endpointId));
}

interface LockWait {
  /** False if the first list already shows no running operation. */
  readonly wasAtWork: boolean;
  /** Whether only operations are running for which another write has waited in vain. */
  readonly isStuck: boolean;
  /** The operations that the last list shows running. */
  readonly seen: readonly ApiOperation[];
}
