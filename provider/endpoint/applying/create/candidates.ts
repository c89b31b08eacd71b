/**
 * What a create without an answer may have made: computes that are named, and never taken over across runs.
 */
import type { ApiEndpoint } from "../../../api/schemas";
import { ComputeError } from "../../../errors";
import type { JournalEntry } from "../../../writes/journal";
import { isSameId, isSealed } from "../../../writes/sealedIds";
import { unreadableIn, type EndpointsById } from "../../listed";
import type { ComputePlace } from "../../planning/inputs";
import { computeTypeOf } from "../../state";
import type { Services } from "../step";

/**
 * The computes that a create without an answer may have made: on its branch, of its type, not there before, and of no
 * other resource that this run or the journal knows.
 *
 * @throws RequestError if a compute that cannot be read may be one of them.
 */
export async function candidatesOf(
  { journal, ownership }: Pick<Services, "journal" | "ownership">,
  { owner, branchId, type, baseline }: JournalEntry,
  now: EndpointsById,
): Promise<readonly ApiEndpoint[]> {
  const unreadable = unreadableIn(now, (id) => !baseline.includes(id));
  if (unreadable !== undefined) throw unreadable;
  // Read before it is asked who holds a compute: a create that learns its id in between is found either here or there.
  const others = await journal.others(owner);
  const later = [...now.values()].filter(
    ({ id, branch_id, type: wireType }) =>
      isSameId(branch_id, branchId) &&
      computeTypeOf(wireType) === type &&
      !baseline.includes(id) &&
      !others.some(({ endpointId }) => endpointId === id),
  );
  const free = await Promise.all(
    later.map(({ id, project_id }) => ownership.isFree({ projectId: project_id, endpointId: id })),
  );
  return later.filter((_, index) => free[index]);
}

/** The most computes that one message names: other teams may create many replicas of a branch. */
const mostNamed = 10;

/**
 * The error that names computes which a create without an answer may have made.
 *
 * @param inputs - what the program declares now: a compute of another place cannot be adopted.
 */
export function undecided(
  entry: Pick<JournalEntry, "projectId" | "branchId" | "type">,
  candidates: readonly ApiEndpoint[],
  { by, inputs, cause }: Undecided,
): ComputeError {
  const ids = candidates.map(({ id }) => id);
  const named = ids.slice(0, mostNamed);
  const more = ids.length > mostNamed ? `, and ${ids.length - mostNamed} more` : "";
  const isOne = ids.length === 1;
  const isThere = (["projectId", "branchId", "type"] as const).every((name) =>
    isSameId(entry[name], inputs[name]),
  );
  const lines = named.map((id) => `adopt: "${id}"`).join(" or ");
  const maker = by === "this run" ? "this create" : "an earlier run of this stack";
  const adopting = isThere ? "add" : "put the old project, branch and type back, and add";
  const another =
    isThere && entry.type === "read_write"
      ? "use another branch: a branch has one primary"
      : `run \`pulumi up\` once with ${createsAgain} in the environment, which creates another one`;
  return new ComputeError({
    doing: `creating a ${entry.type} compute on ${placeText(entry)}`,
    what: `the create of ${by} got no answer, and ${named.join(", ")}${more} ${isOne ? "is" : "are"} on the branch since`,
    fix: `If ${maker} made ${isOne ? "it" : "one of them"}, ${adopting} the line ${lines}, and with it the option retainOnDelete: false if a destroy shall delete it; both can go after that \`pulumi up\`. If not, ${another}`,
    cause,
  });
}

interface Undecided {
  readonly by: "this run" | "an earlier run";
  readonly inputs: ComputePlace;
  readonly cause?: unknown;
}

/** How the user says that no compute of those is the resource's. */
export const createsAgain = "COMPUTE_UNANSWERED_CREATE=create";

/** `branch br-a of project p`; secret ids stay hidden. */
export function placeText({ projectId, branchId }: Pick<JournalEntry, "projectId" | "branchId">): string {
  const branch = isSealed(branchId) ? "another branch" : `branch ${branchId}`;
  return `${branch} of ${isSealed(projectId) ? "another project" : `project ${projectId}`}`;
}
