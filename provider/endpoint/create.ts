/**
 * Creating a compute once: its intent goes to disk first, the request goes out once, and where its outcome is
 * unknown the service is asked before anything is sent again.
 */
import type { EndpointChange } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError, messageOf, RequestError } from "../errors";
import { adoptionProblem } from "./adopt";
import { finish, unsettledArguments } from "./finish";
import type { PostEnd } from "./inFlight";
import type { EndpointInputs } from "./inputs";
import type { JournalEntry } from "./journal";
import { unendedOperations } from "./owed";
import { adoptForReplacement } from "./plan";
import { latelyMs, type EndpointsById } from "./reads";
import { findLeft, refuseSecondPrimary, waitForCreated } from "./reconcile";
import { isPatched, toCreateBody, toState, type Declaration, type EndpointState } from "./state";
import {
  callOptions,
  declarationOf,
  inTurn,
  maxSends,
  readOne,
  sendWrite,
  type Services,
  type Step,
} from "./step";
import { patch } from "./update";

export interface CreateResult {
  readonly id: string;
  readonly outs: EndpointState;
}

/** @param declared - the inputs after `check`. */
export async function createEndpoint(
  services: Services,
  declared: Readonly<Record<string, unknown>>,
): Promise<CreateResult> {
  const declaration = declarationOf(declared);
  const { inputs, urn } = declaration;
  const { projectId, timeouts, adopt } = inputs;
  // Asked ahead, since a turn is for what the service may lock, and shared: creates of this process know of each other.
  const look = adopt === undefined ? await lookAhead(services, projectId) : undefined;
  return inTurn(services, { kind: "create", projectId, urn, timeouts }, async (step) => {
    const there = await existing(step, declaration);
    if (there !== undefined) return takeOver(step, declaration, there);
    const change = await postOnce(step, declaration, await writeIntent(step, declaration, look));
    const { id } = change.endpoint;
    const ref = { projectId, endpointId: id };
    const target = { doing: `creating compute ${id}`, kind: "change", ref } as const;
    return { id, outs: await finish(step, target, { change, declaration }) };
  });
}

/** The computes of a project at a moment, on the monotonic clock. */
interface Look {
  readonly endpoints: EndpointsById;
  readonly atMs: number;
}

async function lookAhead({ reads, clock }: Services, projectId: string): Promise<Look> {
  const atMs = clock.monotonicMs() - latelyMs;
  return { endpoints: await reads.listLately(projectId), atMs };
}

/** A compute that this resource is to be, instead of a new one: the one to adopt, or one left behind. */
async function existing(step: Step, declaration: Declaration): Promise<ApiEndpoint | undefined> {
  const { inputs, urn, replaces } = declaration;
  if (inputs.adopt !== undefined) {
    if (replaces !== undefined) throw selfAdoption(inputs.adopt);
    return adoptable(step, inputs, inputs.adopt);
  }
  const left = await leftBehind(step, declaration);
  if (left === undefined) return undefined;
  await step.services.voice.say(
    urn,
    "info",
    `An earlier run created compute ${left.id} for this resource: it is taken over, not created again.`,
  );
  return left;
}

/** The compute that an earlier run of this resource created and did not live to report. */
async function leftBehind(
  step: Step,
  { inputs, urn, replaces }: Declaration,
): Promise<ApiEndpoint | undefined> {
  const { services } = step;
  const owner = services.ownerOf(urn);
  const entry = owner === undefined ? undefined : await services.journal.find(owner);
  if (entry === undefined) return undefined;
  // The engine replaces what it was told to without a diff: this may be the very compute that goes next.
  if (replaces !== undefined && replaces.endpointId === undefined && entry.endpointId !== undefined) {
    throw mayReplaceItself(entry.endpointId);
  }
  const found = await findLeft(step, entry);
  if (found === undefined) return undefined;
  const same =
    entry.projectId === inputs.projectId && found.branch_id === inputs.branchId && entry.type === inputs.type;
  if (same) return found;
  throw new ComputeError({
    doing: `creating a compute on branch ${inputs.branchId}`,
    what: `an earlier run of this resource created ${entry.type} compute ${found.id} on branch ${found.branch_id} of project ${entry.projectId}, which is no longer in the state, and the program has changed since`,
    fix: `Put the old project, branch and type back for one \`pulumi up\`, which takes ${found.id} over; or, to leave it as it is, remove the note of it: ${noteOf(services, entry.owner)}`,
  });
}

function noteOf(services: Services, owner: string): string {
  return `${services.config.journalFolder}/${owner}.json`;
}

function selfAdoption(endpointId: string): ComputeError {
  const doing = `replacing compute ${endpointId}`;
  return new ComputeError({
    doing,
    what: "it is the one that adopt names",
    fix: `Mind that ${adoptForReplacement}`,
  });
}

function mayReplaceItself(endpointId: string): ComputeError {
  return new ComputeError({
    doing: "replacing a compute",
    what: `compute ${endpointId}, which an earlier run created for this resource, may be the one to be replaced`,
    fix: "Run `pulumi up` once without --replace, which settles what the state holds, then replace it",
  });
}

/** How old a look may be when it is written down what was there before. */
const lookHoldsMs = 1_000;

/**
 * Writes down what is about to be created, in the turn that sends it: an entry says that its POST may be out.
 *
 * @param look - taken before the turn; what came between them is somebody else's.
 */
async function writeIntent(
  step: Step,
  { inputs, urn, replaces }: Declaration,
  look: Look | undefined,
): Promise<JournalEntry> {
  const { services } = step;
  const isFresh = look !== undefined && services.clock.monotonicMs() - look.atMs < lookHoldsMs;
  const before = isFresh ? look.endpoints : await services.reads.listNow(inputs.projectId, callOptions(step));
  if (inputs.type === "read_write") await refuseSecondPrimary(step, inputs, before);
  const owner = services.ownerOf(urn) ?? "";
  services.inFlight.announce(owner);
  const intent = {
    owner,
    projectId: inputs.projectId,
    branchId: inputs.branchId,
    type: inputs.type,
    baseline: [...before.values()]
      .filter((endpoint) => endpoint.branch_id === inputs.branchId)
      .map(({ id }) => id),
    intentAtMs: services.clock.now(),
    replaces: replaces !== undefined,
  };
  await record(services, urn, intent);
  return intent;
}

/** Its compute is known: what was there before, a long list in a large stack, is not asked for any more. */
function named(intent: JournalEntry, endpointId: string): JournalEntry {
  return { ...intent, baseline: [], endpointId };
}

/** A journal that cannot be written is a risk, not a reason to stop. */
async function record(services: Services, urn: string | undefined, entry: JournalEntry): Promise<void> {
  if (entry.owner === "") return;
  try {
    await services.journal.write(entry);
  } catch (error) {
    const text = `The journal of creates cannot be written (${messageOf(error)}): a run that is killed now may leave its compute behind. COMPUTE_JOURNAL_FOLDER names another folder.`;
    await services.voice.say(urn, "warning", text);
  }
}

/** Sends the POST; never again without having looked first. */
async function postOnce(step: Step, { inputs }: Declaration, intent: JournalEntry): Promise<EndpointChange> {
  const { services, urn } = step;
  for (let sends = 1; ; sends++) {
    try {
      const change = await sendWrite(step, inputs.projectId, () => post(step, inputs, intent.owner));
      await record(services, urn, named(intent, change.endpoint.id));
      return change;
    } catch (error) {
      const uncertain = error instanceof RequestError && (error.outcome === "unknown" || sends > 1);
      if (!uncertain) {
        await giveUp(services, intent);
        throw await explainRefusal(step, inputs, error);
      }
      const { found, looked } = await waitForCreated(step, intent, error);
      if (found !== undefined) {
        await record(services, urn, named(intent, found.id));
        return { endpoint: found, operations: undefined };
      }
      // Looks that all failed have shown nothing, in either way; nor have those that a deadline cut short.
      const mayGoOn = looked && sends < maxSends && step.deadline.leftMs() > 0;
      if (!mayGoOn || !mayBeSentAgain(inputs, error)) throw unknownOutcome(inputs, error);
    }
  }
}

async function post(step: Step, inputs: EndpointInputs, owner: string): Promise<EndpointChange> {
  const { api, inFlight, config } = step.services;
  const answered = inFlight.begin(owner);
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
  return error.outcome === "unknown" && (inputs.type === "read_write" || error.status === 503);
}

/** The service said that it created nothing: there is nothing to come back for. */
async function giveUp(services: Services, intent: JournalEntry): Promise<void> {
  if (intent.owner !== "") await services.journal.clear(intent.owner);
}

/** A refusal may mean that the branch has its primary: then the message names it, whatever the status was. */
async function explainRefusal(step: Step, inputs: EndpointInputs, error: unknown): Promise<unknown> {
  // A 423 that outlived the project's operations is no lock.
  const refused =
    error instanceof RequestError &&
    error.outcome === "refused" &&
    (!error.transient || error.status === 423);
  if (!refused || inputs.type !== "read_write") return error;
  const list = step.services.reads.listNow(inputs.projectId, callOptions(step));
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

/** The compute to adopt, if it is what the program says. */
async function adoptable(
  step: Step,
  inputs: EndpointInputs,
  endpointId: string,
): Promise<ApiEndpoint | undefined> {
  const ref = { projectId: inputs.projectId, endpointId };
  const endpoint = await readOne(step.services, ref, callOptions(step));
  const problem = adoptionProblem(inputs, endpoint);
  if (problem !== undefined) throw problem;
  return endpoint;
}

/** Makes an existing compute this resource's, and brings it to the declared settings. */
async function takeOver(step: Step, declaration: Declaration, endpoint: ApiEndpoint): Promise<CreateResult> {
  const { inputs } = declaration;
  const { id } = endpoint;
  const ref = { projectId: inputs.projectId, endpointId: id };
  const target = { doing: `taking over compute ${id}`, kind: "change", ref } as const;
  step.services.inFlight.takeOver(id);
  // Before any wish of the program's: what the service answers, so that only real differences are sent.
  const state = toState(endpoint, {
    ...declaration,
    inputs: { projectId: inputs.projectId, branchId: endpoint.branch_id, type: inputs.type },
  });
  const changed = unsettledArguments(state, inputs);
  const change = isPatched(changed)
    ? await patch(step, target, { changed, state, declaration })
    : // An adopted compute's past is its own; what this resource created has to have started well.
      { endpoint, operations: inputs.adopt === undefined ? undefined : await unendedOperations(step, ref) };
  return { id, outs: await finish(step, target, { change, declaration, known: state }) };
}
