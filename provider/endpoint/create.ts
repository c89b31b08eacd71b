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
import { adoptForReplacement, splitHidden, type HiddenInputs } from "./plan";
import { findCreated, refuseSecondPrimary, waitForCreated } from "./reconcile";
import { toCreateBody, toState, toUpdateBody, type Declaration, type EndpointState } from "./state";
import { callOptions, declarationOf, inTurn, readOne, sendWrite, type Services, type Step } from "./step";
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
  const { projectId, timeouts, adopt } = declaration.inputs;
  const replaced = splitHidden(declared).hidden.__replaces;
  const plan = { kind: "create", projectId, urn: declaration.urn, timeouts } as const;
  return inTurn(services, plan, async (step) => {
    if (adopt !== undefined) {
      if (replaced !== undefined) throw selfAdoption(adopt);
      return takeOver(step, declaration, await adoptable(step, declaration.inputs, adopt));
    }
    const left = await leftBehind(step, declaration, replaced);
    if (left !== undefined) {
      await services.voice.say(
        declaration.urn,
        "info",
        `An earlier run created compute ${left.id} for this resource: it is taken over, not created again.`,
      );
      return takeOver(step, declaration, left);
    }
    const change = await postOnce(
      step,
      declaration,
      await writeIntent(step, declaration, replaced !== undefined),
    );
    const { id } = change.endpoint;
    const target = { doing: `creating compute ${id}`, ref: { projectId, endpointId: id } };
    return { id, outs: await finish(step, target, { change, declaration }) };
  });
}

/** The compute that an earlier run of this resource created and did not live to report. */
async function leftBehind(
  step: Step,
  { inputs, urn }: Declaration,
  replaced: HiddenInputs["__replaces"],
): Promise<ApiEndpoint | undefined> {
  const { services } = step;
  const owner = services.ownerOf(urn);
  const entry = owner === undefined ? undefined : await services.journal.find(owner);
  if (entry === undefined) return undefined;
  // The engine replaces what it was told to without a diff: this may be the very compute that goes next.
  if (replaced !== undefined && replaced.endpointId === undefined && entry.endpointId !== undefined) {
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
  step: Step,
  { inputs, urn }: Declaration,
  replaces: boolean,
): Promise<JournalEntry> {
  const { services } = step;
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
    replaces,
  };
  await record(step, intent);
  return intent;
}

/** A journal that cannot be written is a risk, not a reason to stop. */
async function record(step: Step, entry: JournalEntry): Promise<void> {
  if (entry.owner === "") return;
  try {
    await step.services.journal.write(entry);
  } catch (error) {
    const text = `The journal of creates cannot be written (${messageOf(error)}): a run that is killed now may leave its compute behind. COMPUTE_JOURNAL_FOLDER names another folder.`;
    await step.services.voice.say(step.urn, "warning", text);
  }
}

/** POSTs sent for one create, each but the first after looks that show nothing new on the branch. */
const maxSends = 3;

/** Sends the POST; never again without having looked first. */
async function postOnce(step: Step, { inputs }: Declaration, intent: JournalEntry): Promise<EndpointChange> {
  const { services } = step;
  for (let sends = 1; ; sends++) {
    try {
      const change = await sendWrite(step, inputs.projectId, () => post(step, inputs));
      await record(step, { ...intent, endpointId: change.endpoint.id });
      return change;
    } catch (error) {
      const uncertain = error instanceof RequestError && (error.outcome === "unknown" || sends > 1);
      if (!uncertain) {
        await giveUp(services, intent);
        throw await explainRefusal(services, inputs, error);
      }
      const { found, looked } = await waitForCreated(step, intent, error);
      if (found !== undefined) {
        await record(step, { ...intent, endpointId: found.id });
        return { endpoint: found, operations: undefined };
      }
      // Looks that all failed have shown nothing, in either way.
      if (!looked || sends >= maxSends || !mayBeSentAgain(inputs, error)) throw unknownOutcome(inputs, error);
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
async function adoptable(step: Step, inputs: EndpointInputs, endpointId: string): Promise<ApiEndpoint> {
  const endpoint = await readOne(step.services, { projectId: inputs.projectId, endpointId });
  const problem = adoptionProblem(inputs, endpoint);
  if (problem !== undefined || endpoint === undefined) throw problem ?? new Error(`no compute ${endpointId}`);
  return endpoint;
}

/** Makes an existing compute this resource's, and brings it to the declared settings. */
async function takeOver(step: Step, declaration: Declaration, endpoint: ApiEndpoint): Promise<CreateResult> {
  const { inputs } = declaration;
  const { id } = endpoint;
  const target = { doing: `taking over compute ${id}`, ref: { projectId: inputs.projectId, endpointId: id } };
  // Before any wish of the program's: what the service answers, so that only real differences are sent.
  const state = toState(endpoint, {
    ...declaration,
    inputs: { projectId: inputs.projectId, branchId: endpoint.branch_id, type: inputs.type },
  });
  const changed = unsettledArguments(state, inputs);
  const body = toUpdateBody(inputs, changed, state);
  const change =
    Object.keys(body).length === 0
      ? { endpoint, operations: undefined }
      : await patch(step, target, { body, changed, state, declaration });
  return { id, outs: await finish(step, target, { change, declaration, known: state }) };
}
