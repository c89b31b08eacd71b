/**
 * Makes one change after the other. A preview announces each change, and an update makes it, while the service and a
 * connection are watched.
 */
import type { ProviderConfig } from "../provider/settings/config";
import { ComputeError, isKind, RequestError } from "../provider/model/errors";
import { durationOf } from "../provider/service/observation";
import { receiptOf, type Receipt } from "../provider/lifecycle/receipt";
import { timeOf } from "../provider/model/timing";
import { ranBefore } from "../provider/service/running";
import { OperationFailedError } from "../provider/service/wait";
import type { Clock } from "../provider/clock";
import { changesFor, smallestSizes, type Change, type ComputeName } from "./changes";
import type { VerifyOptions } from "./commandLine";
import type { OpenWatcher } from "./connection";
import type { Announced, Args, Engine, Step } from "./engine";
import type { SeenAtService, SeenByConnection, VerifiedChange, VerifiedFailure } from "./report";
import { resultOf } from "./result";
import type { Observer, Seen } from "./service";
import type { Watcher } from "./watcher";

/** What all changes share. */
export interface Scene {
  readonly options: VerifyOptions;
  readonly config: Pick<ProviderConfig, "service">;
  readonly engine: Engine;
  readonly observer: Observer;
  readonly clock: Clock;
  /** Undefined if there is no connection. */
  readonly openWatcher: OpenWatcher | undefined;
  readonly stop: AbortSignal;
  /** Shows a text for a moment. */
  readonly progress: (text: string) => void;
  /** Prints a line that stays. */
  readonly tell: (text: string) => void;
}

/** A change, and the provider's receipt for it. */
export interface Row {
  readonly verified: VerifiedChange;
  readonly receipt: Receipt | undefined;
}

/** How long to wait for a connection before and after a change. */
const awayLimitMs = 30_000;
const awayLookMs = 50;

/**
 * Makes two computes and changes them.
 *
 * @param rows - gets each change when it is finished.
 *
 * @throws the error that stopped it early, or the reason of `stop`.
 */
export async function play(scene: Scene, rows: Row[]): Promise<void> {
  const { config, options, engine, stop, tell } = scene;
  const watchers = new Map<ComputeName, Watcher>();
  try {
    for (const compute of ["primary", "replica"] as const) {
      scene.progress(`creating the ${compute}`);
      const { failure } = await engine.up(compute, declarationOf(scene, compute));
      if (failure !== undefined) throw failure;
      tell(`created the ${compute}, ${engine.held(compute)?.endpointId ?? ""}`);
      const watcher = await startWatcher(scene, compute);
      if (watcher !== undefined) watchers.set(compute, watcher);
      stop.throwIfAborted();
    }
    const changes = changesFor({ service: config.service, moveTo: options.moveTo });
    for (const [at, change] of changes.entries()) {
      const label = `${at + 1}/${changes.length} ${change.title} (${change.compute})`;
      scene.progress(label);
      const { row, failure } = await verifyChange(scene, change, watchers.get(change.compute));
      rows.push(row);
      tell(`${label}: ${row.verified.result}`);
      stop.throwIfAborted();
      // If only this change failed, the next may still succeed. Otherwise the run stops: for example, if the service is
      // away or refuses the key.
      if (failure !== undefined && !isOfThisChange(failure)) throw failure;
    }
  } finally {
    await Promise.all([...watchers.values()].map((watcher) => watcher.stop()));
  }
}

function declarationOf({ options, config }: Scene, compute: ComputeName): Args {
  const { projectId, branchId, timeoutSeconds } = options;
  const [smallest] = smallestSizes(config.service);
  return {
    ...{ projectId, branchId, type: compute === "primary" ? "read_write" : "read_only" },
    ...{ autoscalingLimitMinCu: smallest, autoscalingLimitMaxCu: smallest },
    // The environment must not hold changes back: a change that is not applied shows nothing.
    onInterruption: "warn",
    timeouts: { create: timeoutSeconds, update: timeoutSeconds, delete: timeoutSeconds },
  };
}

async function startWatcher(
  { engine, openWatcher, tell }: Scene,
  compute: ComputeName,
): Promise<Watcher | undefined> {
  const state = engine.held(compute);
  if (openWatcher === undefined || state === undefined) return undefined;
  const watcher = openWatcher({ endpointId: state.endpointId, host: state.host });
  try {
    await watcher.start();
    return watcher;
  } catch (error) {
    await watcher.stop();
    tell(
      `cannot connect to the ${compute} (${engine.redact((error as Error).message)}). The table shows no connection for this compute.`,
    );
    return undefined;
  }
}

function isOfThisChange(failure: Error): boolean {
  if (failure === sameValue || causeOf(failure, OperationFailedError) !== undefined) return true;
  const request = causeOf(failure, RequestError);
  return (
    request?.outcome === "not done" &&
    !request.isAway &&
    !isKind(request, "connection") &&
    !isKind(request, "unreadable")
  );
}

/** The error or its cause, whichever is of the class; undefined if neither is. */
function causeOf<Found>(
  failure: unknown,
  Class: abstract new (...args: never[]) => Found,
): Found | undefined {
  const isFound = (error: unknown): error is Found => error instanceof Class;
  return [failure, failure instanceof Error ? failure.cause : undefined].find(isFound);
}

const sameValue = new ComputeError({
  doing: "changing a compute",
  what: "the service already has this value",
  fix: "No action is needed",
});

async function verifyChange(
  scene: Scene,
  change: Change,
  watcher: Watcher | undefined,
): Promise<{ readonly row: Row; readonly failure: Error | undefined }> {
  const { config, options, engine, observer, clock } = scene;
  const state = engine.held(change.compute);
  if (state === undefined) throw new Error(`There is no ${change.compute}.`);
  const changed = change.args({ service: config.service, state, moveTo: options.moveTo });
  const args = { ...engine.declared(change.compute), ...changed };
  const isWatched = watcher !== undefined && state.disabled !== true && (await isBack(scene, watcher));
  const losses = watcher?.losses.length ?? 0;
  const announced = await engine.preview(change.compute, args);
  const step = async (): Promise<Step & { readonly tookMs: number }> => {
    const startMs = clock.monotonicMs();
    const done = announced.changes
      ? await engine.up(change.compute, args)
      : { requests: [], failure: sameValue };
    return { ...done, tookMs: Math.round(clock.monotonicMs() - startMs) };
  };
  const { seen, result } = await observer.during(state.endpointId, step);
  const receipt = receiptFor(seen, announced);
  // A disabled compute accepts no connection.
  if (isWatched && changed["disabled"] !== true) await isBack(scene, watcher);
  const connection = isWatched ? connectionSeen(watcher, losses) : undefined;
  const outcome = resultOf(announced.verdict, receipt, connection);
  const { effect, certain } = announced.verdict;
  const failure = result.failure && failureOf(result.failure, engine.redact);
  const verified: VerifiedChange = {
    change: change.title,
    compute: change.compute,
    announced: { effect, certain, ...(announced.notice !== undefined && { notice: announced.notice }) },
    service: serviceSeen(seen, receipt),
    ...(connection && { connection }),
    result: failure !== undefined && outcome !== "missed" ? "cannot tell" : outcome,
    ...(failure && { failure }),
    requests: countOf(result.requests),
    tookMs: result.tookMs,
  };
  return { row: { verified, receipt }, failure: result.failure };
}

/** Applies the provider's own rule to all operations of the compute, including those that no answer named. */
function receiptFor({ before, after, operations }: Seen, { interruption }: Announced): Receipt | undefined {
  const running = before && ranBefore(before);
  return receiptOf({ operations, before: running, times: { before, after } }, interruption);
}

function serviceSeen(seen: Seen, receipt: Receipt | undefined): SeenAtService {
  const [from, to] = [timeOf(seen.before?.started_at), timeOf(seen.after?.started_at)];
  return {
    happened: receipt?.happened ?? "not shown",
    operations: seen.operations.map((operation) => {
      const tookMs = durationOf(operation);
      return {
        action: operation.action,
        status: operation.status,
        ...(tookMs !== undefined && { tookMs }),
      };
    }),
    ...(!Number.isNaN(to) && { startedAt: from === to ? "same" : "moved" }),
    states: seen.states,
  };
}

/** Waits until the connection is back. @returns whether it is back */
async function isBack({ clock, stop }: Scene, { losses }: Watcher): Promise<boolean> {
  const endMs = clock.monotonicMs() + awayLimitMs;
  const isAway = (): boolean => losses.some(({ gapMs }) => gapMs === undefined);
  while (isAway() && clock.monotonicMs() < endMs) {
    await clock.sleep(awayLookMs);
    stop.throwIfAborted();
  }
  return !isAway();
}

function connectionSeen({ losses }: Watcher, from: number): SeenByConnection {
  const loss = losses[from];
  if (loss === undefined) return {};
  // An error without a code begins with some other word of the driver or the server.
  const [code = ""] = loss.words.split(" ");
  const lost = /^[0-9A-Z_]{4,}$/.test(code) ? code : "closed";
  return { lost, ...(loss.gapMs !== undefined && { awayMs: loss.gapMs }) };
}

function countOf(methods: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const method of methods) counts[method] = (counts[method] ?? 0) + 1;
  return counts;
}

/** A failure as data. */
export function failureOf(failure: unknown, redact: (text: string) => string): VerifiedFailure {
  const isOperation = causeOf(failure, OperationFailedError) !== undefined;
  const kind = isOperation ? "operation" : (causeOf(failure, RequestError)?.kind ?? "other");
  const what = failure instanceof ComputeError ? failure.problem.what : String(failure);
  return { kind, what: redact(what) };
}
