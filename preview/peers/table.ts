/**
 * What is known of other providers' computes, and of the types that may hold computes.
 */
import type { ArgumentName } from "../../provider/model/fields";
import type { PreviewStep } from "../read/steps";
import { isEndpoint, typeOf } from "../read/urn";
import { camelCase, isMap, readableText } from "../read/values";
import type { Holder, Peer } from "./peer";

/** What all providers of Neon's computes have in common. */
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
  createOnly: { projectId: "projectId", type: "type", regionId: "regionId" },
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
  createOnly: { branchId: "parent", type: "spec.endpointType" },
};

/** The computes of other providers, by the type of their resource in Pulumi or in Terraform. */
const peers: Readonly<Record<string, Peer>> = {
  // Pulumi's package of this name may wrap any Terraform provider; a preview does not say which one.
  "neon:index/endpoint:Endpoint": neon,
  neon_endpoint: neon,
  "databricks:index/postgresEndpoint:PostgresEndpoint": databricks,
  databricks_postgres_endpoint: databricks,
};

/** @param provider - its address in a Terraform registry; undefined if it is not known. */
export function peerOf(type: string | undefined, provider = ""): Peer | undefined {
  const peer = type !== undefined && Object.hasOwn(peers, type) ? peers[type] : undefined;
  return peer === neon && /(?:^|\/)kislerdm\/neon$/.test(provider) ? kislerdm : peer;
}

/** True for a compute of this provider, or of another provider in this table. */
export function isCompute(urn: string): boolean {
  return isEndpoint(urn) || peerOf(typeOf(urn)) !== undefined;
}

/** By type: the resources that are deleted together with all their computes. */
const holders: Readonly<Record<string, Holder>> = {
  "neon:index/project:Project": "project",
  "neon:index/branch:Branch": "branch",
  neon_project: "project",
  neon_branch: "branch",
  "databricks:index/postgresProject:PostgresProject": "project",
  "databricks:index/postgresBranch:PostgresBranch": "branch",
  databricks_postgres_project: "project",
  databricks_postgres_branch: "branch",
};

export function holderOf(type: string | undefined): Holder | undefined {
  return type !== undefined && Object.hasOwn(holders, type) ? holders[type] : undefined;
}

/** The block with which a project declares its first compute. An update of the block is sent to that compute. */
export const primaryBlock = "primaryCompute";

/**
 * What is known of the first compute that a project of this type may declare: it has the same arguments as any compute.
 */
export function primaryOf(type: string): Peer | undefined {
  return type === "neon_project" || type === "neon:index/project:Project" ? neon : undefined;
}

/**
 * Attributes that only the service or the tool sets: a new value changes no compute. Databricks has them in `status`.
 * Only attributes of the resource itself count, since a setting may be called `host` too.
 */
const answers: ReadonlySet<string> = new Set([
  ...["id", "endpointId", "host", "hostPooling", "proxyHost", "createdAt", "updatedAt"],
  ...["currentState", "pendingState", "lastActive", "startedAt", "suspendedAt"],
  ...["creationSource", "computeReleaseVersion"],
  ...["defaultEndpointId", "computeLastActiveAt", "computeTimeSeconds", "quotaResetAt"],
]);

/** @param path - in the spelling of either tool. */
function isAnswer(path: string, type: string): boolean {
  const [name = "", ...members] = camelCase(path).split(".");
  if (name === "timeouts" || name === "status") return true;
  const last = members.at(-1);
  if (last === undefined) return answers.has(name);
  // A compute that a project or a branch declares has the same attributes.
  const isOfCompute = /(?:endpoint|compute)s?$/i.test(members.at(-2) ?? name);
  return holderOf(type) !== undefined && isOfCompute && answers.has(last);
}

/**
 * True for a project's defaults for computes that are created later. The documentation of the `neon` provider says:
 * "existing compute resources are not affected by this configuration". Up to version 0.15 of that provider, the
 * defaults are in a block.
 */
export function isForLaterComputes(path: string, type: string): boolean {
  const name = camelCase(path).replace(/^defaultEndpointSettings\./, "");
  const isDefault = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu", "suspendTimeoutSeconds"].includes(
    name,
  );
  return isDefault && primaryOf(type) !== undefined;
}

/**
 * Finds the value at a path. Pulumi writes names in camelCase, Terraform in snake_case. A block is a list of one item.
 * The name of a setting may contain dots.
 */
export function valueAt(values: unknown, path: string): unknown {
  const value = withoutList(values);
  if (!isMap(value)) return value;
  const [first = "", ...others] = path.split(".");
  const named = (name: string): unknown =>
    Object.entries(value).find(([other]) => camelCase(other) === name)?.[1];
  return named(path) ?? (others.length === 0 ? undefined : valueAt(named(first), others.join(".")));
}

export function withoutList(value: unknown): unknown {
  return Array.isArray(value) && value.length < 2 ? (value as readonly unknown[])[0] : value;
}

/** The argument at a path, or the one that contains the path. Pulumi spells paths in camel case, Terraform in snake case. */
export function argumentAt(path: string, places: Peer["sent"]): ArgumentName | undefined {
  const [name] = Object.entries(places).find(([, at]) => `${camelCase(path)}.`.startsWith(`${at}.`)) ?? [];
  return name === "pgSettings" ? "settings" : (name as ArgumentName | undefined);
}

/** The paths of the values that a report reads: those of a compute, and what a change of Lakebase depends on. */
const readPaths: readonly string[] = [
  ...[neon, kislerdm, databricks].flatMap(({ sent, createOnly }) => [sent, createOnly].flatMap(pathsIn)),
  ...["id", "endpointId", "replaceExisting"],
];

function pathsIn(places: Peer["sent"]): readonly string[] {
  return Object.values(places);
}

/** True if a report reads the value at a path, in camelCase, of a resource that belongs to a service in this table. */
export function isReadPath(path: string): boolean {
  const ofCompute = path.startsWith(`${primaryBlock}.`) ? path.slice(primaryBlock.length + 1) : path;
  return readPaths.some((read) => `${ofCompute}.`.startsWith(`${read}.`));
}

/** True if a resource or an action of this type belongs to a service in this table. */
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

/** True if a resource of another type may be a compute, or may be deleted together with computes. */
export function holdsComputes(type: string): boolean {
  return isComputeLike(type) || isOfProgram(type) || /(?:project|branch)$/i.test(type);
}

function isComputeLike(type: string): boolean {
  return /(?<!vpc_?)(?:endpoint|compute|instance)$/i.test(type);
}

/**
 * True if an attribute may affect running computes: any attribute of a compute, and those attributes of other resources
 * that concern computes.
 */
export function mayMatter(path: string, type: string, peer: Peer | undefined): boolean {
  if (isAnswer(path, type)) return false;
  if (peer !== undefined || isComputeLike(type) || isOfProgram(type)) return true;
  return !isForLaterComputes(path, type) && concernsComputes(path);
}

/** True if the program implements the resource itself: only the program knows what an update of it does. */
function isOfProgram(type: string): boolean {
  return /^pulumi-(?:nodejs|python):dynamic[:/]/.test(type);
}

/**
 * True if a resource may be a compute or hold computes: by its type or, if the program implements it, by its id or its
 * inputs.
 */
export function mayConcernComputes({ urn, before, after }: PreviewStep): boolean {
  const type = typeOf(urn) ?? "";
  const { id, custom, inputs = {} } = before ?? after ?? {};
  // A component exists only in Pulumi. It has no id, and events leave out its `custom: false`.
  if (custom === false || (custom === undefined && id === "")) return false;
  if (isOfService(type) || isOfAzure({ urn, before, after })) return true;
  if (isEndpoint(urn) || !isOfProgram(type)) return false;
  const names = Object.keys(inputs).map(camelCase);
  return /^ep-/.test(id ?? "") || ["projectId", "branchId"].every((name) => names.includes(name));
}

export function isAzureType(type: string): boolean {
  return /^azapi[:_]/.test(type);
}

/** True for Azure's generic resource, whose attribute `type` says what it is, if that is one of Neon's or hidden. */
export function isOfAzure({ urn, before, after }: Pick<PreviewStep, "urn" | "before" | "after">): boolean {
  if (!isAzureType(typeOf(urn) ?? "")) return false;
  return [before, after].some((state) => {
    if (state === undefined) return false;
    const type = readableText(state.inputs["type"] ?? state.outputs["type"]);
    return type === undefined || /^Microsoft\.Neon\//i.test(type);
  });
}

/**
 * True if a path refers to computes, to settings of a project that are documented to restart or suspend its computes, or to
 * the time at which a branch is deleted with its computes.
 */
function concernsComputes(path: string): boolean {
  return /(?<!vpc)endpoint|compute|autoscaling|suspend|pgsettings|preload|logicalreplication|hipaa|quota|maintenancewindow|expir|(?:^|\.)ttl/.test(
    camelCase(path).toLowerCase(),
  );
}
