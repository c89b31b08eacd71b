/**
 * Decides when each write of a project may be sent.
 *
 * Many services run one operation of a project at a time, and answer 423 to other writes. The first two writes show
 * whether this service does: they are sent one after the other. If the second is accepted while the operations of the
 * first still run, all others are sent at once. If it is refused, each write keeps its permit until its operations have
 * ended, so that the others do not retry in vain. A write that is not answered shows nothing: the others do not wait
 * for it, so that all of them end as soon as one.
 */
import type { WritePermit, WriteTurn } from "./call";
import type { ApiOperation } from "./schemas";
import type { Deadline } from "../clock";
import { createCondition, type Condition } from "../condition";
import { isKind, RequestError } from "../model/errors";
import type { OperationBatches } from "./operations";
import { lockRefusalsAllowed, lockPollMs, probeAnswersWithinMs } from "../model/timing";

export interface ProjectLock {
  /**
   * Waits until a write may be sent in the project.
   *
   * @param onQueued - called if the project is locked, so that the wait may be long.
   */
  enter(projectId: string, onQueued?: () => void): Promise<WritePermit>;
}

type TurnOptions = Omit<WriteTurn, "permit">;

interface ProjectWrites {
  /** `probing`: one write at a time, until its answer. `locked`: until its operations have ended. */
  mode: "probing" | "free" | "locked";
  accepted: number;
  /** Whether a write holds the permit. */
  busy: boolean;
  /** Writes that wait for the permit. */
  readonly permitFree: Condition;
  /** The project's operations that are still under way. */
  readonly listUnended: (deadline: Deadline) => Promise<readonly ApiOperation[]>;
}

/** Accepted writes after which a project counts as free. */
const acceptedProve = 2;

export function createProjectLock(operations: Pick<OperationBatches, "listUnended">): ProjectLock {
  const projects = new Map<string, ProjectWrites>();
  const projectCalled = (id: string): ProjectWrites => {
    const known = projects.get(id);
    if (known !== undefined) return known;
    const project: ProjectWrites = {
      mode: "probing",
      accepted: 0,
      busy: false,
      permitFree: createCondition(),
      listUnended: (deadline) => operations.listUnended(id, { deadline }),
    };
    projects.set(id, project);
    return project;
  };
  return {
    enter: async (projectId, onQueued) => {
      const project = projectCalled(projectId);
      if (project.mode !== "free" && project.busy) {
        // Finding out whether the project is locked takes a moment; the wait for a lock may be long.
        if (project.mode === "locked") onQueued?.();
        await project.permitFree.wait();
      }
      project.busy = true;
      return permitIn(project);
    },
  };
}

function permitIn(project: ProjectWrites): WritePermit {
  let held = true;
  const end = (): void => {
    if (!held) return;
    held = false;
    // The next write has the permit from now on: no later caller may take it.
    project.busy = project.mode === "free" ? project.permitFree.notifyAll() : project.permitFree.notify();
  };
  const stopProbing = (): void => {
    if (project.mode !== "probing") return;
    project.mode = "free";
    end();
  };
  const send = async <T>(request: () => Promise<T>, how: TurnOptions): Promise<T> => {
    // In real time, as the limits of a request are.
    const late = setTimeout(stopProbing, probeAnswersWithinMs).unref();
    try {
      const answer = await sendUnlocked(request, how, project);
      if (project.mode !== "locked") end();
      return answer;
    } catch (error) {
      if (error instanceof RequestError && error.outcome === "unknown") stopProbing();
      end();
      throw error;
    } finally {
      clearTimeout(late);
    }
  };
  return { send, end };
}

/** Sends a write repeatedly, as long as a lock refuses it. */
async function sendUnlocked<T>(
  request: () => Promise<T>,
  how: TurnOptions,
  project: ProjectWrites,
): Promise<T> {
  let conflicts = 0;
  for (let idleRefusals = 0; ;) {
    try {
      const answer = await request();
      project.accepted++;
      if (project.mode === "probing" && project.accepted >= acceptedProve) project.mode = "free";
      return answer;
    } catch (error) {
      const givesUp = how.deadline.leftMs() <= 0 || idleRefusals >= lockRefusalsAllowed;
      if (isKind(error, "conflict")) conflicts++;
      const isBusy = async (): Promise<boolean> =>
        (await project.listUnended(how.deadline).catch(() => [])).length > 0;
      if (givesUp || !(await isLock(error, how, { conflicts, isBusy }))) throw error;
      project.mode = "locked";
      const wasBusy = await waitUntilQuiet(project, how.deadline, idleRefusals);
      idleRefusals = wasBusy ? 0 : idleRefusals + 1;
    }
  }
}

/**
 * Waits until no operation of the project is running, or until the write should be tried again: the running
 * operations may not be the lock, and a failed list says nothing.
 *
 * @param refusals - in a row, without a running operation: each makes the first wait longer.
 * @returns whether a running operation was seen.
 */
async function waitUntilQuiet(
  { listUnended }: ProjectWrites,
  deadline: Deadline,
  refusals: number,
): Promise<boolean> {
  let wasBusy = false;
  for (let reads = 0; reads < lockPollMs.length; reads++) {
    const waitMs = lockPollMs[Math.min(Math.max(reads, refusals), lockPollMs.length - 1)] ?? 0;
    await deadline.wait(Math.min(waitMs, Math.max(deadline.leftMs(), 0)));
    if (deadline.leftMs() <= 0) return wasBusy;
    const unended = await listUnended(deadline).catch(() => undefined);
    if (unended?.length === 0) return wasBusy;
    wasBusy = true;
  }
  return wasBusy;
}

/** Whether a refusal means that another operation of the project is running. */
async function isLock(
  error: unknown,
  { isTaken }: TurnOptions,
  { conflicts, isBusy }: { readonly conflicts: number; readonly isBusy: () => Promise<boolean> },
): Promise<boolean> {
  if (!isKind(error, "locked", "conflict") || error.outcome !== "refused") return false;
  if (error.kind === "locked") return true;
  // Interface 7 gives no status for a lock; a conflict while operations run may be a lock, for a while.
  if (conflicts > lockRefusalsAllowed) return false;
  if ((await isTaken?.().catch(() => false)) === true) return false;
  return isBusy();
}
