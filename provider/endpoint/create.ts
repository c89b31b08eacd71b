/**
 * Creating a compute once: its intent goes to disk first, the request goes out once, and where its outcome is
 * unknown the service is asked before anything is sent again.
 */
import type { EndpointChange } from "../api/client";
import { ComputeError, RequestError } from "../errors";
import { finish } from "./finish";
import type { PostEnd } from "./inFlight";
import type { EndpointInputs } from "./inputs";
import { sealed, type JournalEntry } from "./journal";
import { latelyMs, type EndpointsById } from "./reads";
import { refuseSecondPrimary, waitForCreated } from "./reconcile";
import { toCreateBody, type Declaration } from "./state";
import {
  callOptions,
  declarationOf,
  inTurn,
  keepOnDisk,
  maxSends,
  sendWrite,
  type Services,
  type Step,
} from "./step";
import { existing, takeOver, type CreateResult } from "./takeOver";

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

/** How old a look may be when it is written down what was there before. */
const lookHoldsMs = 1_000;

/**
 * Writes down what is about to be created, in the turn that sends it: an entry says that its POST may be out.
 *
 * @param look - taken before the turn; what came between them is somebody else's.
 */
async function writeIntent(
  step: Step,
  { inputs, urn, replaces, secrets }: Declaration,
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
  await record(step, intent, secrets);
  return intent;
}

/** Its compute is known: what was there before, a long list in a large stack, is not asked for any more. */
function named(intent: JournalEntry, endpointId: string): JournalEntry {
  return { ...intent, baseline: [], endpointId };
}

async function record(
  { services, urn }: Step,
  entry: JournalEntry,
  secrets: readonly string[] = [],
): Promise<void> {
  if (entry.owner === "") return;
  const written = {
    ...entry,
    ...(secrets.includes("projectId") ? { projectId: sealed(entry.projectId) } : {}),
    ...(secrets.includes("branchId") ? { branchId: sealed(entry.branchId) } : {}),
  };
  await keepOnDisk(services, urn, () => services.journal.write(written));
}

/** Sends the POST; never again without having looked first. */
async function postOnce(
  step: Step,
  { inputs, secrets }: Declaration,
  intent: JournalEntry,
): Promise<EndpointChange> {
  const { services } = step;
  for (let sends = 1; ; sends++) {
    try {
      const change = await sendWrite(step, inputs.projectId, () => post(step, inputs, intent.owner));
      await record(step, named(intent, change.endpoint.id), secrets);
      return change;
    } catch (error) {
      const uncertain = error instanceof RequestError && (error.outcome === "unknown" || sends > 1);
      if (!uncertain) {
        await giveUp(services, intent);
        throw await explainRefusal(step, inputs, error);
      }
      const { found, looked } = await waitForCreated(step, intent, error);
      if (found !== undefined) {
        await record(step, named(intent, found.id), secrets);
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
