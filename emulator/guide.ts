/**
 * What people type to use the emulator's project: lines to paste, its branches, and how to make more branches.
 */
import type { ProjectView } from "./service/controls/views";
import type { Emulator } from "./emulator";

/** The branch that a new project gets besides its default branch, if no branch is named. */
const usualBranch = "dev";

/** Makes a project if there is none, and each of the named branches that is missing. The branches have no compute. */
export function prepareProject(emulator: Emulator, names: readonly string[]): void {
  const [first] = emulator.projects();
  const { id } = first ?? emulator.createProject().project;
  const known = emulator.branches(id).map(({ name }) => name);
  const wanted = first || names.length > 0 ? names : [usualBranch];
  for (const name of new Set(wanted)) {
    if (!known.includes(name)) emulator.createBranch(id, { name, compute: false });
  }
}

/** How to use each project, as lines for a person. */
export function guideLines(emulator: Emulator): string[] {
  return emulator.projects().flatMap((project) => linesOf(emulator, project));
}

function linesOf(emulator: Emulator, { id, default_branch_id: defaultId }: ProjectView): string[] {
  const computes = emulator.endpoints(id).map(({ endpoint }) => endpoint);
  const primaryOf = (branchId: string): string | undefined =>
    computes.find(({ type, branch_id }) => type === "read_write" && branch_id === branchId)?.id;
  const branches = emulator.branches(id);
  const free = branches.filter((branch) => primaryOf(branch.id) === undefined);
  const chosen = free[0]?.id ?? defaultId;
  return [
    "",
    "Paste these lines in the folder of your Pulumi program:",
    "",
    `export COMPUTE_BASE_URL=${emulator.url}`,
    `export COMPUTE_API_KEY=${quoted(emulator.apiKey)}`,
    `pulumi config set projectId ${id}`,
    `pulumi config set branchId ${chosen}`,
    `pulumi config set defaultBranchId ${defaultId}`,
    "",
    "Branches:",
    ...branches.map(({ id: branchId, name }) => {
      const primary = primaryOf(branchId);
      return `  ${name} ${branchId}, ${primary === undefined ? "without a primary" : `with the primary ${primary}`}`;
    }),
    "After an update, to see your resources' names in the console:",
    `  pulumi stack export | curl -H 'Content-Type: application/json' --data-binary @- ${emulator.url}/_emulator/stack`,
    "To add a branch, start with --branch NAME, or run:",
    `  curl -H 'Content-Type: application/json' -d '{"name":"NAME","compute":false}' ${emulator.url}/_emulator/projects/${id}/branches`,
    "",
  ];
}

/** Quotes a text, so that a shell takes it for one word. */
function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
