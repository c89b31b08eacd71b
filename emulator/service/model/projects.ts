/**
 * Makes projects and branches, with the computes and operations that come with them, and deletes branches.
 */
import type { Switches } from "../switches";
import { withInitialValues } from "./attributes";
import { ServiceError } from "./errors";
import type { BranchRecord, EndpointRecord, OperationRecord, Project } from "./records";
import type { Store } from "./store";
import { deleteEndpoint, newEndpoint, type EndpointCreation } from "./transitions";

/** The options of a new project. */
export interface ProjectOptions {
  /** Default: a new id. */
  readonly id?: string;
  /** Default: its id. */
  readonly name?: string;
  /** Region of the project's computes; default `local-1`. */
  readonly regionId?: string;
}

/** The options of a new branch. */
export interface BranchOptions {
  /** Begins with `br-`. Default: a new id. */
  readonly id?: string;
  /** Default: its id. */
  readonly name?: string;
  /** Its parent branch; default: the project's default branch. */
  readonly parentId?: string;
  /** Whether a primary compute is made with it (interface section 6); default true. */
  readonly compute?: boolean;
}

/** A branch as requested. Its compute, if it gets one, has the attributes that the request names. */
export interface BranchPlan extends Omit<BranchOptions, "compute"> {
  readonly compute?: (branchId: string) => EndpointCreation;
}

export interface NewBranch {
  readonly branch: BranchRecord;
  /** Absent if the branch was made without a compute. */
  readonly endpoint?: EndpointRecord;
  readonly operations: readonly OperationRecord[];
}

interface NewProject extends NewBranch {
  readonly project: Project;
  readonly endpoint: EndpointRecord;
}

/**
 * Makes a project with its default branch and that branch's primary compute (interface section 1).
 *
 * The interface calls the first operation "Create timeline" and does not show its action text.
 */
export function createProject(store: Store, options: ProjectOptions): NewProject {
  const id = options.id ?? store.ids.project();
  if (store.projects.has(id)) throw new RangeError(`Project ${id} already exists.`);
  const project: Project = {
    id,
    name: options.name ?? id,
    regionId: options.regionId ?? "local-1",
    createdAtMs: store.now(),
    defaultBranchId: "",
    branches: new Map(),
    endpoints: new Map(),
    operations: [],
    operationsById: new Map(),
    queues: new Map(),
    dueMs: 0,
  };
  store.projects.set(id, project);
  const branch = newBranch(store, project, { name: "main" });
  project.defaultBranchId = branch.id;
  const endpoint = newEndpoint(store, project, primaryOf(branch.id, store.switches));
  const operations = addBranch(store, project, { branch, endpoint, action: "create_timeline" });
  return { project, branch, endpoint, operations };
}

/**
 * Makes a branch, with or without a compute: create_branch, then start_compute (interface 3.2, section 6).
 *
 * @throws ServiceError 404 if there is no such parent, 409 if the project has a branch of that name.
 */
export function createBranch(store: Store, project: Project, plan: BranchPlan): NewBranch {
  const parent = store.branch(project, plan.parentId ?? project.defaultBranchId);
  refuseSecondName(project, plan.name);
  const branch = newBranch(store, project, { ...plan, parentId: parent.id });
  const endpoint = plan.compute && newEndpoint(store, project, plan.compute(branch.id));
  const operations = addBranch(store, project, { branch, endpoint, action: "create_branch" });
  return { branch, ...(endpoint && { endpoint }), operations };
}

/** The primary that a branch gets unless a request says otherwise. */
export function primaryOf(branchId: string, switches: Switches): EndpointCreation {
  return { ...withInitialValues({ branchId }, switches), type: "read_write" };
}

/**
 * Deletes a branch and its computes.
 *
 * @returns the operations of its computes.
 * @throws ServiceError 422 for the default branch, and for one that has children.
 */
export function deleteBranch(store: Store, project: Project, branch: BranchRecord): OperationRecord[] {
  const child = [...project.branches.values()].find(({ parentId }) => parentId === branch.id);
  if (branch.id === project.defaultBranchId) throw notDeletable(`Branch ${branch.id} is the default branch.`);
  if (child) throw notDeletable(`Branch ${branch.id} has a child, ${child.id}.`);
  const computes = [...project.endpoints.values()].filter(({ branchId }) => branchId === branch.id);
  const operations = computes.flatMap((endpoint) => deleteEndpoint(store, project, endpoint).operations);
  project.branches.delete(branch.id);
  return operations;
}

function notDeletable(why: string): ServiceError {
  return new ServiceError(422, "branch_not_deletable", `${why} It cannot be deleted.`);
}

function refuseSecondName(project: Project, wanted: string | undefined): void {
  const sameName = [...project.branches.values()].find(({ name }) => name === wanted);
  if (sameName)
    throw new ServiceError(
      409,
      "branch_exists",
      `Branch ${sameName.id} already has the name ${sameName.name}.`,
    );
}

function newBranch(store: Store, project: Project, options: Omit<BranchPlan, "compute">): BranchRecord {
  const id = options.id ?? store.ids.branch();
  if (project.branches.has(id)) throw new RangeError(`Branch ${id} already exists.`);
  const { name = id, parentId } = options;
  return {
    ...{ id, projectId: project.id, name },
    ...(parentId !== undefined && { parentId }),
    createdAtMs: store.now(),
  };
}

/** The branch's operation joins the compute's queue first: a compute can't start before its branch exists. */
function addBranch(
  store: Store,
  project: Project,
  made: { branch: BranchRecord; endpoint: EndpointRecord | undefined; action: string },
): OperationRecord[] {
  const { branch, endpoint, action } = made;
  project.branches.set(branch.id, branch);
  const queue = endpoint?.id ?? branch.id;
  const first = store.addBranchOperation(project, branch.id, { action, queue });
  if (!endpoint) return [first];
  project.endpoints.set(endpoint.id, endpoint);
  return [first, ...store.addOperations(project, endpoint, ["start_compute"])];
}

/**
 * Runs the periodic check of every branch that has a compute (interface 2.3).
 *
 * The check joins the branch's queue, not the compute's, and starts no compute.
 */
export function checkAvailability(store: Store, project: Project): OperationRecord[] {
  const checked = new Set([...project.endpoints.values()].map((endpoint) => endpoint.branchId));
  return [...checked].map((branchId) =>
    store.addBranchOperation(project, branchId, { action: "check_availability", queue: branchId }),
  );
}
