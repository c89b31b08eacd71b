/**
 * Creates a compute exactly once: its intent is written to disk first, the request is sent once, and if it gets no
 * answer, the service is asked before anything is sent again.
 */
import type { EndpointChange } from "../../../api/client";
import type { ApiEndpoint } from "../../../api/schemas";
import { pollUntil } from "../../../clock";
import { ComputeError, isKind, RequestError } from "../../../pure/errors";
import {
  createShowsAfterMs,
  listServesCreatesMs,
  longestRequestMs,
  secondListMs,
} from "../../../pure/timing";
import type { JournalEntry } from "../../../writes/journal";
import { sealed } from "../../../writes/sealedIds";
import { sendOnce, type WriteResult } from "../../../writes/sendOnce";
import type { EndpointInputs } from "../../planning/inputs";
import { toCreateBody, toState, unsettledArguments, type Declaration, type EndpointState } from "../../state";
import { primaryOn, type EndpointsById } from "../../listed";
import { namesOf } from "../../ownership";
import { secondPrimary } from "../../planning/primaries";
import { hasPrimary } from "../find";
import { settle } from "../settle";
import { callOptions, keepOnDisk, sendWrite, type Step } from "../step";
import { candidatesOf, hasOthersOpen, undecided } from "./candidates";
import { withoutAnswer } from "./unfinished";

/** Sends the one POST and waits until the compute is ready. */
export async function createOnce(step: Step, declaration: Declaration): Promise<EndpointState> {
  const { inputs } = declaration;
  const intent = await writeIntent(step, declaration);
  const { openCreates } = step.services;
  openCreates.add(inputs);
  const change = await postOnce(step, inputs, intent);
  const { id, created_at: createdAt } = change.endpoint;
  const ref = { projectId: inputs.projectId, endpointId: id };
  step.services.ownership.take(ref, step.resource);
  openCreates.delete(inputs);
  await record(step, { ...intent, baseline: [], endpointId: id, createdAt: createdAt ?? undefined });
  const target = { doing: `creating compute ${id}`, kind: "change", ref } as const;
  const { state } = await settle({ ...step, ...target }, change, { declaration });
  return state;
}

/** Records what is about to be created, and what is on the branch. It is on disk before the request is sent. */
async function writeIntent(step: Step, { inputs, resource }: Declaration): Promise<JournalEntry> {
  const { services } = step;
  const { projectId, branchId, type } = inputs;
  const before = await services.lists.recent({ projectId }, callOptions(step), listServesCreatesMs);
  const refusal = await primaryRefusal(step, inputs, before);
  if (refusal !== undefined) throw refusal;
  const onBranch = [...before.values()].filter((endpoint) => endpoint.branch_id === branchId);
  const intent: JournalEntry = {
    owner: services.ownerOf(resource.id) ?? "",
    stack: services.ownerOf(resource.stackId),
    title: resource.title,
    projectId: resource.secrets.includes("projectId") ? sealed(projectId) : projectId,
    branchId: resource.secrets.includes("branchId") ? sealed(branchId) : branchId,
    type,
    baseline: [...onBranch, ...(before.unreadable ?? [])].flatMap(({ id }) => id ?? []),
    intentAtMs: services.clock.now(),
  };
  await record(step, intent);
  return intent;
}

/** A resource without an id has no entry: no later run could find it. */
async function record({ services, resource }: Step, entry: JournalEntry): Promise<void> {
  if (entry.owner !== "") await keepOnDisk(resource, () => services.journal.write(entry));
}

/** Sends the POST. It is sent again only after the project's list was checked. */
async function postOnce(step: Step, inputs: EndpointInputs, intent: JournalEntry): Promise<EndpointChange> {
  const { api, config, journal, openCreates } = step.services;
  const { projectId } = inputs;
  const body = toCreateBody(inputs, config.replicaType);
  /** Computes that a POST without an answer may have created; undefined until there is such a POST. */
  let candidates: readonly ApiEndpoint[] | undefined;
  return sendOnce<EndpointChange>({
    deadline: step.deadline,
    send: () =>
      sendWrite(step, projectId, {
        request: () => api.createEndpoint(projectId, body, callOptions(step)),
        isTaken: () => hasPrimary(step, inputs),
      }),
    checkResult: async (error) => {
      const seen = await lookForCreated(step, inputs, { intent, error });
      candidates = seen.candidates;
      return seen.result;
    },
    // A gateway that refuses may have passed the request on. If the second POST is refused, the first one may be the
    // reason.
    isUncertain: ({ outcome, isBetween }) => outcome === "unknown" || isBetween || candidates !== undefined,
    // A branch has one primary, so the service refuses a second POST if the first was carried out. `busy` says that
    // nothing was done.
    mayRepeat: (error) =>
      error.outcome === "unknown" &&
      candidates?.length === 0 &&
      (inputs.type === "read_write" || isKind(error, "busy")),
    unknownOutcome: async (error) => {
      if (candidates !== undefined && candidates.length > 0) {
        const lost = withoutAnswer(journal, intent, "this run");
        return undecided({ ...lost, ...inputs }, candidates, { inputs, cause: error });
      }
      // The second POST may be refused because someone else created a compute after the first.
      const explained = await explainRefusal(step, inputs, error);
      return explained === error ? unknownOutcome(inputs, error) : explained;
    },
    refusal: async (error) => {
      // Nothing was created, so nobody has to check.
      if (candidates === undefined) {
        openCreates.delete(inputs);
        if (intent.owner !== "") await journal.clear(intent.owner);
      }
      return explainRefusal(step, inputs, error);
    },
  });
}

/**
 * Lists until a compute appears that only this create can have made: the only one on its branch of its type that was
 * not there before, with the declared settings, while no other create of this machine on the branch waits for an answer.
 * The row says so, since somebody else may have created the same at the same moment.
 */
async function lookForCreated(
  step: Step,
  inputs: EndpointInputs,
  { intent, error }: { readonly intent: JournalEntry; readonly error: RequestError },
): Promise<{ readonly result: WriteResult<EndpointChange>; readonly candidates: readonly ApiEndpoint[] }> {
  const { resource, deadline } = step;
  const startMs = deadline.elapsedMs();
  let seen: Seen | undefined;
  await pollUntil(deadline, createShowsAfterMs, {
    poll: async () => {
      resource.row.progress("no answer to the create: looking for the compute");
      // A service with problems may fail a list as well: the next one counts.
      seen = (await lookOnce(step, inputs, intent).catch(() => undefined)) ?? seen;
      return seen;
    },
    isEnough: (now) => now?.created !== undefined,
  });
  const { candidates = [], created } = seen ?? {};
  if (created !== undefined) {
    await resource.row.say(
      "warning",
      `The create got no answer. Compute ${created.id} is on the branch since, with the declared settings: this resource takes it as its own. If somebody else created it at the same moment, run \`pulumi state delete\` for this resource before you change it.`,
    );
    return { result: { done: { endpoint: created, operations: undefined } }, candidates };
  }
  // "Not done" is certain only after the service's Retry-After has passed as well.
  const leftMs = Math.min(error.retryAfterMs ?? 0, longestRequestMs) - (deadline.elapsedMs() - startMs);
  if (leftMs > 0) await deadline.wait(Math.min(leftMs, Math.max(deadline.leftMs(), 0)));
  return { result: seen === undefined ? "cannot tell" : "not done", candidates };
}

interface Seen {
  readonly candidates: readonly ApiEndpoint[];
  /** The one that only this create can have made. */
  readonly created: ApiEndpoint | undefined;
}

async function lookOnce(
  { services, resource, ...step }: Step,
  inputs: EndpointInputs,
  intent: JournalEntry,
): Promise<Seen> {
  const { lists, ownership } = services;
  const { projectId } = inputs;
  const now = await lists.now(projectId, callOptions({ ...step, resource }));
  // Read before the candidates: a create that gets its answer in between is found either here or there.
  // The journal has those of other processes: two providers of one program, or two stacks.
  const noted = (await services.journal.all()).filter(({ owner }) => owner !== intent.owner);
  const isOpen = ({ endpointId }: JournalEntry): boolean => endpointId === undefined;
  const isAlone = !hasOthersOpen([...services.openCreates, ...noted.filter(isOpen)], inputs);
  const candidates = await candidatesOf(services, intent, now);
  const [only, ...more] = candidates;
  const isCertain =
    only !== undefined &&
    more.length === 0 &&
    isAlone &&
    unsettledArguments(toState(only, { inputs }), inputs).length === 0 &&
    ownership.takeFree({ projectId, endpointId: only.id }, resource);
  return { candidates, created: isCertain ? only : undefined };
}

/**
 * A branch has at most one primary (interface 1). An existing primary is never taken over without `adopt`: every
 * default branch comes with one, and a later destroy would delete it.
 */
async function primaryRefusal(
  step: Step,
  inputs: EndpointInputs,
  before: EndpointsById,
): Promise<ComputeError | undefined> {
  const { resource, services } = step;
  const { branchId, projectId, type } = inputs;
  if (type !== "read_write" || primaryOn(branchId, before) === undefined) return undefined;
  // A list may still show a primary that was just deleted.
  await services.clock.sleep(secondListMs);
  const primary = primaryOn(branchId, await services.lists.now(projectId, callOptions(step)));
  if (primary === undefined) return undefined;
  const other = services.ownership.holderOf({ projectId, endpointId: primary.id }, resource);
  return secondPrimary(inputs, { primaryId: primary.id, whose: other && namesOf(other, resource)[0] });
}

/** A refusal may mean that the branch already has its primary: then the message names it, whatever the status was. */
async function explainRefusal(step: Step, inputs: EndpointInputs, error: unknown): Promise<unknown> {
  const isRefused = error instanceof RequestError && error.outcome === "refused";
  if (!isRefused || inputs.type !== "read_write") return error;
  const now = await step.services.lists.now(inputs.projectId, callOptions(step)).catch(() => undefined);
  return (now && (await primaryRefusal(step, inputs, now))) ?? error;
}

/** The POST got no answer, and no list shows a compute that it may have created. */
function unknownOutcome(inputs: EndpointInputs, cause: RequestError): ComputeError {
  const { what, fix } = cause.problem;
  const unseen = "and no new compute has shown up so far";
  // Most likely nothing was done, but only the service could have said so.
  if (cause.isBetween)
    return new ComputeError({
      ...cause.problem,
      what: `${what}, in a form that is not its own, ${unseen}`,
      fix: `${fix}. \`pulumi up\` looks for the compute before it creates one`,
      cause,
    });
  return new ComputeError({
    doing: `creating a compute on branch ${inputs.branchId} of project ${inputs.projectId}`,
    what: `the outcome is unknown (${what}), ${unseen}`,
    requestId: cause.problem.requestId,
    fix: "Run `pulumi up` again: it looks for the compute first and creates one only if there is none",
    cause,
  });
}
