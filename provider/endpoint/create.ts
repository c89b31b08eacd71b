/**
 * Creating a compute once: its intent goes to disk first, the request goes out once, and where its outcome is
 * unknown the service is asked before anything is sent again.
 */
import type { EndpointChange } from "../api/client";
import { ComputeError, isKind, RequestError } from "../errors";
import { deadlineIn } from "../clock";
import { baselineHoldsMs, clocksDifferMs, createdWithinMs, listServesCreatesMs } from "../timing";
import { sealed, type JournalEntry } from "../writes/journal";
import type { PostEnd } from "../writes/pendingCreates";
import { sendOnce } from "../writes/sendOnce";
import { hasPrimary, refuseSecondPrimary } from "./find";
import type { EndpointInputs } from "./inputs";
import type { EndpointsById } from "./lists";
import { nameUnheldReplicas } from "./leftovers";
import { lookForCreated } from "./recover";
import { settle } from "./settle";
import { toCreateBody, type Declaration, type EndpointState } from "./state";
import { callOptions, keepOnDisk, limitOf, runStep, sendWrite, type Services, type Step } from "./step";
import { existing, takeOver } from "./takeOver";

export async function createEndpoint(services: Services, declaration: Declaration): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { projectId, timeouts, adopt } = inputs;
  // List before taking the permit: reads do not need it, and concurrent creates can share one list.
  const listed = adopt === undefined ? await listForCreate(services, declaration) : undefined;
  return runStep(services, { kind: "create", projectId, resource, timeouts }, async (step) => {
    const there = await existing(step, declaration);
    if (there !== undefined) return takeOver(step, declaration, there);
    const change = await postOnce(step, declaration, await writeIntent(step, declaration, listed));
    const { id } = change.endpoint;
    const ref = { projectId, endpointId: id };
    const target = { doing: `creating compute ${id}`, kind: "change", ref } as const;
    services.holders.hold(ref, resource);
    const state = await settle(step, target, { outcome: change, declaration });
    if (inputs.type === "read_only") await nameUnheldReplicas(step, inputs);
    return state;
  });
}

/** The computes of a project at a moment, on the monotonic clock. */
interface Listed {
  readonly endpoints: EndpointsById;
  readonly atMs: number;
}

/** Part of the step's time, though it comes before the permit. */
async function listForCreate(services: Services, { inputs, resource }: Declaration): Promise<Listed> {
  const { lists, clock, interrupted } = services;
  const atMs = clock.monotonicMs() - listServesCreatesMs;
  const deadline = deadlineIn(limitOf("create", { timeouts: inputs.timeouts, resource }), clock, interrupted);
  return { endpoints: await lists.forCreate(inputs.projectId, callOptions({ deadline, resource })), atMs };
}

/**
 * Writes down what is about to be created, under the permit that sends it: an entry says that its POST may be out.
 *
 * @param listed - before the permit; what came between them is somebody else's.
 */
async function writeIntent(
  step: Step,
  { inputs, resource, replaces }: Declaration,
  listed: Listed | undefined,
): Promise<JournalEntry> {
  const { services } = step;
  const isFresh = listed !== undefined && services.clock.monotonicMs() - listed.atMs < baselineHoldsMs;
  const before = isFresh ? listed.endpoints : await services.lists.now(inputs.projectId, callOptions(step));
  if (inputs.type === "read_write") await refuseSecondPrimary(step, inputs, before);
  const owner = services.ownerOf(resource.id) ?? "";
  services.pendingCreates.announce(owner);
  const intentAtMs = services.clock.now();
  const intent = {
    owner,
    stack: services.ownerOf(resource.stackId),
    title: resource.title,
    projectId: inputs.projectId,
    branchId: inputs.branchId,
    type: inputs.type,
    baseline: [...before.values()]
      .filter((endpoint) => endpoint.branch_id === inputs.branchId)
      .map(({ id }) => id),
    intentAtMs,
    window: windowOf(step, intentAtMs, step.deadline.limitMs),
    replaces: replaces !== undefined,
  };
  await record(step, intent);
  return intent;
}

/** Its compute is known: what was there before, a long list in a large stack, is not asked for any more. */
function named(intent: JournalEntry, endpointId: string): JournalEntry {
  return { ...intent, baseline: [], endpointId };
}

/** When the POST may be carried out: from the intent until `lastsMs` later, and as long as a create takes to show. */
function windowOf(
  { services: { api, clock } }: Step,
  intentAtMs: number,
  lastsMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const serviceNow = api.serviceNow();
  const aheadMs = serviceNow === undefined ? 0 : serviceNow - clock.now();
  // A service's time is told in whole seconds.
  const slackMs = serviceNow === undefined ? clocksDifferMs : 1_000;
  const fromMs = intentAtMs + aheadMs - slackMs;
  return { fromMs, toMs: fromMs + 2 * slackMs + lastsMs + createdWithinMs };
}

async function record({ services, resource }: Step, entry: JournalEntry): Promise<void> {
  if (entry.owner === "") return;
  const seal = (name: "projectId" | "branchId"): string =>
    resource.secrets.includes(name) ? sealed(entry[name]) : entry[name];
  const written = { ...entry, projectId: seal("projectId"), branchId: seal("branchId") };
  await keepOnDisk(resource, () => services.journal.write(written));
}

/** Sends the POST; never again without having looked first. */
async function postOnce(step: Step, { inputs }: Declaration, intent: JournalEntry): Promise<EndpointChange> {
  const change = await sendOnce<EndpointChange>({
    deadline: step.deadline,
    send: () =>
      sendWrite(step, inputs.projectId, {
        request: () => post(step, inputs, intent.owner),
        isTaken: () => hasPrimary(step, inputs),
      }),
    look: async (error) => {
      // The POST is over: what came later is not its work.
      const lastedMs = step.services.clock.now() - intent.intentAtMs;
      const ended = { ...intent, window: windowOf(step, intent.intentAtMs, lastedMs) };
      await record(step, ended);
      const seen = await lookForCreated(step, ended, error);
      return typeof seen === "object" ? { done: { endpoint: seen.done, operations: undefined } } : seen;
    },
    // A refusal of the second POST may be the work of the first.
    isUncertain: (error, sends) => error.outcome === "unknown" || sends > 1,
    mayRepeat: (error) => mayBeSentAgain(inputs, error),
    unknownOutcome: (error) => unknownOutcome(inputs, error),
    refusal: async (error) => {
      await giveUp(step.services, intent);
      return explainRefusal(step, inputs, error);
    },
  });
  await record(step, named(intent, change.endpoint.id));
  return change;
}

async function post(step: Step, inputs: EndpointInputs, owner: string): Promise<EndpointChange> {
  const { api, pendingCreates, config } = step.services;
  const answered = pendingCreates.begin(owner);
  let end: PostEnd = "unknown";
  try {
    const body = toCreateBody(inputs, config.replicaType);
    const change = await api.createEndpoint(inputs.projectId, body, callOptions(step));
    end = { endpointId: change.endpoint.id };
    return change;
  } catch (error) {
    if (error instanceof RequestError && error.outcome !== "unknown") end = "nothing";
    throw error;
  } finally {
    answered(end);
  }
}

/** After looks that show nothing: a primary, since a branch holds one, or where the service said that it did nothing. */
function mayBeSentAgain(inputs: EndpointInputs, error: RequestError): boolean {
  return error.outcome === "unknown" && (inputs.type === "read_write" || isKind(error, "busy"));
}

/** The service said that it created nothing: there is nothing to come back for. */
async function giveUp(services: Services, intent: JournalEntry): Promise<void> {
  if (intent.owner !== "") await services.journal.clear(intent.owner);
}

/** A refusal may mean that the branch has its primary: then the message names it, whatever the status was. */
async function explainRefusal(step: Step, inputs: EndpointInputs, error: unknown): Promise<unknown> {
  // A lock that outlived the project's operations is none.
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
  return new ComputeError({
    doing: `creating a compute on branch ${inputs.branchId} of project ${inputs.projectId}`,
    what: `the outcome is unknown (${cause.problem.what}), and no new compute has shown up so far`,
    requestId: cause.problem.requestId,
    fix: "Run `pulumi up` again: it looks for the compute first and creates one only if there is none",
    cause,
  });
}
