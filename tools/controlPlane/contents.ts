/**
 * The content of the local control plane, for the commands that use it.
 */
import type { Emulator, EndpointView } from "../../emulator/index";
import { resourceNames } from "../resourceNames";

/** The ids that the quickstart's configuration names. */
export type Quickstart = Readonly<Record<"projectId" | "defaultBranchId" | "branchId", string>>;

/** A compute, with what people call it. */
export interface NamedCompute extends EndpointView {
  readonly branchName: string;
}

/**
 * A project with two branches, created if needed: the default branch, which has a primary compute, and one without
 * computes.
 */
export function quickstartOn(emulator: Emulator): Quickstart {
  const named = <T extends { name: string }>(list: readonly T[], name: string): T | undefined =>
    list.find((candidate) => candidate.name === name);

  const project =
    named(emulator.projects(), "quickstart") ?? emulator.createProject({ name: "quickstart" }).project;
  const branch =
    named(emulator.branches(project.id), "preview") ??
    emulator.createBranch(project.id, { name: "preview", compute: false }).branch;
  return { projectId: project.id, defaultBranchId: project.default_branch_id, branchId: branch.id };
}

/**
 * The computes, with the present names of their resources in the stacks' states. Those of the default branch come last,
 * since that branch came with a compute that no stack declares.
 */
export function computesOn(emulator: Emulator): NamedCompute[] {
  emulator.nameResources(resourceNames());
  return emulator.projects().flatMap(({ id, default_branch_id }) => {
    const names = new Map(emulator.branches(id).map((branch) => [branch.id, branch.name]));
    const named = emulator.endpoints(id).map((view) => {
      const { branch_id } = view.endpoint;
      return { ...view, branchName: names.get(branch_id) ?? branch_id };
    });
    const rank = ({ endpoint }: EndpointView): number => Number(endpoint.branch_id === default_branch_id);
    return named.sort((one, other) => rank(one) - rank(other));
  });
}
