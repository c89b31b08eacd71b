/**
 * What the console shows, read from the controls: projects, branches, computes and operations.
 */
import type { Controls } from "../../service/controls/controls";
import type { BranchView, EndpointView, ProjectView } from "../../service/controls/views";
import type { WireOperation } from "../../service/http/wire";

/** What the page shows of one project. */
export interface ConsoleProject {
  readonly project: ProjectView;
  readonly branches: readonly ConsoleBranch[];
  /** The latest operations, newest first. */
  readonly operations: readonly ConsoleOperation[];
  /** How many computes it has, and in which states. */
  readonly counts: string;
}

export interface ConsoleBranch {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  /** The primary first. */
  readonly computes: readonly EndpointView[];
}

export interface ConsoleOperation {
  readonly operation: WireOperation;
  /** Name of the compute or branch that the operation is about; its id if it was deleted. */
  readonly about: string;
}

/** How many operations fit on a screen beside the computes. */
const shownOperations = 20;

export function toConsoleProjects(controls: Controls): ConsoleProject[] {
  return controls.projects().map((project) => {
    const endpoints = controls.endpoints(project.id);
    const views = controls.branches(project.id);
    const branches = views.map(({ id, name }) => ({
      ...{ id, name, isDefault: id === project.default_branch_id },
      computes: primaryFirst(endpoints.filter(({ endpoint }) => endpoint.branch_id === id)),
    }));
    const latest = controls.operations(project.id).slice(0, shownOperations);
    const operations = latest.map((operation) => ({
      operation,
      about: aboutOf(operation, endpoints, views),
    }));
    return { project, branches, operations, counts: countsOf(endpoints) };
  });
}

function primaryFirst(views: readonly EndpointView[]): EndpointView[] {
  const isPrimary = ({ endpoint }: EndpointView): boolean => endpoint.type === "read_write";
  return [...views.filter(isPrimary), ...views.filter((view) => !isPrimary(view))];
}

/** The name of the resource that declares the compute, or else its own name, or else its id. */
export function nameOfCompute({ endpoint, resource }: EndpointView): string {
  return resource ?? endpoint.name ?? endpoint.id;
}

function aboutOf(
  { endpoint_id: endpointId, branch_id: branchId }: WireOperation,
  endpoints: readonly EndpointView[],
  branches: readonly BranchView[],
): string {
  const view = endpoints.find(({ endpoint }) => endpoint.id === endpointId);
  if (view) return nameOfCompute(view);
  return endpointId ?? branches.find(({ id }) => id === branchId)?.name ?? branchId;
}

/** `3 computes: 2 active, 1 idle; 5 connections`. */
function countsOf(endpoints: readonly EndpointView[]): string {
  const states = new Map<string, number>();
  for (const { endpoint } of endpoints)
    states.set(endpoint.current_state, (states.get(endpoint.current_state) ?? 0) + 1);
  const ofStates = [...states].map(([state, count]) => `${count} ${state}`).join(", ");
  const total = `${endpoints.length} ${endpoints.length === 1 ? "compute" : "computes"}`;
  const hosted = endpoints.flatMap(({ activity }) => (activity ? [activity.connections] : []));
  const connections = hosted.reduce((sum, count) => sum + count, 0);
  const ofClients =
    hosted.length > 0 ? `; ${connections} ${connections === 1 ? "connection" : "connections"}` : "";
  return `${total}${ofStates === "" ? "" : `: ${ofStates}`}${ofClients}`;
}
