/**
 * What the emulator keeps. All of it is plain data, so that it can be written to a state file and read again.
 * Times are milliseconds since 1970 on the emulator's clock.
 */

/** `init` until the first start has finished (interface 2.1, 3.1). */
export type EndpointState = "init" | "active" | "idle";

/** What a client sets, and may change later. Each member has a row in `attributes.ts`. */
export interface EndpointAttributes {
  branchId: string;
  minCu: number;
  maxCu: number;
  /** -1 never, 0 the service's default, else the delay in seconds. */
  suspendTimeoutSeconds: number;
  settings: Readonly<Record<string, unknown>>;
  poolerEnabled: boolean;
  poolerMode: string;
  disabled: boolean;
  passwordlessAccess: boolean;
}

export interface EndpointRecord extends EndpointAttributes {
  readonly id: string;
  readonly projectId: string;
  readonly type: string;
  readonly name?: string;
  readonly regionId: string;
  readonly host: string;
  readonly proxyHost: string;
  currentState: EndpointState;
  /** Absent until the compute has been active once. */
  lastActiveMs?: number;
  /** When its last operation ended: autosuspend never cuts into one. */
  freeSinceMs: number;
  readonly createdAtMs: number;
  updatedAtMs: number;
}

export interface BranchRecord {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
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
  /** Its place in the list: microseconds since 1970, unique within a project. */
  positionUs: number;
  updatedAtMs: number;
  /** When it runs or ran: known once it is first in its chain. */
  startsAtMs?: number;
  readonly schedulingMs: number;
  readonly runningMs: number;
  readonly endStatus: string;
  /** Never leaves this status by itself. */
  stuck?: "scheduling" | "running";
  /** Answered once, then neither listed nor found. */
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
  /** Operations that have not ended, by the endpoint (or branch) that they wait in line for. */
  readonly chains: Map<string, OperationRecord[]>;
  /** Nothing in it changes by itself before this time. */
  dueMs: number;
}
