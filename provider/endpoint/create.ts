/**
 * Creating a compute once: its intent goes to disk first, the request goes out once, and where its outcome is
 * unknown the service is asked before anything is sent again.
 */
import type { EndpointChange } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { ComputeError, messageOf, RequestError } from "../errors";
import { adoptionProblem } from "./adopt";
import { finish, unsettledArguments } from "./finish";
import type { EndpointInputs } from "./inputs";
import type { JournalEntry } from "./journal";
import { adoptForReplacement } from "./plan";
import { findCreated, refuseSecondPrimary, waitForCreated } from "./reconcile";
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

/** How long a look at the project holds while a create waits for its turn, in milliseconds. */
const lookHoldsMs = 5_000;

/** @param declared - the inputs after `check`. */
export async function createEndpoint(
  services: Services,
  declared: Readonly<Record<string, unknown>>,
): Promise<CreateResult> {
  const declaration = declarationOf(declared);
  const { inputs, urn } = declaration;
  const { projectId, timeouts } = inputs;
  const plan = { kind: "create", projectId, urn, timeouts } as const;
  // Looking and writing down hold up nobody: the turn is for what the service may lock.
  const there = await existing(services, declaration);
  if (there !== undefined) return inTurn(services, plan, (step) => takeOver(step, declaration, there));
  const written = await writeIntent(services, declaration);
  return inTurn(services, plan, async (step) => {
    const isOld = services.clock.now() - written.intentAtMs > lookHoldsMs;
    const intent = isOld ? await writeIntent(services, declaration) : written;
    const change = await postOnce(step, declaration, intent);
    const { id } = change.endpoint;
    const ref = { projectId, endpointId: id };
    const target = { doing: `creating compute ${id}`, kind: "change", ref } as const;
    return { id, outs: await finish(step, target, { change, declaration }) };
  });
}

/** A compute that this resource is to be, instead of a new one: the one to adopt, or one left behind. */
async function existing(services: Services, declaration: Declaration): Promise<ApiEndpoint | undefined> {
  const { inputs, urn, replaces } = declaration;
  if (inputs.adopt !== undefined) {
    if (replaces !== undefined) throw selfAdoption(inputs.adopt);
    return adoptable(services, inputs, inputs.adopt);
  }
  const left = await leftBehind(services, declaration);
  if (left === undefined) return undefined;
  await services.voice.say(
    urn,
    "info",
    `An earlier run created compute ${left.id} for this resource: it is taken over, not created again.`,
  );
  return left;
}

/** The compute that an earlier run of this resource created and did not live to report. */
async function leftBehind(
  services: Services,
  { inputs, urn, replaces }: Declaration,
): Promise<ApiEndpoint | undefined> {
  const owner = services.ownerOf(urn);
  const entry = owner === undefined ? undefined : await services.journal.find(owner);
  if (entry === undefined) return undefined;
  // The engine replaces what it was told to without a diff: this may be the very compute that goes next.
  if (replaces !== undefined && replaces.endpointId === undefined && entry.endpointId !== undefined) {
    throw mayReplaceItself(entry.endpointId);
  }
  const found = await findCreated(services, entry, await services.reads.listNow(entry.projectId));
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

/** Looks at the project and writes down what is about to be created, before anything is sent. */
async function writeIntent(
  services: Services,
  { inputs, urn, replaces }: Declaration,
): Promise<JournalEntry> {
  const before = await services.reads.listNow(inputs.projectId);
  if (inputs.type === "read_write") await refuseSecondPrimary(services, inputs, before);
  const intent = {
    owner: services.ownerOf(urn) ?? "",
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
      const change = await sendWrite(step, inputs.projectId, () => post(step, inputs));
      await record(services, urn, { ...intent, endpointId: change.endpoint.id });
      return change;
    } catch (error) {
      const uncertain = error instanceof RequestError && (error.outcome === "unknown" || sends > 1);
      if (!uncertain) {
        await giveUp(services, intent);
        throw await explainRefusal(services, inputs, error);
      }
      const { found, looked } = await waitForCreated(step, intent, error);
      if (found !== undefined) {
        await record(services, urn, { ...intent, endpointId: found.id });
        return { endpoint: found, operations: undefined };
      }
      // Looks that all failed have shown nothing, in either way; nor have those that a deadline cut short.
      const mayGoOn = looked && sends < maxSends && step.deadline.leftMs() > 0;
      if (!mayGoOn || !mayBeSentAgain(inputs, error)) throw unknownOutcome(inputs, error);
    }
  }
}

async function post(step: Step, inputs: EndpointInputs): Promise<EndpointChange> {
  const { api, inFlight, config } = step.services;
  const answered = inFlight.begin();
  let id: string | undefined;
  try {
    const change = await api.createEndpoint(
      inputs.projectId,
      toCreateBody(inputs, config.replicaType),
      callOptions(step),
    );
    id = change.endpoint.id;
    return change;
  } finally {
    answered(id);
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
async function explainRefusal(services: Services, inputs: EndpointInputs, error: unknown): Promise<unknown> {
  // A 423 that outlived the project's operations is no lock.
  const refused =
    error instanceof RequestError &&
    error.outcome === "refused" &&
    (!error.transient || error.status === 423);
  if (!refused || inputs.type !== "read_write") return error;
  const now = await services.reads.listNow(inputs.projectId).catch(() => undefined);
  if (now === undefined) return error;
  return refuseSecondPrimary(services, inputs, now).then(
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
  services: Services,
  inputs: EndpointInputs,
  endpointId: string,
): Promise<ApiEndpoint | undefined> {
  const endpoint = await readOne(services, { projectId: inputs.projectId, endpointId });
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
    : { endpoint, operations: undefined };
  return { id, outs: await finish(step, target, { change, declaration, known: state }) };
}
