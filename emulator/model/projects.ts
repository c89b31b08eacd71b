import { withInitialValues } from "./attributes";
import { newEndpoint } from "./transitions";
import type { BranchRecord, EndpointRecord, OperationRecord, Project } from "./records";
import type { World } from "./store";

export interface ProjectOptions {
  /** A fixed id; without it, one is made. */
  readonly id?: string;
  readonly name?: string;
  /** Region of the project's computes; `local-1` where not given. */
  readonly regionId?: string;
}

export interface BranchOptions {
  readonly id?: string;
  readonly name?: string;
  /** Whether a primary compute is made with it (interface section 6); true where not given. */
  readonly compute?: boolean;
}

export interface NewBranch {
  readonly branch: BranchRecord;
  /** Absent where the branch was made without a compute. */
  readonly endpoint?: EndpointRecord;
  readonly operations: readonly OperationRecord[];
}

export interface NewProject extends NewBranch {
  readonly project: Project;
  readonly endpoint: EndpointRecord;
}

/**
 * Makes a project with its default branch and that branch's primary compute (interface section 1).
 *
 * The interface calls the first operation "Create timeline" and does not show its action text.
 */
export function createProject(world: World, options: ProjectOptions): NewProject {
  const id = options.id ?? world.ids.project();
  if (world.projects.has(id)) throw new RangeError(`Project ${id} exists already.`);
  const project: Project = {
    id,
    name: options.name ?? id,
    regionId: options.regionId ?? "local-1",
    createdAtMs: world.now(),
    defaultBranchId: "",
    branches: new Map(),
    endpoints: new Map(),
    operations: [],
    operationsById: new Map(),
    chains: new Map(),
    dueMs: 0,
  };
  world.projects.set(id, project);
  const branch = addBranch(world, project, { name: "main" });
  project.defaultBranchId = branch.id;
  return { project, branch, ...addPrimary(world, project, { branch, action: "create_timeline" }) };
}

/** Makes a branch, with or without a compute: create_branch, then start_compute (interface 3.2, section 6). */
export function createBranch(world: World, project: Project, options: BranchOptions): NewBranch {
  const branch = addBranch(world, project, options);
  if (options.compute ?? true) {
    return { branch, ...addPrimary(world, project, { branch, action: "create_branch" }) };
  }
  const about = { action: "create_branch", chain: branch.id };
  return { branch, operations: [world.addBranchOperation(project, branch.id, about)] };
}

function addBranch(world: World, project: Project, options: BranchOptions): BranchRecord {
  const id = options.id ?? world.ids.branch();
  if (project.branches.has(id)) throw new RangeError(`Branch ${id} exists already.`);
  const branch = { id, projectId: project.id, name: options.name ?? id, createdAtMs: world.now() };
  project.branches.set(id, branch);
  return branch;
}

/** The branch's own operation is first in the compute's line: a compute can't start before its branch is there. */
function addPrimary(
  world: World,
  project: Project,
  { branch, action }: { branch: BranchRecord; action: string },
): { endpoint: EndpointRecord; operations: OperationRecord[] } {
  const attributes = withInitialValues({ branchId: branch.id }, world.switches);
  const endpoint = newEndpoint(world, project, { ...attributes, type: "read_write" });
  project.endpoints.set(endpoint.id, endpoint);
  const first = world.addBranchOperation(project, branch.id, { action, chain: endpoint.id });
  return { endpoint, operations: [first, ...world.addOperations(project, endpoint, ["start_compute"])] };
}

/**
 * Runs the periodic check of every branch that has a compute (interface 2.3); others are not checked.
 *
 * It waits in the branch's line, not in the compute's, and starts nothing.
 */
export function checkAvailability(world: World, project: Project): OperationRecord[] {
  const checked = new Set([...project.endpoints.values()].map((endpoint) => endpoint.branchId));
  return [...checked].map((branchId) =>
    world.addBranchOperation(project, branchId, { action: "check_availability", chain: branchId }),
  );
}
