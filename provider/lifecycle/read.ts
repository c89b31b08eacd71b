/**
 * Reads a compute for a refresh or for `Endpoint.get`: returns it as the service shows it, or reports that it is gone.
 */
import type { EndpointRef } from "../service/client";
import { deadlineIn } from "../clock";
import { ComputeError } from "../model/errors";
import { listServesMs, readLimitMs } from "../model/timing";
import { countsAsDeletedLater, findListed, notListedYet } from "./find";
import type { Resource } from "../run/resource";
import { toRefreshed, type EndpointState } from "../model/state";
import { callOptions, type Parts } from "./step";

/** What is known about a compute before the read. `endpointId` is missing if a program reads it for the first time. */
export type Lookup = Partial<EndpointState> & Pick<EndpointState, "managed">;

/** @returns undefined if the compute is gone. */
export async function readEndpoint(
  { service, run }: Pick<Parts, "service" | "run">,
  known: Lookup,
  { endpointId, resource }: { readonly endpointId: string; readonly resource: Resource },
): Promise<EndpointState | undefined> {
  const { projectId } = known;
  const doing = `reading compute ${endpointId}`;
  if (typeof projectId !== "string" || projectId === "") {
    const fix = "Pass it: Endpoint.get(name, id, { projectId })";
    throw new ComputeError({ doing, what: "projectId is missing", fix });
  }
  const wanted = { projectId, endpointId, createdAt: known.createdAt };
  const deadline = deadlineIn(readLimitMs, service.clock, run.interrupted);
  const call = callOptions({ resource, deadline });
  const seen = await findListed(service, wanted, { doing, call, ageMs: listServesMs });
  if (seen.kind === "found") return toRefreshed(seen.endpoint, known);
  // A refresh reports that its compute is gone; a program that reads a compute by id gets an error.
  if (known.endpointId === undefined) throw noSuchCompute(wanted);
  if (seen.kind === "gone") return undefined;
  await resource.row.say(
    "warning",
    `The ${notListedYet(wanted, seen.ageMs)}; the state keeps the compute for now. The service's ${countsAsDeletedLater}.`,
  );
  return known as EndpointState;
}

function noSuchCompute({ projectId, endpointId }: EndpointRef): ComputeError {
  return new ComputeError({
    doing: `reading compute ${endpointId}`,
    what: `project ${projectId} has no such compute`,
    fix: "Check the project's id and the compute's id; `listEndpoints({ projectId })` lists the project's computes",
  });
}
