/**
 * The table of other providers' computes.
 */
import type { ArgumentName } from "../../provider/pure/fields";
import type { ServiceName } from "../../provider/pure/services";

/** What is known of another provider's compute. */
export interface Peer {
  /** Whose figures apply. */
  readonly service: ServiceName;
  /** False if the service does not say which changes restart a compute: then each of them may. */
  readonly saysRestarts: boolean;
  /** Where the values that an update sends stand: a dotted path for each argument. */
  readonly sent: Readonly<Partial<Record<ArgumentName | "pgSettings", string>>>;
  /** Where the values stand that only a create sends. */
  readonly place: Readonly<Partial<Record<ArgumentName, string>>>;
}

const neon: Peer = {
  service: "neon",
  saysRestarts: true,
  sent: {
    branchId: "branchId",
    autoscalingLimitMinCu: "autoscalingLimitMinCu",
    autoscalingLimitMaxCu: "autoscalingLimitMaxCu",
    suspendTimeoutSeconds: "suspendTimeoutSeconds",
    disabled: "disabled",
    poolerEnabled: "poolerEnabled",
    poolerMode: "poolerMode",
    pgSettings: "pgSettings",
  },
  // Its updates leave these out, whatever a plan says.
  place: { projectId: "projectId", type: "type", regionId: "regionId" },
};

const databricks: Peer = {
  service: "unknown",
  saysRestarts: false,
  sent: {
    autoscalingLimitMinCu: "spec.autoscalingLimitMinCu",
    autoscalingLimitMaxCu: "spec.autoscalingLimitMaxCu",
    suspendTimeoutSeconds: "spec.suspendTimeoutDuration",
    disabled: "spec.disabled",
    pgSettings: "spec.settings.pgSettings",
  },
  place: { branchId: "parent", type: "spec.endpointType" },
};

/** By the type of a resource, in Pulumi and in Terraform. */
const peers: Readonly<Record<string, Peer>> = {
  "neon:index/endpoint:Endpoint": neon,
  neon_endpoint: neon,
  "databricks:index/postgresEndpoint:PostgresEndpoint": databricks,
  databricks_postgres_endpoint: databricks,
};

export function peerOf(type: string | undefined): Peer | undefined {
  return type !== undefined && Object.hasOwn(peers, type) ? peers[type] : undefined;
}

/** Whether computes may go or change with this resource though no row of the table says how. */
export function isComputeLike(type: string): boolean {
  const isOfService = /neon|lakebase|databricks.*(?:postgres|database)/i.test(type);
  return (
    isOfService && peerOf(type) === undefined && /(?:endpoint|compute|instance|project|branch)$/i.test(type)
  );
}
