/**
 * What is known of other providers' computes, and of the types that may hold some.
 */
import type { ArgumentName } from "../../provider/model/fields";
import { isEndpoint, typeOf } from "../read/urn";
import { isMap } from "../read/values";
import type { Peer } from "./peer";

/** What every provider of Neon's computes is known to share. */
const neon: Peer = {
  service: "neon",
  saysRestarts: true,
  sent: {
    branchId: "branchId",
    autoscalingLimitMinCu: "autoscalingLimitMinCu",
    autoscalingLimitMaxCu: "autoscalingLimitMaxCu",
    suspendTimeoutSeconds: "suspendTimeoutSeconds",
    disabled: "disabled",
    name: "name",
  },
  place: { projectId: "projectId", type: "type", regionId: "regionId" },
};

const kislerdm: Peer = {
  ...neon,
  sent: { ...neon.sent, poolerEnabled: "poolerEnabled", poolerMode: "poolerMode", pgSettings: "pgSettings" },
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
  // Pulumi's package of this name may be made of any Terraform provider: a preview does not say of which.
  "neon:index/endpoint:Endpoint": neon,
  neon_endpoint: neon,
  "databricks:index/postgresEndpoint:PostgresEndpoint": databricks,
  databricks_postgres_endpoint: databricks,
};

/** @param provider - its address in a Terraform registry; undefined if it is not said. */
export function peerOf(type: string | undefined, provider = ""): Peer | undefined {
  const peer = type !== undefined && Object.hasOwn(peers, type) ? peers[type] : undefined;
  return peer === neon && /(?:^|\/)kislerdm\/neon$/.test(provider) ? kislerdm : peer;
}

/** Whether it is a compute: of this provider, or of another one that is known. */
export function isCompute(urn: string): boolean {
  return isEndpoint(urn) || peerOf(typeOf(urn)) !== undefined;
}

/** What the service or the tool decides alone: a new value of it changes no compute. Databricks has it in `status`. */
const answers: ReadonlySet<string> = new Set([
  ...["id", "endpointId", "host", "proxyHost", "createdAt", "updatedAt", "timeouts"],
  ...["currentState", "pendingState", "lastActive", "startedAt", "suspendedAt"],
]);

/** @param path - in the spelling of either tool. */
function isAnswer(path: string): boolean {
  const names = camelCase(path).split(".");
  return ["timeouts", "status"].includes(names[0] ?? "") || answers.has(names.at(-1) ?? "");
}

export function camelCase(path: string): string {
  return path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Pulumi writes names in camelCase, Terraform in snake_case. */
export function valueAt(values: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => {
    if (!isMap(value)) return value === undefined ? undefined : value;
    return Object.entries(value).find(([other]) => camelCase(other) === name)?.[1];
  }, values);
}

/** The argument that stands at a path, which is in the spelling of either tool, or around it. */
export function argumentAt(path: string, places: Peer["sent"]): ArgumentName | undefined {
  const [name] = Object.entries(places).find(([, at]) => `${camelCase(path)}.`.startsWith(`${at}.`)) ?? [];
  return name === "pgSettings" ? "settings" : (name as ArgumentName | undefined);
}

/** Whether a type, or an action's, is of a service whose computes this table is about. */
export function isOfService(type: string): boolean {
  return (
    !type.startsWith("pulumi:") && /(?:^|[^a-z])neon|lakebase|databricks.*(?:postgres|database)/i.test(type)
  );
}

/** Lakebase's `endpoint`, `branch` or `project`; undefined for any other type. */
export function lakebaseKind(type: string): string | undefined {
  return isOfService(type)
    ? /postgres_?(endpoint|branch|project)$/i.exec(type)?.[1]?.toLowerCase()
    : undefined;
}

/** Whether a resource of another type is a compute, or takes computes along when it is deleted. */
export function holdsComputes(type: string): boolean {
  return isComputeLike(type) || /(?:project|branch)$/i.test(type);
}

function isComputeLike(type: string): boolean {
  return /(?<!vpc_?)(?:endpoint|compute|instance)$/i.test(type);
}

/** Whether an attribute may concern running computes: each one of a compute, and those of other resources that speak of one. */
export function mayMatter(path: string, type: string, peer: Peer | undefined): boolean {
  return !isAnswer(path) && (peer !== undefined || isComputeLike(type) || concernsComputes(path));
}

/** Whether a name on a path speaks of computes, or of what is documented to restart or suspend those of a project. */
function concernsComputes(path: string): boolean {
  return /(?<!vpc)endpoint|compute|autoscaling|suspend|pgsettings|preload|logicalreplication|hipaa|quota|maintenancewindow/.test(
    camelCase(path).toLowerCase(),
  );
}
