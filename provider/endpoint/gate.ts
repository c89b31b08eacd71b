/**
 * Writes of one project, in an order that the service takes.
 *
 * Many services let one operation of a project run at a time and answer 423 to the rest. Whether this one
 * does is found out with the first two writes: they go one behind the other. Where the second is taken while
 * the operations of the first still run, all others go at once; where it is refused, each keeps the turn
 * until its operations have ended, and nobody hammers.
 */
import type { Clock, Deadline } from "../clock";
import { RequestError } from "../errors";
import type { OperationFeed } from "../operations/feed";

/** The right to send writes; given back twice, since it may be needed until the operations have ended. */
export interface Turn {
  /** Sends a write; where the project is locked, waits until it is not and sends again. */
  send<T>(request: () => Promise<T>, deadline: Deadline): Promise<T>;
  /** The operations of the write have ended, well or badly. */
  end(): void;
}

export interface ProjectGate {
  /** Waits for this write's turn in the project. */
  enter(projectId: string, onQueued?: () => void): Promise<Turn>;
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
/** Waits between looks at a locked project's operations; the last one repeats. */
const lockLookMs = [300, 300, 500, 1_000, 2_000, 5_000] as const;

/** Looks after which a write is tried again, whatever they show: about 20 s. */
const looksBeforeTry = 8;
/** Refusals in a row while no operation shows, after which it is no lock that refuses. */
const idleRefusalsAllowed = 5;

export function createProjectGate(feed: Pick<OperationFeed, "listUnended">, clock: Clock): ProjectGate {
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
    for (let looks = 0; looks < looksBeforeTry; looks++) {
      const waitMs = lockLookMs[Math.min(Math.max(looks, refusals), lockLookMs.length - 1)] ?? 5_000;
      await clock.sleep(Math.min(waitMs, Math.max(deadline.leftMs(), 0)));
      if (deadline.leftMs() <= 0) return wasBusy;
      const unended = await feed.listUnended(projectId, { deadline }).catch(() => undefined);
      if (unended?.length === 0) return wasBusy;
      wasBusy = true;
    }
    return wasBusy;
  };

  const isLock = async (error: unknown, projectId: string, deadline: Deadline): Promise<boolean> => {
    if (!(error instanceof RequestError) || error.outcome !== "refused") return false;
    if (error.status === 423) return true;
    // Interface 7 gives no status for a lock; a conflict while operations run may be one.
    if (error.status !== 409) return false;
    const unended = await feed.listUnended(projectId, { deadline }).catch(() => []);
    return unended.length > 0;
  };

  const turnIn = (projectId: string, project: Project): Turn => {
    let held = true;
    const leave = (): void => {
      if (!held) return;
      held = false;
      project.busy = false;
      letIn(project);
    };
    return {
      send: async (request, deadline) => {
        for (let idleRefusals = 0; ;) {
          try {
            const answer = await request();
            project.accepted++;
            if (project.mode === "probing" && project.accepted >= acceptedProve) project.mode = "free";
            if (project.mode !== "locked") leave();
            return answer;
          } catch (error) {
            const givesUp = deadline.leftMs() <= 0 || idleRefusals >= idleRefusalsAllowed;
            if (givesUp || !(await isLock(error, projectId, deadline))) {
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
      return turnIn(projectId, project);
    },
  };
}

/** One more where writes go in turns, all of them once the project is known to be free. */
function letIn(project: Project): void {
  const waiting = project.mode === "free" ? project.queue.splice(0) : project.queue.splice(0, 1);
  if (waiting.length > 0) project.busy = true;
  for (const enter of waiting) enter();
}
