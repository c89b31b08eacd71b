/**
 * Makes projects and branches, with the computes and operations that come with them.
 */
import { withInitialValues } from "./attributes";
import type { BranchRecord, EndpointRecord, OperationRecord, Project } from "./records";
import type { Store } from "./store";
import { newEndpoint } from "./transitions";

/** How a project is made. */
export interface ProjectOptions {
  /** Default: a new id. */
  readonly id?: string;
  /** Default: its id. */
  readonly name?: string;
  /** Region of the project's computes; default `local-1`. */
  readonly regionId?: string;
}

/** How a branch is made. */
export interface BranchOptions {
  /** Begins with `br-`. Default: a new id. */
  readonly id?: string;
  /** Default: its id. */
  readonly name?: string;
  /** The branch that it is made from; default: the project's default branch. */
  readonly parentId?: string;
  /** Whether a primary compute is made with it (interface section 6); default true. */
  readonly compute?: boolean;
}

export interface NewBranch {
  readonly branch: BranchRecord;
  /** Absent where the branch was made without a compute. */
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
  if (store.projects.has(id)) throw new RangeError(`Project ${id} exists already.`);
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
  const branch = addBranch(store, project, { name: "main" });
  project.defaultBranchId = branch.id;
  return { project, branch, ...addPrimary(store, project, { branch, action: "create_timeline" }) };
}

/** Makes a branch, with or without a compute: create_branch, then start_compute (interface 3.2, section 6). */
export function createBranch(store: Store, project: Project, options: BranchOptions): NewBranch {
  const parent = store.branch(project, options.parentId ?? project.defaultBranchId);
  const branch = addBranch(store, project, { ...options, parentId: parent.id });
  if (options.compute ?? true) {
    return { branch, ...addPrimary(store, project, { branch, action: "create_branch" }) };
  }
  const about = { action: "create_branch", queue: branch.id };
  return { branch, operations: [store.addBranchOperation(project, branch.id, about)] };
}

function addBranch(store: Store, project: Project, options: BranchOptions): BranchRecord {
  const id = options.id ?? store.ids.branch();
  if (project.branches.has(id)) throw new RangeError(`Branch ${id} exists already.`);
  const { name = id, parentId } = options;
  const branch: BranchRecord = {
    ...{ id, projectId: project.id, name },
    ...(parentId !== undefined && { parentId }),
    createdAtMs: store.now(),
  };
  project.branches.set(id, branch);
  return branch;
}

/** The branch's operation joins the compute's queue first: a compute can't start before its branch exists. */
function addPrimary(
  store: Store,
  project: Project,
  { branch, action }: { branch: BranchRecord; action: string },
): { endpoint: EndpointRecord; operations: OperationRecord[] } {
  const attributes = withInitialValues({ branchId: branch.id }, store.switches);
  const endpoint = newEndpoint(store, project, { ...attributes, type: "read_write" });
  project.endpoints.set(endpoint.id, endpoint);
  const first = store.addBranchOperation(project, branch.id, { action, queue: endpoint.id });
  return { endpoint, operations: [first, ...store.addOperations(project, endpoint, ["start_compute"])] };
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
