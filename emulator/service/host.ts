/**
 * The boundary between the service and real computes. The service decides what happens and when; a host carries it out.
 *
 * Without a host, computes are simulated: nothing is carried out, and no operation waits for a host.
 */

/** A branch whose data a host keeps. */
export interface HostedBranch {
  /** Id of the branch; begins with `br-`. */
  readonly id: string;
  /** The project that it belongs to. */
  readonly projectId: string;
  /** The branch whose data it starts with; absent if it starts empty. */
  readonly parentId?: string;
}

/** A compute to run. */
export interface HostedCompute {
  /** Id of the compute; begins with `ep-`. */
  readonly id: string;
  /** The branch that it serves. */
  readonly branch: HostedBranch;
  /** True for a read replica: it takes no writes. */
  readonly isReplica: boolean;
  /** Postgres' max_connections, by the compute's size. */
  readonly maxConnections: number;
  /** Postgres settings by name, as the service has them. */
  readonly pgSettings: Readonly<Record<string, unknown>>;
  /** Whether clients are let in without a password. */
  readonly isPasswordless: boolean;
}

/** What clients are doing at a compute. */
export interface Activity {
  /** How many connections are open. */
  readonly connections: number;
  /** When a client was last active; the current time if one is active. Absent if no client has connected. */
  readonly lastActiveMs?: number;
}

/** Where clients connect to a compute. */
export interface Place {
  /** Host name or address. */
  readonly host: string;
  /** TCP port. */
  readonly port: number;
  /** The Postgres role to connect as. */
  readonly user: string;
  /** The role's password. */
  readonly password: string;
  /** The database to connect to. */
  readonly database: string;
  /** All of this as one URI. */
  readonly uri: string;
  /** The URI through the port that all computes share: like the service's own URIs, it names the compute in `options`. */
  readonly sharedUri: string;
}

/**
 * Runs computes. Calls can overlap, but a host must carry out the calls for one compute one after the other. Each call
 * must be idempotent, since it may be repeated.
 */
export interface ComputeHost {
  /** Which host it is and why, as a clause for people. */
  readonly description: string;
  /** Gives a compute its address, before it first starts. */
  readonly admit: (compute: HostedCompute) => Promise<void>;
  /**
   * Why the host refuses these settings, in words that name a refused setting; undefined if it accepts all. A host
   * without this member accepts all settings.
   */
  readonly refusalOf?: (pgSettings: HostedCompute["pgSettings"]) => string | undefined;
  /** Makes a branch's data, unless it exists. */
  readonly makeBranch: (branch: HostedBranch) => Promise<void>;
  /** Starts a compute, or restarts a running one, which drops its connections. */
  readonly start: (compute: HostedCompute) => Promise<void>;
  /**
   * Whether the compute's process runs. After a crash the process can be gone although the service still considers the
   * compute active.
   */
  readonly isRunning: (computeId: string) => boolean;
  /** Applies settings that need no restart. @throws Error if a value is refused */
  readonly configure: (compute: HostedCompute) => Promise<void>;
  /** Stops a compute: its connections drop. */
  readonly stop: (computeId: string) => Promise<void>;
  /** Stops a compute, and takes its address away. */
  readonly remove: (computeId: string) => Promise<void>;
  /** What clients are doing at a compute now. */
  readonly activity: (computeId: string) => Activity;
  /** Where clients connect to a compute. @returns undefined if it has no address yet */
  readonly place: (computeId: string) => Place | undefined;
  /** Stops everything. */
  readonly close: () => Promise<void>;
}

/** The calls that a host can make to the service. */
export interface HostCalls {
  /** The service's time. */
  readonly now: () => number;
  /**
   * Reports a client that connects; returns once the compute runs.
   *
   * @throws Error with words for the client, if the compute cannot be reached.
   */
  readonly wake: (computeId: string) => Promise<void>;
  /** Tells the user what the API does not show, such as that a port has changed. */
  readonly tell: (text: string) => void;
}

/** Makes a host. */
export type OpenHost = (calls: HostCalls) => Promise<ComputeHost>;
