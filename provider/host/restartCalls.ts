/**
 * What the engine asks about an EndpointRestart, independent of the provider variant.
 */
import { ComputeError } from "../pure/errors";
import { connectionFailures, refusalFailure, unquoted } from "../endpoint/planning/check";
import { knownInputs, type CheckFailure } from "../endpoint/planning/inputs";
import type { Judged } from "../endpoint/planning/judged";
import { isUnknown } from "../pure/unknown";
import { rowText } from "../pure/verdict";
import type { Resource } from "../endpoint/resource";
import { checkRestartArguments, type PlannedRestart, type RestartInputs } from "../restart/arguments";
import { planRestart, type PlanningServices, type RestartPlan } from "../restart/plan";
import {
  changedRestartArguments,
  waitingState,
  type RestartArgument,
  type RestartState,
} from "../restart/state";
import { causeOf } from "../pure/restartCause";
import type { Checked, ToCheck } from "./planningCalls";
import { failedReads, liveReadsOf } from "./liveReads";
import { configured, lifecycleOf, type SeenRestart, type Session } from "./session";
import type { EngineDeclaration, HeldRestart, TimeLimited } from "../pure/stored";
import { resourceOf } from "./resources";

/** Both sides of a change. */
interface RestartSides {
  readonly held: HeldRestart;
  readonly declared: EngineDeclaration;
}

/** @param before - the declaration in the state; undefined for a new resource, whose restart no diff judges. */
export async function checkRestart(session: Session, { before, declared }: ToCheck): Promise<Checked> {
  const { args, hidden } = declared;
  const { inputs, failures } = checkRestartArguments(args, hidden.secrets);
  const wrong = [...failures, ...connectionFailures(configured(session))];
  if (wrong.length > 0) return { inputs, failures: unquoted(wrong, hidden.secrets) };
  const planned = inputs as unknown as PlannedRestart;
  const resource = resourceOf(hidden, { log: session.log });
  const { isPreview } = hidden;
  const seen = { isPreview };
  session.seenRestarts.set(resource.id, seen);
  const plan = await planRestart(
    { before: before?.args, inputs: planned, isPreview, secrets: hidden.secrets },
    planningServices(session),
  );
  const unasked = await failedReads(session, resource, isPreview);
  if (unasked.length > 0) return { inputs, failures: unasked };
  const notice = plan?.notice;
  if (before !== undefined || plan === undefined) return { inputs, failures, notice, verdict: plan?.verdict };
  const failure = failureIn(plan, planned);
  if (failure !== undefined) return { inputs, failures: unquoted([failure], hidden.secrets) };
  await sayPlan({ plan, resource, seen, isSaid: isPreview });
  return { inputs, failures, notice, verdict: plan.verdict };
}

function planningServices(session: Session): PlanningServices {
  return {
    config: configured(session),
    liveReads: liveReadsOf(session),
    fresh: session.fresh,
    now: () => session.clock.now(),
  };
}

function failureIn(
  { refusal, isMissing }: RestartPlan,
  { projectId, endpointId, onInterruption }: PlannedRestart,
): CheckFailure | undefined {
  if (isMissing === true) {
    const [project, id] = [projectId, endpointId].map((value) => (isUnknown(value) ? "" : value));
    const reason = `endpointId is ${id ?? ""}, but project ${project ?? ""} has no such compute. Correct the id or the project`;
    return { property: "endpointId", reason };
  }
  return refusal && refusalFailure(refusal, onInterruption);
}

interface Said {
  readonly plan: RestartPlan;
  readonly resource: Resource;
  readonly seen: SeenRestart;
  /** Whether the notice is said: an update does not repeat it for a new resource. */
  readonly isSaid: boolean;
}

/** Says on the row what is planned, and keeps it for the receipt. */
async function sayPlan({ plan, resource, seen, isSaid }: Said): Promise<void> {
  const { notice, spared } = plan;
  if (notice?.property === "interruption") seen.announced = notice;
  if (spared?.isDone === false) await resource.row.say("info", spared.text);
  if (notice !== undefined && isSaid) await resource.row.say("warning", rowText(notice));
}

export interface RestartDiff extends Judged {
  readonly changed: readonly RestartArgument[];
}

/** @throws ComputeError if a policy refuses the restart. */
export async function diffRestart(session: Session, { held, declared }: RestartSides): Promise<RestartDiff> {
  const inputs = declared.args as unknown as PlannedRestart;
  const { state } = held;
  const secrets = [...declared.hidden.secrets, ...held.hidden.secrets];
  const changed = changedRestartArguments(state, inputs);
  const resource = resourceOf(declared.hidden, { log: session.log });
  // A refresh asks for a diff without a check: it plans nothing.
  const seen = session.seenRestarts.get(resource.id);
  if (seen === undefined) return { changed };
  const { isPreview } = seen;
  const plan = await planRestart({ before: state, inputs, isPreview, secrets }, planningServices(session));
  if (plan === undefined) return { changed };
  if (plan.refusal !== undefined)
    throw new ComputeError({ doing: `restarting compute ${state.endpointId ?? ""}`, ...plan.refusal });
  await sayPlan({ plan, resource, seen, isSaid: true });
  return { changed, notice: plan.notice, verdict: plan.verdict };
}

/** @returns the id, which stays the same for other computes, and the state. */
export async function createRestart(
  session: Session,
  { args, hidden, limitSeconds }: EngineDeclaration & TimeLimited,
): Promise<{ readonly id: string; readonly state: RestartState }> {
  const inputs = knownInputs(args) as unknown as RestartInputs;
  const resource = resourceOf(hidden, { log: session.log, limitSeconds });
  const state = await restarted(session, { inputs, resource, kind: "create", before: undefined });
  return { id: `restart-${resource.title}`, state };
}

export async function updateRestart(
  session: Session,
  { held, declared, limitSeconds }: RestartSides & TimeLimited,
): Promise<RestartState> {
  const inputs = knownInputs(declared.args) as unknown as RestartInputs;
  const resource = resourceOf(declared.hidden, { log: session.log, limitSeconds });
  const secrets = [...declared.hidden.secrets, ...held.hidden.secrets];
  return restarted(session, {
    inputs,
    resource: { ...resource, secrets },
    kind: "update",
    before: held.state,
  });
}

interface Restarting {
  readonly inputs: RestartInputs;
  readonly resource: Resource;
  readonly kind: "create" | "update";
  readonly before: Partial<RestartState> | undefined;
}

async function restarted(
  session: Session,
  { inputs, resource, kind, before }: Restarting,
): Promise<RestartState> {
  const cause = causeOf(before, inputs);
  if (cause === undefined) return inputs;
  const { isWaiting } = await (
    await lifecycleOf(session)
  ).restart({
    inputs,
    resource,
    kind,
    cause,
    announced: session.seenRestarts.get(resource.id)?.announced,
  });
  return isWaiting ? waitingState(before ?? {}, inputs, resource.secrets) : inputs;
}
