/**
 * Deleting a compute; one that is gone already is deleted.
 */
import type { EndpointRef } from "../api/client";
import type { ApiOperation } from "../api/schemas";
import { ComputeError, isNotFound, RequestError } from "../errors";
import { OperationLostError } from "../operations/errors";
import { findListed } from "./absence";
import { forgetDeleted } from "./journal";
import { waitFor } from "./finish";
import { heldElsewhere } from "./holders";
import type { EndpointState } from "./state";
import { callOptions, inTurn, maxSends, sendWrite, type Services, type Step } from "./step";

/** Before looking what became of a deletion without an answer. */
const lookAfterMs = 1_000;

/** @param state - the outputs in the state. */
export async function deleteEndpoint(
  services: Services,
  id: string,
  state: Readonly<EndpointState>,
): Promise<void> {
  const { projectId, timeouts, __urn: urn } = state;
  const ref = { projectId, endpointId: id };
  // `--replace`, of which the engine tells no provider, or a resource that goes while another one adopts its
  // compute: the engine creates first, and then deletes what it has twice.
  if (services.inFlight.wasTakenOver(id)) {
    const text = `Compute ${id} is not deleted: a resource of this program took it over a moment ago.`;
    await services.voice.say(urn, "warning", text);
    return;
  }
  services.holders.release(ref, urn === undefined ? [] : [urn]);
  const keeper = await heldElsewhere(services, ref, urn);
  if (keeper !== undefined) {
    await services.voice.say(urn, "warning", `Compute ${id} is not deleted: ${keeper}.`);
    await forgetDeleted(services.journal, services.ownerOf(urn), id);
    return;
  }
  await inTurn(services, { kind: "delete", projectId, urn, timeouts }, async (step) => {
    const operations = await removeOnce(step, ref);
    try {
      await waitFor(step, { doing: `deleting compute ${id}`, kind: "deletion", ref }, operations);
    } catch (error) {
      // An operation may go with its compute.
      if (!(error instanceof OperationLostError) || (await isListed(step, ref))) throw error;
    }
  });
  // Not the entry of a replacement that was cut off: its compute is another one, and still to be found.
  await forgetDeleted(services.journal, services.ownerOf(urn), id);
  await services.takeovers.clear(ref);
}

/** A deletion may be repeated: its id is never used again. But a look tells first whether it is needed. */
async function removeOnce(step: Step, ref: EndpointRef): Promise<readonly ApiOperation[]> {
  const { services } = step;
  for (let sends = 1; ; sends++) {
    try {
      // Interface 4.4 answers an empty list; whatever it holds is awaited.
      return (await sendWrite(step, ref.projectId, (call) => services.api.deleteEndpoint(ref, call))) ?? [];
    } catch (error) {
      if (!mayBeDone(error)) throw error;
      // The service says that it is gone: its list is asked at once.
      if (isNotFound(error) && !(await isListed(step, ref))) return [];
      if (sends >= maxSends || step.deadline.leftMs() <= 0)
        throw isNotFound(error) ? contradiction(ref, error) : error;
      await services.clock.sleep(lookAfterMs);
      if (!(await isListed(step, ref))) return [];
    }
  }
}

async function isListed(step: Step, ref: EndpointRef): Promise<boolean> {
  const look = { doing: `deleting compute ${ref.endpointId}`, call: callOptions(step) };
  return (await findListed(step.services, ref, look)) !== undefined;
}

function contradiction(ref: EndpointRef, cause: RequestError): ComputeError {
  return new ComputeError({
    doing: `deleting compute ${ref.endpointId}`,
    what: `the service answers ${cause.status ?? 404} to that, and lists it all the same`,
    requestId: cause.problem.requestId,
    fix: "Run the same command again; if it stays so, check that the key may delete it",
    cause,
  });
}

/** No answer, a server error, or a "not found" of a compute that is listed, or from something in between. */
function mayBeDone(error: unknown): error is RequestError {
  if (!(error instanceof RequestError)) return false;
  return error.outcome === "unknown" || error.transient || error.status === 404 || isNotFound(error);
}
