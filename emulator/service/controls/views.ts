/**
 * What the controls show of projects, branches and endpoints.
 */
import type { Activity, Place } from "../host";
import { toTimestamp, type WireEndpoint, type WireOperation } from "../http/wire";
import type { Counters } from "../model/counters";
import type { BranchRecord, Project } from "../model/records";

/** A project as the controls show it. */
export interface ProjectView {
  /** Id of the project. */
  readonly id: string;
  /** The name given when the project was created. */
  readonly name: string;
  /** The region of its computes. */
  readonly region_id: string;
  /** Its default branch; begins with `br-`. */
  readonly default_branch_id: string;
  /** ISO 8601, UTC, on the emulator's clock. */
  readonly created_at: string;
}

/** A branch as the controls show it. */
export interface BranchView {
  /** Id of the branch; begins with `br-`. */
  readonly id: string;
  /** The project that it belongs to. */
  readonly project_id: string;
  /** The name given when the branch was created. */
  readonly name: string;
  /** Its parent branch; absent for a default branch. */
  readonly parent_id?: string;
  /** ISO 8601, UTC, on the emulator's clock. */
  readonly created_at: string;
}

/** An endpoint, with facts that no answer of the interface shows. */
export interface EndpointView {
  /** The endpoint as the interface answers it. */
  readonly endpoint: WireEndpoint;
  /** How often it was interrupted, and why. */
  readonly counters: Counters;
  /** Name of the Pulumi resource that declares it; absent unless `nameResources` was called. */
  readonly resource?: string;
  /** Absent if the size is not in the table (interface 8.1, 8.2). */
  readonly maxConnections?: number;
  /** Where clients connect; absent if computes are simulated. */
  readonly place?: Place;
  /** What its clients are doing; absent if computes are simulated. */
  readonly activity?: Activity;
}

/** The result of creating a branch. */
export interface BranchCreationView {
  /** The branch. */
  readonly branch: BranchView;
  /** Its primary compute; absent if the branch was created without one. */
  readonly endpoint?: WireEndpoint;
  /** The operations that this started, in the order in which they run. */
  readonly operations: readonly WireOperation[];
}

/** The result of creating a project. */
export interface ProjectCreationView extends BranchCreationView {
  /** The project. */
  readonly project: ProjectView;
  /** The primary compute of its default branch. */
  readonly endpoint: WireEndpoint;
}

export function toProjectView(project: Project): ProjectView {
  return {
    id: project.id,
    name: project.name,
    region_id: project.regionId,
    default_branch_id: project.defaultBranchId,
    created_at: toTimestamp(project.createdAtMs),
  };
}

export function toBranchView(branch: BranchRecord): BranchView {
  return {
    id: branch.id,
    project_id: branch.projectId,
    name: branch.name,
    ...(branch.parentId !== undefined && { parent_id: branch.parentId }),
    created_at: toTimestamp(branch.createdAtMs),
  };
}
