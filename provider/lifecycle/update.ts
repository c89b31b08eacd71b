/**
 * Changes a compute, in numbered steps. After a failed run, an update can have nothing to send: it then only waits for pending
 * operations. Once the PATCH is answered, every failure keeps the sent values in the state.
 */
import type { ApiOperation } from "../service/schemas";
import { keptTriggers, prefixed, settingNames, settingsAmong } from "../model/changes";
import { ComputeError } from "../model/errors";
import { argumentNames, effectOf, type ArgumentName } from "../model/fields";
import type { EndpointInputs } from "../model/inputs";
import { changeOf, mayInterrupt, type PlannedChange } from "../model/interruption";
import { outcomeOf, startsCompute } from "../service/observation";
import { runningOf } from "../service/running";
import { sayReceipt, showsNoRestart, type Done } from "./receipt";
import { PartialFailure, isPatched, toStored, type EndpointState } from "../model/state";
import { dueNow, type Due } from "./due";
import { seenNow } from "./find";
import { patch } from "./patch";
import { restart } from "./restart";
import { settle } from "./settle";
import { runStep, type ComputeStep, type Declaration, type Parts } from "./step";
import { resumeOperations, stillPending, waitForEnds } from "./waiting";

/**
 * @throws ComputeError for a failure before anything was changed.
 * @throws PartialFailure if the compute is not as declared, or if that is unknown.
 */
export async function updateEndpoint(
  parts: Parts,
  state: EndpointState,
  given: Declaration,
): Promise<EndpointState> {
  const { inputs, resource } = given;
  const { projectId, endpointId } = state;
  const { service } = parts.service.config;
  const { secrets, ignores } = resource;
  const declaration = { ...given, stillManaged: settingsStillOurs(state, inputs) };
  const change = changeOf(state, inputs, { secrets, ignores, service });
  refuseReplacement(state, change);
  const call = { kind: "update", projectId, resource, timeouts: inputs.timeouts } as const;
  const ref = { projectId, endpointId };
  const target = { doing: `updating compute ${endpointId}`, kind: "change", ref } as const;
  try {
    const { due, changed } = await runStep(parts, call, async (own) => {
      const step = { ...own, ...target };

      // 1. Wait for the operations of an earlier run.
      const earlier = await awaitEarlier(step, state, change);

      // 2. Decide what to send, right before it is sent: the compute may have changed since the preview.
      const due = await dueNow(step, state, declaration);

      // 3. Send the PATCH (`writeOnce.ts` keeps it from being done twice), wait for its operations, and read the compute again.
      const done = isPatched(due.changed)
        ? await settle(step, await patch(step, due), due)
        : await endEarlier(step, state, { due, earlier: [...earlier, ...(due.begun ?? [])] });
      return { due, changed: done };
    });

    // 4. Restart the compute, if a trigger asks for it and the PATCH has not done it.
    const restarts = due.restarts === "always" || (due.restarts === "unless done" && showsNoRestart(changed));
    const done = restarts
      ? await runStep(parts, call, (own) => restart({ ...own, ...target }, changed))
      : changed;

    // 5. Say what happened, and whether it was announced.
    await sayReceipt(resource.row, done, due.declaration.announced);
    return stored(done.state, declaration, done.state.restartTriggers);
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    // Keep the triggers of the last successful restart.
    throw new PartialFailure(stored(error.state, declaration, state.restartTriggers), error.cause);
  }
}

/** The settings of ours. A declared setting that a change without an answer may have set is ours as well. */
function settingsStillOurs(
  { managed, unconfirmed }: EndpointState,
  inputs: EndpointInputs,
): readonly string[] {
  const declared = settingNames(inputs);
  const doubtful = Object.keys(unconfirmed ?? {}).map(prefixed);
  return [...settingsAmong(managed), ...doubtful.filter((name) => declared.includes(name))];
}

/** @param done - the triggers whose restart is done. */
function stored(
  state: EndpointState,
  { inputs, resource }: Declaration,
  done: EndpointState["restartTriggers"],
): EndpointState {
  const { secrets } = resource;
  const restartTriggers = keptTriggers(done, inputs.restartTriggers, secrets.includes("restartTriggers"));
  return toStored({ ...state, restartTriggers }, inputs, secrets.includes("settings"));
}

/**
 * Refuses an update that would require a replacement. In a run of a program, the engine replaces the compute instead, since the
 * diff says so. But `pulumi do … patch` calls the update.
 */
function refuseReplacement({ endpointId }: EndpointState, { changed }: PlannedChange): void {
  const replaces = changed.filter((name) => effectOf(name) === "replace");
  if (replaces.length === 0) return;
  throw new ComputeError({
    doing: `changing compute ${endpointId}`,
    what: `${replaces.join(" and ")} cannot be changed on an existing compute; nothing was sent`,
    fix: "Create another compute, or make this change in a program: `pulumi up` then replaces the compute",
  });
}

/** Interface 3.2: running operations must end before the next dependent request, which supersedes failed operations. */
async function awaitEarlier(
  step: ComputeStep,
  state: EndpointState,
  change: PlannedChange,
): Promise<readonly ApiOperation[]> {
  const earlier = await resumeOperations(step, state.operations ?? []);
  const pending = earlier.filter((operation) => outcomeOf(operation.status) === "pending");
  if (isPatched(change.changed) || mayInterrupt(change)) await waitForEnds(step, pending);
  return earlier;
}

/**
 * Waits for what is still pending, and sends nothing, unless an idle compute needs the change of an earlier run once more. If a
 * restart follows, nothing is left to wait for: `awaitEarlier` has waited for running operations, and the restart supersedes
 * all others.
 */
async function endEarlier(
  step: ComputeStep,
  state: EndpointState,
  { due, earlier }: { readonly due: Due; readonly earlier: readonly ApiOperation[] },
): Promise<Done> {
  const isRestarted = due.restarts !== "never";
  const pending = isRestarted ? [] : await stillPending(step, earlier, state.sent);
  const { sent = [] } = state;
  const unapplied = unappliedArguments(sent);
  if (unapplied.length > 0 && (await isIdleAfterFailure(step, pending))) {
    const again = { ...due, changed: unapplied, names: sent, running: "idle" } as const;
    return settle(step, await patch(step, again), again);
  }
  const answer = { endpoint: undefined, operations: pending };
  const names = isRestarted ? undefined : state.sent;
  // If an earlier run began operations, it may have sent any argument, and a list may not show it yet.
  const changed = earlier.length === 0 ? due.changed : undefined;
  const done = await settle(step, answer, { declaration: due.declaration, known: state, changed, names });
  // Without ids, the operations of an earlier run cannot be told apart from others.
  const operations = state.operations === "unnamed" ? undefined : done.operations;
  return { state: done.state, operations, isEarlier: true };
}

/**
 * Whether a compute is idle, and an operation has failed before any start. In that case a change that the operation was to apply
 * interrupts nobody. After a start that failed, the change may be what keeps the compute from starting.
 */
async function isIdleAfterFailure(step: ComputeStep, operations: readonly ApiOperation[]): Promise<boolean> {
  const withOutcome = (wanted: ReturnType<typeof outcomeOf>): ApiOperation[] =>
    operations.filter(({ status }) => outcomeOf(status) === wanted);
  const failed = withOutcome("failed");
  if (failed.length === 0 || withOutcome("unknown").length > 0) return false;
  for (const { operation } of await waitForEnds(step, withOutcome("pending"))) failed.push(operation);
  if (failed.some(startsCompute)) return false;
  const endpoint = await seenNow(step);
  return endpoint !== undefined && runningOf(endpoint) === "idle";
}

/** The arguments among the names of what an earlier run has sent: `settings` for `settings.pgSettings (work_mem)`. */
function unappliedArguments(sent: readonly string[]): readonly ArgumentName[] {
  const names = sent.map((name) => name.replace(/\..*$/, ""));
  return argumentNames.filter((name) => names.includes(name));
}
