/**
 * How every change ends: its operations awaited, the compute read again, and its id never lost.
 */
import type { ApiEndpoint, ApiOperation } from "../api/schemas";
import { PartialFailure } from "../errors";
import { verdictOf } from "../operations/status";
import { waitForOperations } from "../operations/wait";
import { ownArguments, type ArgumentName } from "./effects";
import type { EndpointInputs } from "./inputs";
import { changedArguments, toState, type Declaration, type EndpointState } from "./state";
import { operationsOf, stillOwed, unlisted } from "./owed";
import { callOptions, readOne, type Step, type Target } from "./step";

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
  let { operations } = unfinished.change;
  try {
    operations ??= await stillOwed(step, target, await operationsOf(step, target.ref));
    await waitFor(step, target, operations);
    step.turn.end();
    return await settledState(step, target, unfinished);
  } catch (error) {
    const seen = await services.reads.findNow(target.ref, callOptions(step)).catch(() => undefined);
    const left = operations
      ?.filter((operation) => verdictOf(operation.status) !== "succeeded")
      .map(({ id }) => id);
    throw new PartialFailure(
      target.ref.endpointId,
      { ...stateOf(unfinished, seen), __operations: left ?? [unlisted] },
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
      kind: target.kind,
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
