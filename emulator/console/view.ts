/**
 * What the console shows, read from the controls: projects, branches, computes and operations.
 */
import type { Controls, EndpointView, ProjectView } from "../controls/controls";
import type { WireOperation } from "../http/wire";

/** What the page shows of one project. */
export interface ConsoleProject {
  readonly project: ProjectView;
  readonly branches: readonly ConsoleBranch[];
  /** The latest, newest first. */
  readonly operations: readonly WireOperation[];
}

export interface ConsoleBranch {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly computes: readonly EndpointView[];
}

/** Operations that fit on a screen beside the computes. */
const shownOperations = 20;

export function toConsoleProjects(controls: Controls): ConsoleProject[] {
  return controls.projects().map((project) => {
    const endpoints = controls.endpoints(project.id);
    const branches = controls.branches(project.id).map(({ id, name }) => ({
      ...{ id, name, isDefault: id === project.default_branch_id },
      computes: endpoints.filter(({ endpoint }) => endpoint.branch_id === id),
    }));
    return { project, branches, operations: controls.operations(project.id).slice(0, shownOperations) };
  });
}
