/**
 * What create, update and delete share: one call of the engine, its turn in the project, its deadline, and
 * the row that its messages go to.
 */
import type { CallOptions } from "../api/answers";
import type { Api, EndpointRef } from "../api/client";
import type { ApiEndpoint } from "../api/schemas";
import { deadlineIn, type Clock, type Deadline } from "../clock";
import type { ProviderConfig } from "../config";
import type { EngineVoice } from "../engine";
import { isNotFound, messageOf } from "../errors";
import type { Awaited } from "../operations/errors";
import type { OperationFeed } from "../operations/feed";
import type { ProjectGate, Turn } from "./gate";
import type { Holders } from "./holders";
import type { InFlightCreates } from "./inFlight";
import { splitHidden, type EndpointInputs, type Timeouts } from "./inputs";
import type { Journal } from "./journal";
import type { EndpointReads } from "./reads";
import type { Declaration } from "./state";
import type { Takeovers } from "./takeovers";

/** What a compute's life runs on. */
export interface Services {
  readonly api: Api;
  readonly reads: EndpointReads;
  readonly feed: OperationFeed;
  readonly gate: ProjectGate;
  readonly journal: Journal;
  readonly inFlight: InFlightCreates;
  readonly holders: Holders;
  readonly takeovers: Takeovers;
  /** Whose journal entry a create is; undefined without a URN. */
  readonly ownerOf: (urn: string | undefined) => string | undefined;
  readonly clock: Clock;
  readonly voice: EngineVoice;
  readonly config: ProviderConfig;
  readonly redact: (text: string) => string;
}

/** Times that one call of the engine sends a write; each but the first after a look at what the last one did. */
export const maxSends = 3;

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
export interface Target extends Awaited {
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

/** A request of a step: over when the step's time is, its retries shown on the row. */
export function callOptions(step: Step): CallOptions {
  return {
    deadline: step.deadline,
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
    secrets: hidden.__secrets,
    replaces: hidden.__replaces,
  };
}

/** One compute as it is now; undefined where the service does not know it. */
export async function readOne(
  services: Services,
  ref: EndpointRef,
  call?: CallOptions,
): Promise<ApiEndpoint | undefined> {
  return services.config.readSingle
    ? orNone(services.api.getEndpoint(ref, call))
    : services.reads.findNow(ref, call);
}

/** The answer; undefined where the service says that there is no such thing. */
async function orNone<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A journal that cannot be written is a risk, not a reason to stop. */
export async function keepOnDisk(
  services: Services,
  urn: string | undefined,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    const text = `The journal of creates cannot be written (${messageOf(error)}): a run that is killed now may leave its compute behind. COMPUTE_JOURNAL_FOLDER names another folder.`;
    await services.voice.say(urn, "warning", text);
  }
}
