/**
 * Creates a compute exactly once: its intent is written to disk first, the request is sent once, and if the result is
 * unknown, the service is asked before anything is sent again.
 */
import type { EndpointChange } from "../../api/client";
import { ComputeError, isKind, RequestError } from "../../errors";
import { deadlineIn } from "../../clock";
import { baselineHoldsMs, listServesCreatesMs } from "../../timing";
import { thisRun } from "../../writes/runs";
import { sendOnce } from "../../writes/sendOnce";
import { beginAttempt, mayHaveCreated, sentOf, type Attempt } from "./attempt";
import { hasPrimary, refuseSecondPrimary } from "./find";
import type { EndpointInputs } from "../planning/inputs";
import type { EndpointsById } from "../listed";
import { lookForCreated } from "./recover";
import { settle } from "./settle";
import { toCreateBody, type Declaration, type EndpointState } from "../state";
import { callOptions, limitOf, sendWrite, type Services, type Step } from "./step";

/** Sends the one POST and waits until the compute is ready. @param before - undefined if the list is too old by now. */
export async function createNew(
  step: Step,
  declaration: Declaration,
  before: ListSnapshot | undefined,
): Promise<EndpointState> {
  const change = await postOnce(step, declaration, await prepare(step, declaration, before));
  const { id } = change.endpoint;
  const ref = { projectId: declaration.inputs.projectId, endpointId: id };
  const target = { doing: `creating compute ${id}`, kind: "change", ref } as const;
  const { state } = await settle({ ...step, ...target }, change, { declaration });
  return state;
}

/** The computes of a project at one moment of the monotonic clock. */
interface ListSnapshot {
  readonly endpoints: EndpointsById;
  readonly atMs: number;
}

/** Counts towards the step's time, though it runs before the permit. */
export async function listForCreate(
  services: Services,
  { inputs, resource }: Declaration,
): Promise<ListSnapshot> {
  const { lists, clock, interrupted } = services;
  const atMs = clock.monotonicMs() - listServesCreatesMs;
  const deadline = deadlineIn(limitOf("create", { timeouts: inputs.timeouts, resource }), clock, interrupted);
  const call = callOptions({ deadline, resource });
  return { endpoints: await lists.within(inputs.projectId, listServesCreatesMs, call), atMs };
}

/**
 * Records what is about to be created and what existed before. It is on disk once the request is sent.
 *
 * @param listed - taken before the permit. A compute that appears in between is someone else's and must not be
 * claimed.
 */
async function prepare(
  step: Step,
  { inputs, resource }: Declaration,
  listed: ListSnapshot | undefined,
): Promise<Attempt> {
  const { services } = step;
  const isFresh = listed !== undefined && services.clock.monotonicMs() - listed.atMs < baselineHoldsMs;
  const before = isFresh ? listed.endpoints : await services.lists.now(inputs.projectId, callOptions(step));
  if (inputs.type === "read_write") await refuseSecondPrimary(step, inputs, before);
  const owner = services.ownerOf(resource.id) ?? "";
  const { projectId, branchId, type } = inputs;
  return beginAttempt(step, {
    owner,
    stack: services.ownerOf(resource.stackId),
    title: resource.title,
    run: thisRun(),
    projectId,
    branchId,
    type,
    sent: sentOf(inputs, resource.secrets),
    baseline: [
      ...[...before.values()].filter((endpoint) => endpoint.branch_id === branchId),
      ...(before.unreadable ?? []),
    ].flatMap(({ id }) => id ?? []),
    intentAtMs: services.clock.now(),
  });
}

/** Sends the POST. It is sent again only after the project's list was checked. */
async function postOnce(step: Step, { inputs }: Declaration, attempt: Attempt): Promise<EndpointChange> {
  const change = await sendOnce<EndpointChange>({
    deadline: step.deadline,
    send: () =>
      sendWrite(step, inputs.projectId, {
        request: () => post(step, inputs, attempt),
        isTaken: () => hasPrimary(step, inputs),
      }),
    look: async (error) => {
      const seen = await lookForCreated(step, attempt.entry(), error);
      return typeof seen === "object" ? { done: { endpoint: seen.done, operations: undefined } } : seen;
    },
    // If the second POST is refused, the first one may be the reason.
    isUncertain: (error, sends) => mayHaveCreated(error) || sends > 1,
    mayRepeat: (error) => mayBeSentAgain(inputs, error),
    unknownOutcome: async (error) => {
      // The second POST may be refused because someone else created a compute after the first.
      const explained = await explainRefusal(step, inputs, error);
      return explained === error ? unknownOutcome(inputs, error) : explained;
    },
    refusal: (error) => explainRefusal(step, inputs, error),
  });
  await attempt.named(change.endpoint.id);
  return change;
}

function post(
  { services, ...step }: Step,
  inputs: EndpointInputs,
  attempt: Attempt,
): Promise<EndpointChange> {
  const body = toCreateBody(inputs, services.config.replicaType);
  return attempt.post((beforeSend) =>
    services.api.createEndpoint(inputs.projectId, body, { ...callOptions(step), beforeSend }),
  );
}

/**
 * If no list shows the compute: a primary may be sent again, since a branch has only one; so may a POST that the
 * service says it did not carry out.
 */
function mayBeSentAgain(inputs: EndpointInputs, error: RequestError): boolean {
  return error.outcome === "unknown" && (inputs.type === "read_write" || isKind(error, "busy"));
}

/** A refusal may mean that the branch already has its primary: then the message names it, whatever the status was. */
async function explainRefusal(step: Step, inputs: EndpointInputs, error: unknown): Promise<unknown> {
  // Still "locked" although no operation runs: treat it as a refusal, not as a lock.
  const refused =
    error instanceof RequestError &&
    error.outcome === "refused" &&
    (!error.transient || isKind(error, "locked"));
  if (!refused || inputs.type !== "read_write") return error;
  const list = step.services.lists.now(inputs.projectId, callOptions(step));
  const now = await list.catch(() => undefined);
  if (now === undefined) return error;
  return refuseSecondPrimary(step, inputs, now).then(
    () => error,
    (refusal: unknown) => refusal,
  );
}

function unknownOutcome(inputs: EndpointInputs, cause: RequestError): ComputeError {
  if (cause.isBetween) return refusedBetween(cause);
  return new ComputeError({
    doing: `creating a compute on branch ${inputs.branchId} of project ${inputs.projectId}`,
    what: `the outcome is unknown (${cause.problem.what}), and no new compute has shown up so far`,
    requestId: cause.problem.requestId,
    fix: "Run `pulumi up` again: it looks for the compute first and creates one only if there is none",
    cause,
  });
}

/** Most likely nothing was done, but only the service could have said so. */
function refusedBetween(cause: RequestError): ComputeError {
  const { what, fix } = cause.problem;
  return new ComputeError({
    ...cause.problem,
    what: `${what}, in a form that is not its own, and no new compute has shown up so far`,
    fix: `${fix}. \`pulumi up\` looks for the compute before it creates one`,
    cause,
  });
}
