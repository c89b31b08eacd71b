/**
 * One compute's life on the service: create, read, update, delete. Every operation that a request returns is
 * awaited, and from the moment a compute exists no failure loses its id.
 */
import type { Api, EndpointRef } from "../api/client";
import type { ApiEndpoint, ApiOperation } from "../api/schemas";
import { deadlineIn, type Clock, type Deadline } from "../clock";
import type { ProviderConfig } from "../config";
import type { EngineVoice } from "../engine";
import { ComputeError, isNotFound, PartialFailure } from "../errors";
import { hasEnded, verdictOf } from "../operations/status";
import { waitForOperations, type LookAtOperation } from "../operations/wait";
import { effects, type ArgumentName } from "./effects";
import type { EndpointInputs, Timeouts } from "./inputs";
import { pulledTriggers } from "./interruption";
import { splitHidden } from "./plan";
import type { EndpointReads } from "./reads";
import { changedArguments, inputsOfState, toCreateBody, toState, toUpdateBody, type EndpointState } from "./state";

/** What a lifecycle runs on. */
export interface Services {
  readonly api: Api;
  readonly reads: EndpointReads;
  readonly lookAtOperation: LookAtOperation;
  readonly clock: Clock;
  readonly voice: EngineVoice;
  readonly config: ProviderConfig;
  readonly redact: (text: string) => string;
}

/** Longest waits where `timeouts` says nothing, in seconds. */
const defaultTimeouts = { create: 600, update: 600, delete: 300 } as const satisfies Required<Timeouts>;

/** One call of the engine: what it is about, how long it may take, and where its messages go. */
interface Step {
  readonly services: Services;
  readonly urn: string | undefined;
  readonly deadline: Deadline;
}

export interface CreateResult {
  readonly id: string;
  readonly outs: Record<string, unknown>;
}

export interface ReadResult {
  /** Empty where the compute is gone. */
  readonly id: string;
  readonly props: Record<string, unknown>;
  readonly inputs?: Record<string, unknown>;
}

/** @param declared - the inputs after `check`. */
export async function createEndpoint(services: Services, declared: Readonly<Record<string, unknown>>): Promise<CreateResult> {
  const { args, hidden } = splitHidden(declared);
  const inputs = args as unknown as EndpointInputs;
  const step = beginStep(services, hidden.__urn, { kind: "create", timeouts: inputs.timeouts });
  services.reads.noteWrite(inputs.projectId);
  const change = await services.api.createEndpoint(
    inputs.projectId,
    toCreateBody(inputs, services.config.replicaType),
    callOptions(step),
  );
  const { id } = change.endpoint;
  const declaration = { inputs, provider: hidden.__provider as string, urn: hidden.__urn };
  const target = { doing: `creating compute ${id}`, ref: refOf(inputs.projectId, id) };
  const state = await finish(step, target, { change, declaration });
  return { id, outs: { ...state } };
}

/** @param state - the outputs in the state; for `Endpoint.get`, whatever its caller passed. */
export async function readEndpoint(services: Services, id: string, state: Readonly<EndpointState>): Promise<ReadResult> {
  const doing = `reading compute ${id}`;
  if (typeof state.projectId !== "string") {
    throw new ComputeError({ doing, what: "its project is not known", fix: "Pass it: Endpoint.get(name, id, { projectId })" });
  }
  const endpoint = await observe(services, refOf(state.projectId, id));
  if (endpoint === undefined) return { id: "", props: {} };
  const inputs = inputsOfState({ ...state, __managed: state.__managed ?? ["projectId"] });
  const declaration = { inputs: inputs as unknown as EndpointInputs, provider: state.__provider, urn: state.__urn };
  const seen = toState(endpoint, declaration);
  const props = { ...seen, ...(state.__operations === undefined ? {} : { __operations: state.__operations }) };
  return { id, props, inputs: inputsOfState(seen) };
}

/** A list may be behind the truth: a compute counts as gone only when two looks in a row do not show it. */
async function observe(services: Services, ref: EndpointRef): Promise<ApiEndpoint | undefined> {
  if (services.config.readSingle) return orGone(services.api.getEndpoint(ref));
  const recent = await orGone(services.reads.listRecent(ref.projectId));
  const found = recent?.get(ref.endpointId);
  if (found !== undefined) return found;
  await services.clock.sleep(secondLookMs);
  return (await orGone(services.reads.listNow(ref.projectId)))?.get(ref.endpointId);
}

const secondLookMs = 500;

async function orGone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** @param state - the old outputs. @param declared - the new inputs after `check`. */
export async function updateEndpoint(
  services: Services,
  state: Readonly<EndpointState>,
  declared: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { args, hidden } = splitHidden(declared);
  const inputs = args as unknown as EndpointInputs;
  const step = beginStep(services, hidden.__urn, { kind: "update", timeouts: inputs.timeouts });
  const id = state.endpointId;
  const target = { doing: `updating compute ${id}`, ref: refOf(state.projectId, id) };
  const declaration = { inputs, provider: hidden.__provider as string, urn: hidden.__urn };
  const changed = changedArguments(state, inputs);
  const body = toUpdateBody(inputs, changed);

  let change: Change = { endpoint: undefined, operations: [] };
  if (Object.keys(body).length > 0) {
    services.reads.noteWrite(target.ref.projectId);
    change = await services.api.updateEndpoint(target.ref, body, callOptions(step));
  } else if (state.__operations !== undefined) {
    change = { endpoint: undefined, operations: await recall(services, target.ref, state.__operations) };
  }
  if (asksForRestart(state, inputs, changed)) {
    const before = { ...declaration, inputs: { ...inputs, restartTriggers: state.restartTriggers } };
    await finish(step, target, { change, declaration: before });
    services.reads.noteWrite(target.ref.projectId);
    change = { endpoint: undefined, operations: await services.api.restartEndpoint(target.ref, callOptions(step)) };
  }
  return { ...(await finish(step, target, { change, declaration, fallback: state })) };
}

/** A changed size restarts the compute already: one interruption is enough. */
function asksForRestart(state: EndpointState, inputs: EndpointInputs, changed: readonly ArgumentName[]): boolean {
  const restartsAnyway = changed.some((name) => name !== "restartTriggers" && effects[name] === "restart");
  return pulledTriggers(state.restartTriggers, inputs.restartTriggers).length > 0 && !restartsAnyway;
}

/** The operations that an earlier run left unfinished, as they are now; one that the service forgot is over. */
async function recall(services: Services, ref: EndpointRef, ids: readonly string[]): Promise<readonly ApiOperation[]> {
  const found: ApiOperation[] = [];
  for (const id of ids) {
    const operation = await orGone(services.api.getOperation(ref.projectId, id));
    if (operation !== undefined) found.push(operation);
  }
  return found;
}

/** Deletes the compute; one that is gone already is deleted. */
export async function deleteEndpoint(services: Services, id: string, state: Readonly<EndpointState>): Promise<void> {
  const step = beginStep(services, state.__urn, { kind: "delete", timeouts: state.timeouts });
  const ref = refOf(state.projectId, id);
  services.reads.noteWrite(ref.projectId);
  const operations = await orGone(services.api.deleteEndpoint(ref, callOptions(step)));
  await waitFor(step, { doing: `deleting compute ${id}`, ref }, operations ?? []);
}

interface Target {
  /** For messages: `creating compute ep-x`. */
  readonly doing: string;
  readonly ref: EndpointRef;
}

interface Change {
  readonly endpoint: ApiEndpoint | undefined;
  readonly operations: readonly ApiOperation[] | undefined;
}

interface Unfinished {
  readonly change: Change;
  readonly declaration: Parameters<typeof toState>[1];
  /** What is known where the service shows nothing. */
  readonly fallback?: EndpointState;
}

/** Waits for the operations of a change and reads the compute again; a failure on the way keeps its id. */
async function finish(step: Step, target: Target, unfinished: Unfinished): Promise<EndpointState> {
  const { change, declaration } = unfinished;
  const { services } = step;
  const operations = change.operations ?? (await unendedOperations(services, target.ref));
  const stateOf = (endpoint: ApiEndpoint | undefined): EndpointState =>
    endpoint === undefined ? { ...unfinished.fallback, ...declaration.inputs } as EndpointState : toState(endpoint, declaration);
  try {
    await waitFor(step, target, operations);
    return stateOf((await services.reads.findNow(target.ref, callOptions(step))) ?? change.endpoint);
  } catch (error) {
    const seen = await services.reads.findNow(target.ref).catch(() => undefined);
    const left = operations.filter((operation) => verdictOf(operation.status) !== "succeeded").map(({ id }) => id);
    throw new PartialFailure(target.ref.endpointId, { ...stateOf(seen ?? change.endpoint), __operations: left }, error);
  }
}

/** For an answer that names no operations: those of the compute that the service lists as still under way. */
async function unendedOperations(services: Services, ref: EndpointRef): Promise<readonly ApiOperation[]> {
  const page = await services.api.listOperations(ref.projectId, {});
  const ours = page.operations.filter((operation) => operation.endpoint_id === ref.endpointId && !hasEnded(operation.status));
  // Listed newest first (interface 4.6), awaited oldest first.
  return ours.reverse();
}

async function waitFor(step: Step, target: Target, operations: readonly ApiOperation[]): Promise<void> {
  const { services, urn } = step;
  await waitForOperations(
    operations,
    { at: services.lookAtOperation, clock: services.clock },
    {
      doing: target.doing,
      deadline: step.deadline,
      redact: services.redact,
      onProgress: ({ operation, elapsedMs }) => {
        services.voice.progress(urn, `${operation.action} ${operation.status}, ${Math.round(elapsedMs / 1000)} s`);
      },
    },
  );
}

function beginStep(
  services: Services,
  urn: string | undefined,
  about: { readonly kind: keyof Timeouts; readonly timeouts: Timeouts | undefined },
): Step {
  const seconds = about.timeouts?.[about.kind] ?? defaultTimeouts[about.kind];
  return { services, urn, deadline: deadlineIn(seconds * 1000, services.clock) };
}

function callOptions(step: Step): { onRetry: (attempt: number, waitMs: number) => void } {
  return {
    onRetry: (attempt, waitMs) => {
      const seconds = (waitMs / 1000).toFixed(1);
      step.services.voice.progress(step.urn, `the service did not answer well; attempt ${attempt + 1} in ${seconds} s`);
    },
  };
}

function refOf(projectId: string, endpointId: string): EndpointRef {
  return { projectId, endpointId };
}
