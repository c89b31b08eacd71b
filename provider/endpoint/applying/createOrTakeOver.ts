/**
 * What the engine calls a create: it makes a new compute, unless there is one already, to be adopted or left behind by an
 * earlier run.
 */
import type { Declaration, EndpointState } from "../state";
import { createNew, listForCreate } from "./create";
import { branchFree } from "./find";
import { nameUnheldReplicas } from "./leftovers";
import { runStep, type Services } from "./step";
import { existing, takeOver } from "./takeOver";

export async function createOrTakeOver(services: Services, declaration: Declaration): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { projectId, timeouts, adopt } = inputs;
  // List before taking the permit: reads do not need it, and concurrent creates can share one list.
  const before = adopt === undefined ? await listForCreate(services, declaration) : undefined;
  const hasWaited = await branchFree(services, inputs, {
    row: resource.row,
    listed: before?.endpoints ?? new Map(),
  });
  return runStep(services, { kind: "create", projectId, resource, timeouts }, async (step) => {
    const there = await existing(step, declaration);
    const state =
      there === undefined
        ? await createNew(step, declaration, hasWaited ? undefined : before)
        : await takeOver(step, declaration, there);
    // Another user's compute may have stood for our own, which shows up only now.
    if (adopt === undefined && inputs.type === "read_only") await nameUnheldReplicas(step, inputs);
    return state;
  });
}
