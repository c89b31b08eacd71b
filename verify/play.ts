/**
 * Makes one change after the other. A preview announces each change, and an update makes it, while the service and a
 * connection are watched.
 */
import type { ProviderConfig } from "../provider/settings/config";
import { ComputeError, isKind, RequestError } from "../provider/model/errors";
import { observationOf } from "../provider/service/observation";
import type { ApiOperation } from "../provider/service/schemas";
import { OperationFailedError } from "../provider/service/wait";
import type { Clock } from "../provider/clock";
import { changesFor, smallestSizes, type Change, type ComputeName } from "./changes";
import type { VerifyOptions } from "./commandLine";
import type { OpenWatcher } from "./connection";
import type { Args, Engine } from "./engine";
import type { ChangeResult, SeenByConnection } from "./report";
import { causeOf, rowOf, type Trial } from "./row";
import type { Observer } from "./service";
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

/** How long to wait for a connection before and after a change. */
const awayLimitMs = 30_000;
const awayLookMs = 50;

/**
 * Makes two computes and changes them.
 *
 * @param trials - gets each change when it is finished.
 *
 * @throws the error that stopped it early, or the reason of `stop`.
 */
export async function play(scene: Scene, trials: Trial[]): Promise<void> {
  const { config, options, engine, stop, tell } = scene;
  const watchers = new Map<ComputeName, Watcher>();
  try {
    for (const compute of computes) {
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
      const trial = await tryChange(scene, change, watchers.get(change.compute));
      noteLate(scene, trials, { of: change.compute, late: trial.seen.earlier, doubtful: unexplained(trial) });
      trials.push(trial);
      tell(`${label}: ${rowOf(trial, engine.redact).verified.result}`);
      stop.throwIfAborted();
      // If only this change failed, the next may still succeed. Otherwise the run stops: for example, if the service is
      // away or refuses the key.
      const { failure } = trial.step;
      if (failure !== undefined && !isOfThisChange(failure)) throw failure;
    }
  } finally {
    await Promise.all([...watchers.values()].map((watcher) => watcher.stop()));
  }
}

/** Adds operations to the last change of their compute, and says so if they change its result. */
function noteLate(
  { engine, tell }: Pick<Scene, "engine" | "tell">,
  trials: readonly Trial[],
  {
    of,
    late,
    doubtful,
  }: {
    readonly of: ComputeName;
    readonly late: readonly ApiOperation[];
    readonly doubtful: readonly ApiOperation[];
  },
): void {
  const trial = trials.findLast(({ change }) => change.compute === of);
  if (trial === undefined) return;
  const resultNow = (): ChangeResult => rowOf(trial, engine.redact).verified.result;
  const before = resultNow();
  trial.late.push(...late);
  trial.doubtful.push(...doubtful);
  if (resultNow() === before) return;
  const names = [...late, ...doubtful].map(({ action }) => action).join(", ");
  tell(`${trial.change.title} (${of}): ${resultNow()} after all: ${names} followed, which no answer named`);
}

/**
 * Operations that interrupted the compute in addition to the restart that the answers named: this change or the one before it
 * may be the reason. After a suspension, any connection starts the compute.
 */
function unexplained({ seen, step: { named } }: Trial): readonly ApiOperation[] {
  const isNamed = ({ id }: ApiOperation): boolean => named.has(id);
  if (observationOf(seen.operations.filter(isNamed)).happened !== "restarted") return [];
  const others = seen.operations.filter((operation) => !isNamed(operation));
  return observationOf(others).happened === undefined ? [] : others;
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

const computes = ["primary", "replica"] as const satisfies readonly ComputeName[];

const sameValue = new ComputeError({
  doing: "changing a compute",
  what: "the service already has this value",
  fix: "No action is needed",
});

async function tryChange(scene: Scene, change: Change, watcher: Watcher | undefined): Promise<Trial> {
  const { config, options, engine, observer, clock } = scene;
  const state = engine.held(change.compute);
  if (state === undefined) throw new Error(`There is no ${change.compute}.`);
  const changed = change.args({ service: config.service, state, moveTo: options.moveTo });
  const args = { ...engine.declared(change.compute), ...changed };
  const isWatched = watcher !== undefined && state.disabled !== true && (await isBack(scene, watcher));
  const losses = watcher?.losses.length ?? 0;
  const announced = await engine.preview(change.compute, args);
  const act = async (): Promise<Trial["step"]> => {
    const startMs = clock.monotonicMs();
    const done = announced.changes
      ? await engine.up(change.compute, args)
      : { requests: [], named: new Set<string>(), failure: sameValue };
    return { ...done, tookMs: Math.round(clock.monotonicMs() - startMs) };
  };
  const { seen, result: step } = await observer.during(state.endpointId, act);
  // A disabled compute accepts no connection.
  if (isWatched && changed["disabled"] !== true) await isBack(scene, watcher);
  const connection = isWatched ? connectionSeen(watcher, losses) : undefined;
  return { change, announced, step, seen, connection, late: [], doubtful: [] };
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
