/**
 * Runs `compute-verify` for given options; `main.ts` is the process around it.
 */
import type { Clock } from "../provider/clock";
import type { Api } from "../provider/service/client";
import { readConfig, type ProviderConfig, type ReadStackConfig } from "../provider/settings/config";
import { changesFor, smallestSizes } from "./changes";
import { readVerifyOptions, verifyUsage, type VerifyOptions } from "./commandLine";
import { messageOf } from "../provider/model/errors";
import { WrongCallError } from "../preview/read/call";
import type { OpenWatcher } from "./connection";
import { withoutNames } from "./names";
import { cleanUp } from "./cleanUp";
import { createEngine, type Engine } from "./engine";
import { play } from "./play";
import { failureOf, rowOf, type Row, type Trial } from "./row";
import { changeResults, verificationVersion, type ChangeResult, type Verification } from "./report";
import { createObserver } from "./service";
import { tableOf } from "./table";

/** What the command needs from its process. */
export interface VerifyProcess {
  readonly clock: Clock;
  /** Settings in addition to those of the environment. */
  readonly settings: ReadStackConfig;
  /**
   * How long to wait after a change and before each look, in milliseconds: some operations that no answer names begin
   * only in this pause.
   */
  readonly pauseMs: number;
  /** @returns a function that opens a connection, or why there can be none. */
  readonly prepareConnection: (login: NonNullable<VerifyOptions["login"]>) => OpenWatcher | string;
  /** Aborts at the first signal, such as Ctrl-C, with the exit code as its reason. The computes that were made are then deleted. */
  readonly stop: AbortSignal;
  /** Aborts if the user does not want to wait for these deletions either. */
  readonly abandon: AbortSignal;
  /** Undefined if there is nobody to ask. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined;
  readonly exists: (file: string) => boolean;
  /** @throws if the file exists. */
  readonly write: (file: string, text: string) => void;
  readonly version: () => string | undefined;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Shown until the next text; ignored if there is no terminal. */
  readonly progress: (text: string) => void;
}

const endings = { good: 0, failed: 1, wrongCall: 2, missed: 3, left: 4 } as const;

/** @returns the exit code. */
export async function runVerify(args: readonly string[], surroundings: VerifyProcess): Promise<number> {
  const { complain, print, stop, version } = surroundings;
  try {
    const options = readVerifyOptions(args);
    if (options === "help") print(verifyUsage);
    else if (options === "version") print(`pulumi-compute-endpoint ${version() ?? "of unknown version"}\n`);
    else return await verify(options, surroundings);
    return endings.good;
  } catch (error) {
    if (stop.aborted) return stop.reason as number;
    complain(`compute-verify: ${ofEnvironment(error instanceof Error ? error.message : String(error))}\n`);
    return error instanceof WrongCallError ? endings.wrongCall : endings.failed;
  }
}

async function verify(options: VerifyOptions, surroundings: VerifyProcess): Promise<number> {
  const { clock, settings, stop, complain, progress } = surroundings;
  const tell = (text: string): void => {
    complain(`${text}\n`);
  };
  if (options.out !== undefined && surroundings.exists(options.out))
    throw new WrongCallError(`${options.out} already exists. Choose another file with --out`);
  const config = readConfig(settings);
  const engine = createEngine({ clock, settings, interrupted: stop, onProgress: progress });
  const { wireApi } = await import("../provider/wiring.js");
  const api = wireApi(config, { clock, redact: engine.redact });
  await refuseOccupied(api, options);
  const prepared = options.login && surroundings.prepareConnection(options.login);
  await confirm(options, surroundings, { config, prepared });
  const openWatcher = typeof prepared === "string" ? undefined : prepared;
  const { projectId } = options;
  const { pauseMs } = surroundings;
  const observer = createObserver({ api, clock, projectId, pauseMs, stop });
  const trials: Trial[] = [];
  const scene = { options, config, engine, observer, clock, openWatcher, stop, progress, tell };
  const abandoned = abortOf(surroundings.abandon);
  const played = play(scene, trials).then(
    () => ({ failure: undefined }),
    (failure: unknown) => ({ failure }),
  );
  const ended = await Promise.race([played, abandoned.then(() => ({ failure: stop.reason as unknown }))]);
  const left = await cleanUp({ engine, api, options, clock, abandon: surroundings.abandon, abandoned, tell });
  const rows = trials.map((trial) => rowOf(trial, engine.redact));
  const report = reportOf({ rows, failure: ended.failure, left }, { engine, config, surroundings });
  if (rows.length > 0) surroundings.print(tableOf(rows, report));
  if (report.ended === "stopped" && !stop.aborted)
    complain(`compute-verify: ${ofEnvironment(engine.redact(messageOf(ended.failure)))}\n`);
  const isWritten = writeReport(report, { options, config, surroundings });
  if (left > 0) return endings.left;
  if (report.counts.missed > 0) return endings.missed;
  if (stop.aborted) return stop.reason as number;
  return report.ended === "stopped" || !isWritten ? endings.failed : endings.good;
}

/** @returns false if the file could not be written: the exit code still says what is worse. */
function writeReport(
  report: Verification,
  {
    options,
    config,
    surroundings: { write, complain },
  }: {
    readonly options: VerifyOptions;
    readonly config: ProviderConfig;
    readonly surroundings: Pick<VerifyProcess, "write" | "complain">;
  },
): boolean {
  if (options.out === undefined) return true;
  try {
    write(options.out, `${JSON.stringify(report, withoutNames(options, config), 2)}\n`);
    complain(`Wrote ${options.out}.\n`);
    return true;
  } catch (error) {
    complain(`compute-verify: the result could not be written: ${messageOf(error)}\n`);
    return false;
  }
}

/** The command reads no stack, so only the provider's advice about environment variables helps. */
function ofEnvironment(message: string): string {
  return message.replaceAll(/, or (?:run )?`pulumi config set [^`]*`| or compute:\w+/g, "");
}

/**
 * Existing computes are never touched. A move or a restart beside them could put load on them, so the branch must be
 * empty.
 */
async function refuseOccupied(api: Api, { projectId, branchId, moveTo }: VerifyOptions): Promise<void> {
  const listed = await api.listEndpoints(projectId);
  const [unreadable] = listed.unreadable ?? [];
  if (unreadable !== undefined) throw unreadable.error;
  const there = [...listed.values()].filter(({ branch_id: id }) => id === branchId || id === moveTo);
  const [first] = there;
  if (first === undefined) return;
  const ids = there.map(({ id }) => id).join(", ");
  throw new WrongCallError(
    `branch ${first.branch_id} already has computes (${ids}), and nothing was created. Use a branch without computes: \`POST …/branches\` without a body creates one`,
  );
}

async function confirm(
  options: VerifyOptions,
  { ask, complain, stop }: VerifyProcess,
  {
    config,
    prepared,
  }: { readonly config: ProviderConfig; readonly prepared: OpenWatcher | string | undefined },
): Promise<void> {
  const { projectId, branchId, moveTo, isConfirmed } = options;
  const { service } = config;
  const [smallest, next] = smallestSizes(service);
  const titles = changesFor({ service, moveTo }).map(({ title }) => title);
  const held =
    typeof prepared === "string"
      ? `It holds no connection open: ${prepared}.`
      : `It holds ${prepared === undefined ? "no connection" : "a connection to each compute"} open.`;
  complain(
    [
      `compute-verify creates two computes on branch ${branchId} of project ${projectId}, a primary and a replica of ${smallest} CU.`,
      `It makes these changes, one after the other: ${titles.join(", ")}. ${held}`,
      `Then it deletes both computes. They run for some minutes, the primary sometimes with ${next} CU: the service may charge for that.`,
      "It changes nothing that existed before.",
      "",
    ].join("\n"),
  );
  if (isConfirmed) return;
  if (ask === undefined)
    throw new WrongCallError(
      "there is no terminal to ask for confirmation, and nothing was created. Add --yes to skip the question",
    );
  const isWanted = await ask("Continue? (yes/no) ");
  stop.throwIfAborted();
  if (!isWanted) throw new WrongCallError("nothing was created: the answer was not yes");
}

function abortOf(signal: AbortSignal): Promise<"abandoned"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("abandoned");
    signal.addEventListener("abort", () => {
      resolve("abandoned");
    });
  });
}

function reportOf(
  {
    rows,
    failure,
    left,
  }: { readonly rows: readonly Row[]; readonly failure: unknown; readonly left: number },
  {
    engine,
    config,
    surroundings,
  }: { readonly engine: Engine; readonly config: ProviderConfig; readonly surroundings: VerifyProcess },
): Verification {
  const changes = rows.map(({ verified }) => verified);
  const count = (result: ChangeResult): number => changes.filter((change) => change.result === result).length;
  const packageVersion = surroundings.version();
  return {
    version: verificationVersion,
    ...(packageVersion !== undefined && { packageVersion }),
    service: config.service,
    ended: failure === undefined ? "complete" : "stopped",
    ...(failure !== undefined && { failure: failureOf(failure, engine.redact) }),
    counts: Object.fromEntries(
      changeResults.map((result) => [result, count(result)]),
    ) as Verification["counts"],
    changes,
    left,
  };
}
