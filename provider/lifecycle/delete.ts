/**
 * Deletes a compute. A compute that no longer exists counts as deleted.
 */
import type { EndpointRef } from "../service/client";
import type { ApiOperation } from "../service/schemas";
import { ComputeError, isKind, type RequestError } from "../model/errors";
import { OperationLostError } from "../service/wait";
import { secondListMs } from "../model/timing";
import { writeOnce, type WriteResult } from "../service/writeOnce";
import { findListed, type Presence, type DatedRef } from "./find";
import { namesOf } from "../run/ownership";
import type { Resource } from "../run/resource";
import { waitForAnswered } from "./waiting";
import type { EndpointState } from "../model/state";
import { callOptions, runStep, writeOptions, type Parts, type Step } from "./step";

export async function deleteEndpoint(parts: Parts, state: EndpointState, resource: Resource): Promise<void> {
  const { projectId, endpointId, timeouts } = state;
  const ref = { projectId, endpointId };
  const { ownership } = parts.run;
  ownership.release(ref, resource);
  const holder = ownership.holderOf(ref, resource);
  if (holder !== undefined) {
    const text = `Compute ${endpointId} is not deleted: resource ${namesOf(holder, resource)[0]} of this program holds it.`;
    return resource.row.say("warning", text);
  }
  await runStep(parts, { kind: "delete", projectId, resource, timeouts }, async (step) => {
    const operations = await removeOnce(step, state);
    step.run.deleted.add(endpointId);
    try {
      await waitForAnswered(
        { ...step, doing: `deleting compute ${endpointId}`, kind: "deletion", ref },
        operations,
      );
    } catch (error) {
      // A lost operation is no failure if the compute is gone: the service may remove the operation together with its compute.
      if (!(error instanceof OperationLostError) || (await findCompute(step, state)).kind === "found")
        throw error;
    }
  });
}

/**
 * A deletion may be sent again, because ids are never reused. Before it is sent again, the list shows whether that is still
 * necessary.
 */
function removeOnce(step: Step, wanted: DatedRef): Promise<readonly ApiOperation[]> {
  const { api, clock } = step.service;
  const ref = { projectId: wanted.projectId, endpointId: wanted.endpointId };
  const checkResult = async (error: RequestError): Promise<WriteResult<readonly ApiOperation[]>> => {
    const isGone = async (): Promise<boolean> => {
      const { kind } = await findCompute(step, wanted);
      // A list may not show a recent compute yet. A 404 or an answer without content then says that the compute is
      // gone. After any other error the deletion is sent again, and the next answer decides.
      return kind === "gone" || (kind === "notYet" && isKind(error, "notFound", "empty"));
    };
    // The service says that the compute is gone: check the list at once.
    if (isKind(error, "notFound", "empty") && (await isGone())) return { done: [] };
    await clock.sleep(secondListMs);
    return (await isGone()) ? { done: [] } : "not done";
  };
  return writeOnce({
    deadline: step.deadline,
    // By interface 4.4, the answer is an empty list. If a service does name operations, they are awaited.
    send: async () => (await api.deleteEndpoint(ref, writeOptions(step))) ?? [],
    checkResult,
    isUncertain: (error) =>
      error.outcome === "unknown" || error.transient || isKind(error, "notFound", "notFoundBetween"),
    mayRepeat: () => true,
    unknownOutcome: (error) => (isKind(error, "notFound", "empty") ? contradiction(ref, error) : error),
    refusal: (error) => Promise.resolve(error),
  });
}

/** @throws if the list cannot be read: a missing answer proves nothing. */
function findCompute(step: Step, wanted: DatedRef): Promise<Presence> {
  const options = { doing: `deleting compute ${wanted.endpointId}`, call: callOptions(step) };
  return findListed(step.service, wanted, options);
}

function contradiction(ref: EndpointRef, cause: RequestError): ComputeError {
  const { what, requestId } = cause.problem;
  return new ComputeError({
    doing: `deleting compute ${ref.endpointId}`,
    what: `${what}, and the project still lists the compute`,
    requestId,
    fix: "Run the same command again. If the error comes back, check that the key can delete computes",
    cause,
  });
}
