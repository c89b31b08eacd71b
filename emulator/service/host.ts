/**
 * The seam between the service and computes that are real. The service decides what happens and when; a host does it.
 *
 * Without a host computes are simulated: nothing is done, and no operation waits for anything.
 */

/** A branch whose data a host keeps. */
export interface HostedBranch {
  /** Id of the branch; begins with `br-`. */
  readonly id: string;
  /** The project that it is of. */
  readonly projectId: string;
  /** The branch whose data it begins with; absent where it begins empty. */
  readonly parentId?: string;
}

/** A compute as it is to run. */
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
  /** Last sign of a client; the present while one is at work. Absent where none has come. */
  readonly lastActiveMs?: number;
}

/** Where clients find a compute. */
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
  /** The same as one URI. */
  readonly uri: string;
  /** Its address by the port that all computes share, in the service's own form. */
  readonly sharedUri: string;
}

/** Runs computes. Calls may overlap: a host takes those for one compute one after the other. Each may be repeated. */
export interface ComputeHost {
  /** Which one it is and why, as a clause for a person. */
  readonly description: string;
  /** Gives a compute its address, before it first starts. */
  readonly admit: (compute: HostedCompute) => Promise<void>;
  /** Why it takes none of these settings, in words that name one; undefined, or without this member, where it may. */
  readonly refusalOf?: (pgSettings: HostedCompute["pgSettings"]) => string | undefined;
  /** Makes a branch's data, unless they are there. */
  readonly makeBranch: (branch: HostedBranch) => Promise<void>;
  /** Starts a compute, or restarts one that runs: its connections drop. */
  readonly start: (compute: HostedCompute) => Promise<void>;
  /** Whether its process runs: it may not, although the service takes it for active, after a crash. */
  readonly isRunning: (computeId: string) => boolean;
  /** Applies what needs no restart. @throws Error where a value is refused */
  readonly configure: (compute: HostedCompute) => Promise<void>;
  /** Stops a compute: its connections drop. */
  readonly stop: (computeId: string) => Promise<void>;
  /** Stops a compute, and takes its address away. */
  readonly remove: (computeId: string) => Promise<void>;
  /** What clients are doing at a compute now. */
  readonly activity: (computeId: string) => Activity;
  /** Where clients find a compute. @returns undefined where it has no address yet */
  readonly place: (computeId: string) => Place | undefined;
  /** Stops everything. */
  readonly close: () => Promise<void>;
}

/** What a host asks of the service. */
export interface HostCalls {
  /** The service's time. */
  readonly now: () => number;
  /**
   * A client is there: returns once the compute runs.
   *
   * @throws Error with words for the client, where it can't be reached.
   */
  readonly wake: (computeId: string) => Promise<void>;
  /** Tells a person what no operation says. */
  readonly tell: (text: string) => void;
}

/** Makes a host. */
export type OpenHost = (calls: HostCalls) => Promise<ComputeHost>;
