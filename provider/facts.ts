/**
 * The service's live facts in the words of a program.
 *
 * These types are the package's public ones: a program's compiler needs nobody else's to read them.
 */
import type { AttributeName, ValueOf } from "./fields";

/**
 * What an Endpoint's arguments of these names are at the service: sizes in Compute Units, the autosuspend delay in
 * seconds (0 is the service's default, -1 never).
 */
type Attributes = { readonly [Name in AttributeName]?: ValueOf<Name> };

/** One compute, as it is now (interface 2.1). */
export interface EndpointFacts extends Attributes {
  /** Id of the compute; begins with `ep-`. */
  readonly endpointId: string;
  /** The project that owns the compute. */
  readonly projectId: string;
  /** The branch that the compute serves; begins with `br-`. */
  readonly branchId: string;
  /** `read_write` is the primary of its branch, `read_only` a read replica. */
  readonly type: "read_write" | "read_only";
  /** Host name for connections; absent where the service tells none yet. */
  readonly host?: string;
  /** Host name of the region's shared proxy. */
  readonly proxyHost?: string;
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
  /** Id of the operation. */
  readonly operationId: string;
  /** The project that it is of. */
  readonly projectId?: string;
  /** The branch that it is about; begins with `br-`. */
  readonly branchId?: string;
  /** Absent where the operation is not tied to a compute. */
  readonly endpointId?: string;
  /** Such as `start_compute`: interface 2.3 does not name them all. */
  readonly action: string;
  /** `scheduling`, `running`, `finished`, `failed`, or what else the service says. */
  readonly status: string;
  /** How often the service has tried it and failed. */
  readonly failuresCount?: number;
  /** ISO 8601, UTC. */
  readonly createdAt?: string;
  /** ISO 8601, UTC. */
  readonly updatedAt?: string;
}
