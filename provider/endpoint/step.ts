/**
 * What create, update and delete share: one call of the engine, with its deadline and its row, and the way
 * in which each ends: every operation awaited, the compute read again, its id never lost.
 */
import type { CallOptions } from "../api/answers";
import type { Api, EndpointRef } from "../api/client";
import type { ApiEndpoint, ApiOperation } from "../api/schemas";
import { deadlineIn, type Clock, type Deadline } from "../clock";
import type { ProviderConfig } from "../config";
import type { EngineVoice } from "../engine";
import { isNotFound, PartialFailure } from "../errors";
import type { OperationFeed } from "../operations/feed";
import { verdictOf } from "../operations/status";
import { waitForOperations } from "../operations/wait";
import { ownArguments, type ArgumentName } from "./effects";
import type { ProjectGate, Turn } from "./gate";
import type { EndpointInputs, Timeouts } from "./inputs";
import type { Journal } from "./journal";
import { splitHidden } from "./plan";
import type { EndpointReads } from "./reads";
import type { InFlightCreates } from "./reconcile";
import { changedArguments, toState, type Declaration, type EndpointState } from "./state";

/** What a compute's life runs on. */
export interface Services {
  readonly api: Api;
  readonly reads: EndpointReads;
  readonly feed: OperationFeed;
  readonly gate: ProjectGate;
  readonly journal: Journal;
  readonly inFlight: InFlightCreates;
  /** Whose journal entry a create is; undefined without a URN. */
  readonly ownerOf: (urn: string | undefined) => string | undefined;
  readonly clock: Clock;
  readonly voice: EngineVoice;
  readonly config: ProviderConfig;
  readonly redact: (text: string) => string;
}

/** Longest waits where `timeouts` says nothing, in seconds. */
const defaultTimeouts = { create: 600, update: 600, delete: 300 } as const satisfies Required<Timeouts>;

/** One call of the engine: what it may take, whose turn it has, and where its messages go. */
export interface Step {
  readonly services: Services;
  readonly urn: string | undefined;
  readonly deadline: Deadline;
  readonly turn: Turn;
}

/** What a step is done to. */
export interface Target {
  /** For messages: `creating compute ep-x`. */
  readonly doing: string;
  readonly ref: EndpointRef;
}

interface StepPlan {
  readonly kind: keyof Timeouts;
  readonly projectId: string;
  readonly urn: string | undefined;
  readonly timeouts: Timeouts | undefined;
}

/**
 * Runs a step in its turn. The deadline begins with the turn: a queue in front of a locked project is no
 * sign that this compute is stuck.
 */
export async function inTurn<T>(
  services: Services,
  plan: StepPlan,
  act: (step: Step) => Promise<T>,
): Promise<T> {
  const { urn, projectId } = plan;
  const turn = await services.gate.enter(projectId, () => {
    services.voice.progress(urn, "waiting for its turn in the project");
  });
  const limitMs = (plan.timeouts?.[plan.kind] ?? defaultTimeouts[plan.kind]) * 1000;
  try {
    return await act({ services, urn, turn, deadline: deadlineIn(limitMs, services.clock) });
  } finally {
    turn.end();
  }
}

/** Sends a write in the step's turn; answers to lists on their way no longer count. */
export function sendWrite<T>(
  step: Step,
  projectId: string,
  request: (call: CallOptions) => Promise<T>,
): Promise<T> {
  return step.turn.send(() => {
    step.services.reads.noteWrite(projectId);
    return request(callOptions(step));
  }, step.deadline);
}

export function callOptions(step: Pick<Step, "services" | "urn">): CallOptions {
  return {
    onRetry: (attempt, waitMs) => {
      const seconds = (waitMs / 1000).toFixed(1);
      step.services.voice.progress(step.urn, `no good answer; attempt ${attempt + 1} in ${seconds} s`);
    },
  };
}

/** The declaration that the engine passes to create and update. */
export function declarationOf(declared: Readonly<Record<string, unknown>>): Declaration {
  const { args, hidden } = splitHidden(declared);
  return {
    inputs: args as unknown as EndpointInputs,
    provider: hidden.__provider as string | undefined,
    urn: hidden.__urn,
  };
}

/** What a request set going; undefined operations where its answer names none. */
export interface Change {
  readonly endpoint: ApiEndpoint | undefined;
  readonly operations: readonly ApiOperation[] | undefined;
}

export interface Unfinished {
  readonly change: Change;
  readonly declaration: Declaration;
  /** What is known of the compute where the service shows nothing of it. */
  readonly known?: EndpointState;
}

/**
 * Waits for the operations of a change and reads the compute again.
 *
 * @throws PartialFailure with the id, what is true now, and the operations that the next run waits for.
 */
export async function finish(step: Step, target: Target, unfinished: Unfinished): Promise<EndpointState> {
  const { services } = step;
  let operations: readonly ApiOperation[] = unfinished.change.operations ?? [];
  try {
    operations = unfinished.change.operations ?? (await unendedOperations(services, target.ref));
    await waitFor(step, target, operations);
    step.turn.end();
    return await settledState(step, target, unfinished);
  } catch (error) {
    const seen = await services.reads.findNow(target.ref).catch(() => undefined);
    const left = operations
      .filter((operation) => verdictOf(operation.status) !== "succeeded")
      .map(({ id }) => id);
    throw new PartialFailure(
      target.ref.endpointId,
      { ...stateOf(unfinished, seen), __operations: left },
      error,
    );
  }
}

function stateOf({ change, declaration, known }: Unfinished, seen: ApiEndpoint | undefined): EndpointState {
  const endpoint = seen ?? change.endpoint;
  if (endpoint !== undefined) return toState(endpoint, declaration);
  return { ...known, __provider: declaration.provider } as EndpointState;
}

/** Waits between looks at a list that does not show a change yet. */
const settleMs = [300, 700, 1_500] as const;

/** The compute after the change. A list may be behind the truth for a moment: it gets a few looks. */
async function settledState(step: Step, target: Target, unfinished: Unfinished): Promise<EndpointState> {
  const { services, urn } = step;
  const { inputs } = unfinished.declaration;
  const look = async (): Promise<{
    state: EndpointState;
    missing: readonly ArgumentName[];
    listed: boolean;
  }> => {
    const seen = await readOne(services, target.ref, callOptions(step));
    const state = stateOf(unfinished, seen);
    return { state, missing: unsettledArguments(state, inputs), listed: seen !== undefined };
  };
  let now = await look();
  for (const waitMs of settleMs) {
    if (now.listed && now.missing.length === 0) return now.state;
    await services.clock.sleep(waitMs);
    now = await look();
  }
  if (!now.listed) {
    await services.voice.say(
      urn,
      "warning",
      `${target.doing}: its operations ended well, but the service does not list it. Run \`pulumi refresh\` to look again.`,
    );
  } else if (now.missing.length > 0) {
    const differences = now.missing.map(
      (name) => `${name} ${shown(now.state[name])} instead of ${shown(inputs[name])}`,
    );
    await services.voice.say(
      urn,
      "warning",
      `${target.doing}: the service took the change, but shows ${differences.join(", ")}. The next preview shows the difference again.`,
    );
  }
  return now.state;
}

/** Declared arguments that the service answers with another value. */
export function unsettledArguments(state: EndpointState, inputs: EndpointInputs): readonly ArgumentName[] {
  const ours: readonly string[] = ownArguments;
  return changedArguments(state, inputs).filter((name) => !ours.includes(name));
}

/** Settings may hold secrets: their values stay out of messages. */
function shown(value: unknown): string {
  return typeof value === "object" ? "other values" : JSON.stringify(value);
}

/** One compute as it is now; undefined where the service does not know it. */
export async function readOne(
  services: Services,
  ref: EndpointRef,
  call?: CallOptions,
): Promise<ApiEndpoint | undefined> {
  return services.config.readSingle
    ? orGone(services.api.getEndpoint(ref, call))
    : services.reads.findNow(ref, call);
}

/** The answer; undefined where the service says that there is no such thing. */
export async function orGone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** For an answer that names no operations: those of the compute that the service lists as still under way. */
async function unendedOperations(services: Services, ref: EndpointRef): Promise<readonly ApiOperation[]> {
  const unended = await services.feed.listUnended(ref.projectId);
  return unended.filter((operation) => operation.endpoint_id === ref.endpointId);
}

/** A wait that takes this long says so once, for good. */
const longWaitMs = 60_000;

/** Waits for operations with live progress on the row. */
export async function waitFor(
  step: Step,
  target: Target,
  operations: readonly ApiOperation[],
): Promise<void> {
  const { services, urn, deadline } = step;
  let warned = false;
  await waitForOperations(
    operations,
    { at: services.feed.look, clock: services.clock },
    {
      projectId: target.ref.projectId,
      doing: target.doing,
      deadline,
      redact: services.redact,
      onProgress: ({ operation, elapsedMs }) => {
        const seconds = Math.round(elapsedMs / 1000);
        services.voice.progress(urn, `${operation.action} ${operation.status}, ${seconds} s`);
        if (warned || elapsedMs < longWaitMs) return;
        warned = true;
        const limit = Math.round(deadline.limitMs / 1000);
        void services.voice.say(
          urn,
          "info",
          `${operation.action} (${operation.id}) is ${operation.status} after ${seconds} s; waiting up to ${limit} s.`,
        );
      },
    },
  );
}
