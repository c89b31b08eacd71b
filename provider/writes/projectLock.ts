/**
 * Writes of one project, in an order that the service takes.
 *
 * Many services let one operation of a project run at a time and answer 423 to the rest. Whether this one
 * does is found out with the first two writes: they go one behind the other. Where the second is taken while
 * the operations of the first still run, all others go at once; where it is refused, each keeps its permit
 * until its operations have ended, and nobody hammers.
 */
import type { Deadline } from "../clock";
import { isKind } from "../errors";
import type { OperationBatches } from "../operations/batch";
import { conflictsAllowed, idleRefusalsAllowed, lockLooksBeforeTry, lockLooksMs } from "../timing";

/**
 * The permission to send a write. Where the project is locked it is held until the operations have ended, otherwise
 * until the answer.
 */
export interface WritePermit {
  /** Sends a write; where the project is locked, waits until it is not and sends again. */
  send<T>(request: () => Promise<T>, how: SendOptions): Promise<T>;
  /** The operations of the write have ended, well or badly. */
  end(): void;
}

export interface SendOptions {
  readonly deadline: Deadline;
  /** Asked after a conflict: whether something else than a lock stands in the way, so that waiting does not help. */
  readonly isTaken?: (() => Promise<boolean>) | undefined;
}

export interface ProjectLock {
  /** Waits until a write may be sent in the project. */
  enter(projectId: string, onQueued?: () => void): Promise<WritePermit>;
}

interface Project {
  /** `probing`: one write at a time, until its answer. `locked`: until its operations have ended. */
  mode: "probing" | "free" | "locked";
  accepted: number;
  busy: boolean;
  readonly queue: (() => void)[];
}

/** Accepted writes after which a project counts as free. */
const acceptedProve = 2;

export function createProjectLock(operations: Pick<OperationBatches, "listUnended">): ProjectLock {
  const projects = new Map<string, Project>();

  const projectOf = (projectId: string): Project => {
    const known = projects.get(projectId);
    if (known !== undefined) return known;
    const project: Project = { mode: "probing", accepted: 0, busy: false, queue: [] };
    projects.set(projectId, project);
    return project;
  };

  /**
   * Waits until no operation of the project is seen under way, or the write is worth another try: what runs may
   * not be what locks, and a list that fails says neither.
   *
   * @returns whether one was.
   */
  const waitUntilQuiet = async (
    projectId: string,
    deadline: Deadline,
    refusals: number,
  ): Promise<boolean> => {
    let wasBusy = false;
    for (let looks = 0; looks < lockLooksBeforeTry; looks++) {
      const waitMs = lockLooksMs[Math.min(Math.max(looks, refusals), lockLooksMs.length - 1)] ?? 0;
      await deadline.wait(Math.min(waitMs, Math.max(deadline.leftMs(), 0)));
      if (deadline.leftMs() <= 0) return wasBusy;
      const unended = await operations.listUnended(projectId, { deadline }).catch(() => undefined);
      if (unended?.length === 0) return wasBusy;
      wasBusy = true;
    }
    return wasBusy;
  };

  const isBusy = async (projectId: string, deadline: Deadline): Promise<boolean> =>
    (await operations.listUnended(projectId, { deadline }).catch(() => [])).length > 0;

  const permitIn = (projectId: string, project: Project): WritePermit => {
    let held = true;
    const leave = (): void => {
      if (!held) return;
      held = false;
      project.busy = false;
      letIn(project);
    };
    return {
      send: async (request, how) => {
        const { deadline } = how;
        let conflicts = 0;
        for (let idleRefusals = 0; ;) {
          try {
            const answer = await request();
            project.accepted++;
            if (project.mode === "probing" && project.accepted >= acceptedProve) project.mode = "free";
            if (project.mode !== "locked") leave();
            return answer;
          } catch (error) {
            const givesUp = deadline.leftMs() <= 0 || idleRefusals >= idleRefusalsAllowed;
            if (isKind(error, "conflict")) conflicts++;
            if (
              givesUp ||
              !(await isLock(error, how, { conflicts, isBusy: () => isBusy(projectId, deadline) }))
            ) {
              leave();
              throw error;
            }
            project.mode = "locked";
            idleRefusals = (await waitUntilQuiet(projectId, deadline, idleRefusals)) ? 0 : idleRefusals + 1;
          }
        }
      },
      end: leave,
    };
  };

  return {
    enter: async (projectId, onQueued) => {
      const project = projectOf(projectId);
      if (project.mode !== "free" && project.busy) {
        // Finding out whether the project is locked takes a moment; waiting while it is may take long.
        if (project.mode === "locked") onQueued?.();
        await new Promise<void>((resolve) => project.queue.push(resolve));
      }
      project.busy = true;
      return permitIn(projectId, project);
    },
  };
}

/** One more where writes go in turns, all of them once the project is known to be free. */
function letIn(project: Project): void {
  const waiting = project.mode === "free" ? project.queue.splice(0) : project.queue.splice(0, 1);
  if (waiting.length > 0) project.busy = true;
  for (const enter of waiting) enter();
}

/** Whether a refusal says that another operation of the project is under way. */
async function isLock(
  error: unknown,
  { isTaken }: SendOptions,
  { conflicts, isBusy }: { readonly conflicts: number; readonly isBusy: () => Promise<boolean> },
): Promise<boolean> {
  if (!isKind(error, "locked", "conflict") || error.outcome !== "refused") return false;
  if (error.kind === "locked") return true;
  // Interface 7 gives no status for a lock; a conflict while operations run may be one, for a while.
  if (conflicts > conflictsAllowed) return false;
  if ((await isTaken?.().catch(() => false)) === true) return false;
  return isBusy();
}
