/**
 * The service's live facts in the words of a program.
 *
 * Without imports: these types are the package's public ones, and a program's compiler should need nobody
 * else's to read them.
 */

/** One compute, as it is now (interface 2.1). */
export interface EndpointFacts {
  readonly endpointId: string;
  readonly projectId: string;
  readonly branchId: string;
  readonly type: "read_write" | "read_only";
  readonly host?: string;
  readonly proxyHost?: string;
  readonly regionId?: string;
  /** In Compute Units. */
  readonly autoscalingLimitMinCu?: number;
  /** In Compute Units. */
  readonly autoscalingLimitMaxCu?: number;
  /** In seconds; 0 is the service's default, -1 never. */
  readonly suspendTimeoutSeconds?: number;
  readonly poolerEnabled?: boolean;
  readonly poolerMode?: string;
  readonly disabled?: boolean;
  readonly passwordlessAccess?: boolean;
  readonly settings?: { readonly pgSettings: Readonly<Record<string, unknown>> };
  /** `init`, `idle`, `active`, or what else the service says: interface 2.1 does not show them all. */
  readonly currentState?: string;
  /** The state it is on its way to. */
  readonly pendingState?: string;
  /** ISO 8601, UTC; absent for a compute that was never active. */
  readonly lastActive?: string;
  /** ISO 8601, UTC. */
  readonly createdAt?: string;
  /** ISO 8601, UTC. */
  readonly updatedAt?: string;
}

/** One operation (interface 2.2). */
export interface OperationFacts {
  readonly operationId: string;
  readonly projectId?: string;
  readonly branchId?: string;
  /** Absent where the operation is not tied to a compute. */
  readonly endpointId?: string;
  /** Such as `start_compute`: interface 2.3 does not name them all. */
  readonly action: string;
  /** `scheduling`, `running`, `finished`, `failed`, or what else the service says. */
  readonly status: string;
  readonly failuresCount?: number;
  /** ISO 8601, UTC. */
  readonly createdAt?: string;
  /** ISO 8601, UTC. */
  readonly updatedAt?: string;
}
