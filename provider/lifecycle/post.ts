/**
 * The POST of a create, sent once: if it gets no answer, the service is asked before anything is sent again.
 */
import type { EndpointChange, EndpointsById } from "../service/client";
import type { ApiEndpoint } from "../service/schemas";
import { pollUntil } from "../clock";
import { ComputeError, isKind, RequestError } from "../model/errors";
import { createShowsAfterMs, secondListMs, serviceClocksDifferMs, timeOf } from "../model/timing";
import { writeOnce } from "../service/writeOnce";
import type { EndpointInputs } from "../model/inputs";
import { toCreateBody, toState, unsettledArguments } from "../model/state";
import { primaryOn } from "../service/lists";
import { namesOf, secondPrimary } from "../run/ownership";
import { hasPrimary } from "./find";
import { callOptions, writeOptions, type Step } from "./step";
import { findCandidates, candidatesError, openCreatesAt } from "./candidates";

/** What existed before the POST, and so cannot be its result. */
interface Baseline {
  /** The ids of the branch's computes, and of the computes that cannot be read. */
  readonly ids: readonly string[];
  /** The service's time right before the POST; undefined if the service does not state its time. */
  readonly atMs: number | undefined;
}

/**
 * Sends the POST. Until it is answered, any new compute on the branch may be its result, so no other create takes a new compute
 * there.
 *
 * @param before - the computes of the project before the POST.
 */
export async function post(
  step: Step,
  inputs: EndpointInputs,
  before: EndpointsById,
): Promise<EndpointChange> {
  const { openCreates, ownership } = step.run;
  const { projectId, branchId } = inputs;
  const onBranch = [...before.values()].filter((endpoint) => endpoint.branch_id === branchId);
  const ids = [...onBranch, ...(before.unreadable ?? [])].flatMap(({ id }) => id ?? []);
  openCreates.add(inputs);
  const change = await postOnce(step, inputs, { ids, atMs: step.service.api.serviceNow() });
  ownership.take({ projectId, endpointId: change.endpoint.id }, step.resource);
  openCreates.delete(inputs);
  return change;
}

/** Sends the POST, and sends it again only after checking the project's list. */
function postOnce(step: Step, inputs: EndpointInputs, baseline: Baseline): Promise<EndpointChange> {
  const { api, config } = step.service;
  const { projectId } = inputs;
  const body = toCreateBody(inputs, config.service);
  /** What the lists showed after a POST without an answer; undefined until a POST gets no answer. */
  /** What lists showed after a POST without an answer; undefined as long as each POST was answered. */
  let look: Look | undefined;
  return writeOnce<EndpointChange>({
    deadline: step.deadline,
    send: () =>
      api.createEndpoint(
        projectId,
        body,
        writeOptions(step, () => hasPrimary(step, inputs)),
      ),
    checkResult: async () => {
      look = await lookForCreated(step, inputs, baseline);
      if (look.created !== undefined) return { done: { endpoint: look.created, operations: undefined } };
      return look.isListed && look.candidates.length === 0 ? "not done" : "cannot tell";
    },
    // A gateway that refuses a request may have passed it on. If the second POST is refused, the first one may be the
    // reason.
    isUncertain: ({ outcome, isFromBetween }) => outcome === "unknown" || isFromBetween || look !== undefined,
    // A branch can have only one primary, so the service refuses a second POST if the first was carried out. The POST of a
    // replica is repeated only after a 503 and lists without a new compute: together they say that nothing was done.
    mayRepeat: (error) =>
      error.outcome === "unknown" && (inputs.type === "read_write" || isKind(error, "busy")),
    unknownOutcome: async (error) => {
      if (look !== undefined && look.candidates.length > 0) {
        const lost = {
          ...inputs,
          what: "the create of this run got no answer",
          otherwise:
            inputs.type === "read_write"
              ? "use another branch, since a branch can have only one primary."
              : "run `pulumi up` again, which creates another one.",
        };
        return candidatesError(lost, look.candidates, { inputs, cause: error });
      }
      // The second POST may be refused because someone else created a compute after the first POST.
      const explained = await explainRefusal(step, inputs, error);
      return explained === error ? noCandidateError(inputs, error, look?.isListed === true) : explained;
    },
    refusal: async (error) => {
      // Nothing was created, so the create is no longer open.
      if (look === undefined) step.run.openCreates.delete(inputs);
      return explainRefusal(step, inputs, error);
    },
  });
}

/**
 * Reads lists until a compute appears that this create has most likely made. It must be the only new compute of its type on the
 * branch, created since the POST and as declared, and no other create of this run may be open there. The row says so, since
 * somebody else may have created an equal compute at the same moment.
 */
async function lookForCreated(step: Step, inputs: EndpointInputs, baseline: Baseline): Promise<Look> {
  const { resource, deadline } = step;
  let seen = nothingSeen;
  await pollUntil(deadline, createShowsAfterMs, {
    poll: async () => {
      resource.row.progress("no answer to the create: looking for the compute");
      // A service in trouble may fail a list as well. The next list counts.
      seen = await lookOnce(step, inputs, baseline).catch(() => ({ ...seen, isListed: false }));
      return seen;
    },
    isEnough: (now) => now.created !== undefined,
  });
  if (seen.created !== undefined)
    await resource.row.say(
      "warning",
      `The create got no answer. Since then, compute ${seen.created.id} has appeared on the branch with the declared settings, so this resource takes it over. If somebody else created that compute at the same moment, run \`pulumi state delete\` for this resource before you change the resource.`,
    );
  return seen;
}

interface Look {
  /** Whether the last list could be read. Earlier lists may be too early to show the compute. */
  readonly isListed: boolean;
  /** The computes that the create may have made, according to the last readable list. */
  readonly candidates: readonly ApiEndpoint[];
  /** The compute that this create has made; undefined if that is not certain. */
  readonly created: ApiEndpoint | undefined;
}

const nothingSeen: Look = { isListed: false, candidates: [], created: undefined };

async function lookOnce(step: Step, inputs: EndpointInputs, { ids, atMs = NaN }: Baseline): Promise<Look> {
  const { service, run } = step;
  const { projectId } = inputs;
  const now = await service.listComputes({ projectId }, callOptions(step));
  // Two provider processes do not know of each other's creates.
  const isAlone = openCreatesAt(run, inputs) === 1 && run.backend.known()?.hasOneProvider !== false;
  const candidates = findCandidates(run, { ...inputs, baseline: ids }, now);
  const [only, ...more] = candidates;
  const isCertain =
    only !== undefined &&
    more.length === 0 &&
    isAlone &&
    // A compute that was created before the POST is not its result, even if the list before the POST was late and missed it.
    !(timeOf(only.created_at) < atMs - serviceClocksDifferMs) &&
    unsettledArguments(toState(only, { inputs }), inputs).length === 0;
  if (!isCertain) return { isListed: true, candidates, created: undefined };
  // Take the compute at once, so that it is no longer a candidate of another create.
  run.ownership.take({ projectId, endpointId: only.id }, step.resource);
  return { isListed: true, candidates, created: only };
}

/**
 * A branch has at most one primary (interface 1). An existing primary is never taken over without `adopt`: every default branch
 * comes with one, and a later destroy would delete it.
 */
export async function primaryRefusal(
  step: Step,
  inputs: EndpointInputs,
  before: EndpointsById,
): Promise<ComputeError | undefined> {
  const { resource, service, run } = step;
  const { branchId, projectId } = inputs;
  const isThere = (primary: ApiEndpoint | undefined): primary is ApiEndpoint =>
    primary !== undefined && !run.deleted.has(primary.id);
  if (!isThere(primaryOn(branchId, before))) return undefined;
  // A list may still show a primary that somebody else has just deleted.
  await service.clock.sleep(secondListMs);
  const primary = primaryOn(branchId, await service.listComputes({ projectId }, callOptions(step)));
  if (!isThere(primary)) return undefined;
  const other = run.ownership.holderOf({ projectId, endpointId: primary.id }, resource);
  return secondPrimary(inputs, { primaryId: primary.id, whose: other && namesOf(other, resource)[0] });
}

/** Whatever its status, a refusal may mean that the branch already has a primary. If so, the message names that primary. */
async function explainRefusal(step: Step, inputs: EndpointInputs, error: unknown): Promise<unknown> {
  const isRefused = error instanceof RequestError && error.outcome === "not done";
  if (!isRefused || inputs.type !== "read_write") return error;
  const now = await step.service
    .listComputes({ projectId: inputs.projectId }, callOptions(step))
    .catch(() => undefined);
  const refusal = now && (await primaryRefusal(step, inputs, now));
  return refusal === undefined ? error : new ComputeError({ ...refusal.problem, cause: error });
}

/** The error for a POST without an answer, if no list shows a compute that it may have created. */
function noCandidateError(inputs: EndpointInputs, cause: RequestError, isListed: boolean): ComputeError {
  const { what, fix } = cause.problem;
  const unseen = isListed
    ? "and no new compute has shown up so far"
    : "and the computes of the project could not be listed";
  // Most likely nothing was done. But the answer is not the service's own, so the user has to check first.
  if (cause.isFromBetween)
    return new ComputeError({
      ...cause.problem,
      what: `${what}, but not in its own format (a gateway or proxy may have answered), ${unseen}`,
      fix: `First check at the service whether the branch has a new compute. ${fix}`,
      cause,
    });
  return new ComputeError({
    doing: `creating a compute on branch ${inputs.branchId} of project ${inputs.projectId}`,
    what: `the outcome is unknown (${what}), ${unseen}`,
    requestId: cause.problem.requestId,
    fix:
      inputs.type === "read_write"
        ? "Run `pulumi up` again. It cannot create a second primary: a branch can have only one"
        : "Run `pulumi preview`: it names recent replicas (up to ten minutes old) that this stack does not have, with the line that adopts one. Unless you add that line to the program, the next `pulumi up` creates another replica",
    cause,
  });
}
