/**
 * The service's live facts, with the names that programs use.
 *
 * These types are public: they import no types of other packages.
 */
import type { AttributeName, ValueOf } from "./model/fields";

/**
 * The service's values for an Endpoint's arguments: sizes in Compute Units, the autosuspend delay in seconds (0 is
 * the service's default, -1 never).
 */
type Attributes = { readonly [Name in AttributeName]?: ValueOf<Name> };

/** Operations of a project, from one request. */
export interface OperationsPage {
  readonly operations: readonly OperationFacts[];
  /** The cursor of the next page; undefined after the last page. */
  readonly cursor?: string | undefined;
}

/** One compute as it is now. */
export interface EndpointFacts extends Attributes {
  /** Id of the compute; begins with `ep-`. */
  readonly endpointId: string;
  /** The project that owns the compute. */
  readonly projectId: string;
  /** The branch that the compute serves; begins with `br-`. */
  readonly branchId: string;
  /** `read_write` is the primary of its branch, `read_only` a read replica. */
  readonly type: "read_write" | "read_only";
  /** Host name for connections; absent if the service does not name one yet. */
  readonly host?: string;
  /** Host name of the region's shared proxy. */
  readonly proxyHost?: string;
  /** `init`, `idle`, `active`, or another state of the service. */
  readonly currentState?: string;
  /** The state that the compute changes to. */
  readonly pendingState?: string;
  /** ISO 8601, UTC; absent for a compute that was never active. */
  readonly lastActive?: string;
  /** When the compute was last started, ISO 8601, UTC; absent if the service does not say. */
  readonly startedAt?: string;
  /** When the compute was last suspended, ISO 8601, UTC; absent if the service does not say. */
  readonly suspendedAt?: string;
  /** ISO 8601, UTC. */
  readonly createdAt?: string;
  /** ISO 8601, UTC. */
  readonly updatedAt?: string;
}

/** One operation of the service. */
export interface OperationFacts {
  /** Id of the operation. */
  readonly operationId: string;
  /** The project of the operation. */
  readonly projectId?: string;
  /** The branch of the operation; begins with `br-`. */
  readonly branchId?: string;
  /** Absent if the operation does not concern a compute. */
  readonly endpointId?: string;
  /** What the operation does, such as `start_compute`. */
  readonly action: string;
  /** `scheduling`, `running`, `finished`, `failed`, or another status of the service. */
  readonly status: string;
  /** How often the operation has failed so far. */
  readonly failuresCount?: number;
  /** ISO 8601, UTC. */
  readonly createdAt?: string;
  /** ISO 8601, UTC. */
  readonly updatedAt?: string;
}
