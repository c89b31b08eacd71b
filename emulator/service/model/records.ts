/**
 * The emulator's records: plain data, which the state file stores unchanged. A renamed member would make older files
 * unreadable. Times are milliseconds since 1970 on the emulator's clock.
 */
import type { EndpointAttributes } from "./attributes";

/** `init` until the first start has finished (interface 2.1, 3.1). */
export type EndpointState = "init" | "active" | "idle";

export interface EndpointRecord extends EndpointAttributes {
  readonly id: string;
  readonly projectId: string;
  readonly type: string;
  readonly regionId: string;
  readonly host: string;
  readonly proxyHost: string;
  currentState: EndpointState;
  /** Absent until the compute has been active once. */
  lastActiveMs?: number;
  /** When it was last started; absent until its first start has ended. */
  startedAtMs?: number;
  /** When it was last suspended; absent until then. */
  suspendedAtMs?: number;
  /** When its last operation ended. Autosuspend does not suspend it earlier. */
  freeSinceMs: number;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

export interface BranchRecord {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  /** Its parent branch; absent for a default branch. */
  readonly parentId?: string;
  readonly createdAtMs: number;
}

export interface OperationRecord {
  readonly id: string;
  readonly projectId: string;
  readonly branchId: string;
  /** Absent for operations not tied to a compute (interface 2.2). */
  readonly endpointId?: string;
  readonly action: string;
  status: string;
  failuresCount: number;
  readonly createdAtMs: number;
  /** Its place in the list of operations: microseconds since 1970, unique within a project. */
  positionUs: number;
  updatedAtMs: number;
  /** When it starts to run; absent until it is first in its queue. */
  startsAtMs?: number;
  readonly schedulingMs: number;
  readonly runningMs: number;
  endStatus: string;
  /** Set while a host has work to do for it: it stays `running` until the work is done. */
  isHeld?: true;
  /** An apply_config in which the compute restarts (switch `restartedBy`). */
  restarts?: true;
  /** When the host's work was done. */
  heldUntilMs?: number;
  /** The status that it leaves only if a control ends it. */
  stuck?: "scheduling" | "running";
  /** Shown in the answer to the request that made it; after that, it is neither listed nor found. */
  readonly vanished?: boolean;
}

/** One project and everything in it. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly regionId: string;
  readonly createdAtMs: number;
  defaultBranchId: string;
  readonly branches: Map<string, BranchRecord>;
  readonly endpoints: Map<string, EndpointRecord>;
  /** Oldest first. */
  readonly operations: OperationRecord[];
  readonly operationsById: Map<string, OperationRecord>;
  /** Operations that have not ended, by the id of the endpoint or branch that they wait for. */
  readonly queues: Map<string, OperationRecord[]>;
  /** Nothing in it changes by itself before this time. */
  dueMs: number;
}
