/**
 * A branch can have only one primary (interface 1): which resource already declares it or has it?
 */
import { listServesMs } from "../model/timing";
import type { ComputePlace, PlannedInputs } from "../model/inputs";
import { isUnknown } from "../model/unknown";
import { besideItsPrimary, declaredTwice, secondPrimary } from "../run/ownership";
import { isSameResource, titleIn, type Resource } from "../run/resource";
import type { NewResource } from "./newResource";
import type { Findings, PlanServices } from "./services";

/** Why a primary is refused: another resource of the program declares the primary of the same branch. */
export function primaryDeclaredTwice(
  { inputs, resource }: { readonly inputs: PlannedInputs; readonly resource: Resource },
  { ownership }: PlanServices,
): string | undefined {
  const branch = primaryPlace(inputs);
  const rival = ownership.declarePrimary(resource, branch);
  return branch && rival && declaredTwice(branch, resource, rival).message;
}

/** The branch whose primary is declared; undefined if the declaration is not a primary, or if its values are not known yet. */
function primaryPlace({ projectId, branchId, type }: PlannedInputs): ComputePlace | undefined {
  if (type !== "read_write" || isUnknown(projectId) || isUnknown(branchId)) return undefined;
  return { projectId, branchId, type };
}

/**
 * Finds the primary that the service lists on the branch of a new primary, for a preview. If another resource of the stack has
 * it, the preview only warns: that resource may leave the branch in the same run, which only the update shows.
 */
export async function findListedPrimary(declared: NewResource, services: PlanServices): Promise<Findings> {
  const { inputs, resource, replaces } = declared;
  const { liveReads, backend, pause, config } = services;
  const branch = primaryPlace(inputs);
  if (branch === undefined || !config.liveFacts || !needsFreeBranch(declared)) return {};
  const listed = async (): Promise<Findings & { readonly id?: string | undefined }> => {
    const read = await liveReads.readLive(branch);
    const id = read.kind === "found" ? read.endpoint.id : undefined;
    return { id: id === replaces?.endpointId ? undefined : id, read };
  };
  const first = await listed();
  if (first.id === undefined) return first;
  const stack = await backend();
  const urn = stack?.holderOf(first.id);
  // The resource itself has this primary: `--replace` and `pulumi state taint` look like a new resource. Say nothing, since the
  // option deleteBeforeReplace decides whether the replacement succeeds.
  if (urn !== undefined && isSameResource(urn, resource.urn ?? "")) return {};
  if (urn !== undefined) {
    const whose = `"${titleIn(urn)}"`;
    const text = `Branch ${branch.branchId} already has a primary (${first.id} of resource ${whose}), and a branch can have only one: this create is refused until that primary is gone.`;
    return { warning: [text, ...besideItsPrimary(whose).map((choice) => `- ${choice}`)].join("\n") };
  }
  // A list may still show a primary that was just deleted.
  await pause(listServesMs);
  const again = await listed();
  if (again.id === undefined) return again;
  const cutOff = stack?.cutOffFor(resource.urn) ?? [];
  const isCutOff = cutOff.some((create) => isSameResource(create.urn, resource.urn ?? ""));
  return { problem: secondPrimary(branch, { primaryId: again.id, isCutOff }).message };
}

/** Whether a preview can say that the create needs a branch without a primary. */
function needsFreeBranch({ inputs, isPreview, replaces }: NewResource): boolean {
  if (!isPreview || inputs.adopt !== undefined) return false;
  // With `--replace`, this run may not know which compute is replaced.
  return replaces === undefined || replaces.endpointId !== undefined;
}
