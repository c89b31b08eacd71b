/**
 * What the engine calls a create: it makes a new compute, unless the program names one to adopt.
 */
import type { Declaration, EndpointState } from "../../state";
import { deadlineOf, runStep, type Services } from "../step";
import { adopt } from "./adopt";
import { createOnce } from "./post";
import { refuseUndecided } from "./unfinished";

export async function createEndpoint(services: Services, declaration: Declaration): Promise<EndpointState> {
  const { inputs, resource } = declaration;
  const { projectId, timeouts, adopt: adopted } = inputs;
  const plan = { kind: "create", projectId, resource, timeouts } as const;
  if (adopted !== undefined) return runStep(services, plan, (step) => adopt(step, declaration, adopted));
  // Without a permit: waits for late lists must not add up where one create follows the other.
  const waiting = { services, resource, deadline: deadlineOf(services, plan) };
  await refuseUndecided(waiting, inputs);
  return runStep(services, plan, (step) => createOnce(step, declaration));
}
