/**
 * Turns the model's records of branches and computes into what a host sees.
 */
import { isObject } from "../../service/model/attributes";
import type { EndpointRecord, Project } from "../../service/model/records";
import { connectionsOfSize } from "../../service/model/sizes";
import type { Switches } from "../../service/switches";
import type { HostedBranch, HostedCompute } from "../../service/host";

/**
 * A branch as a host sees it. State files of earlier releases name no parents: there, every branch is a child of the
 * default branch.
 */
export function toHostedBranch(project: Project, branchId: string): HostedBranch {
  const isDefault = branchId === project.defaultBranchId;
  const parentId = project.branches.get(branchId)?.parentId ?? project.defaultBranchId;
  return { id: branchId, projectId: project.id, ...(!isDefault && { parentId }) };
}

/** A compute as a host sees it, with the attributes that it has now. */
export function toHostedCompute(
  project: Project,
  endpoint: EndpointRecord,
  switches: Switches,
): HostedCompute {
  const pgSettings = endpoint.settings["pg_settings"];
  return {
    id: endpoint.id,
    branch: toHostedBranch(project, endpoint.branchId),
    isReplica: endpoint.type !== "read_write",
    maxConnections: connectionsOfSize(endpoint, switches),
    pgSettings: isObject(pgSettings) ? pgSettings : {},
    isPasswordless: endpoint.passwordlessAccess,
  };
}
