/**
 * Runs `compute-verify` for given options; `main.ts` is the process around it.
 */
import type { Clock } from "../provider/clock";
import { createShowsAfterMs } from "../provider/model/timing";
import type { Api } from "../provider/service/client";
import { readConfig, type ProviderConfig, type ReadStackConfig } from "../provider/settings/config";
import { changesFor, smallestSizes } from "./changes";
import { readVerifyOptions, verifyUsage, type VerifyOptions } from "./commandLine";
import { WrongCallError } from "../preview/read/call";
import type { OpenWatcher } from "./connection";
import { withoutNames } from "./names";
import { createEngine, type Engine } from "./engine";
import { failureOf, play, type Row } from "./play";
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
  const rows: Row[] = [];
  const scene = { options, config, engine, observer, clock, openWatcher, stop, progress, tell };
  const abandoned = abortOf(surroundings.abandon);
  const played = play(scene, rows).then(
    () => ({ failure: undefined }),
    (failure: unknown) => ({ failure }),
  );
  const ended = await Promise.race([played, abandoned.then(() => ({ failure: stop.reason as unknown }))]);
  const left = await cleanUp({ engine, api, options, surroundings, abandoned, tell });
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

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
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

interface Cleaning {
  readonly engine: Engine;
  readonly api: Api;
  readonly options: VerifyOptions;
  readonly surroundings: Pick<VerifyProcess, "clock" | "abandon">;
  readonly abandoned: Promise<"abandoned">;
  readonly tell: (text: string) => void;
}

/** Deletes the computes that were made, and names those that may be left. @returns how many computes may be left */
async function cleanUp(cleaning: Cleaning): Promise<number> {
  const { engine, abandoned, tell } = cleaning;
  const failures: string[] = [];
  const heldIds = (): readonly string[] =>
    (["replica", "primary"] as const).flatMap((compute) => engine.held(compute)?.endpointId ?? []);
  const made = heldIds();
  const remove = async (): Promise<number> => {
    // The replica first: a service may refuse to delete a primary that still has replicas.
    for (const compute of ["replica", "primary"] as const) {
      const id = engine.held(compute)?.endpointId;
      if (id === undefined) continue;
      await engine.destroy(compute).then(
        () => {
          tell(`deleted the ${compute}, ${id}`);
        },
        (error: unknown) => failures.push(engine.redact(messageOf(error))),
      );
    }
    return engine.isCreateOpen() ? await nameUnknown(cleaning, made) : 0;
  };
  const unknown = await Promise.race([abandoned, remove()]);
  const held = heldIds();
  for (const id of held) tell(`LEFT: compute ${id} was not deleted. Delete it at the service.`);
  for (const text of failures) tell(`  ${text}`);
  if (unknown !== "abandoned") return held.length + unknown;
  if (held.length > 0 || !engine.isCreateOpen()) return held.length;
  tell(`LEFT: there may be a compute on branch ${cleaning.options.branchId}. Check that branch.`);
  return 1;
}

/**
 * Names the computes that a create without an answer may have made. They are not deleted, since they may belong to
 * somebody else.
 */
async function nameUnknown(
  { api, options, surroundings, tell }: Cleaning,
  made: readonly string[],
): Promise<number> {
  const { projectId, branchId } = options;
  try {
    for (const waitMs of createShowsAfterMs) {
      await surroundings.clock.sleep(waitMs, surroundings.abandon);
      const listed = [...(await api.listEndpoints(projectId)).values()];
      const found = listed.filter(({ id, branch_id }) => branch_id === branchId && !made.includes(id));
      for (const { id } of found)
        tell(
          `LEFT: compute ${id} may come from a create of this command that got no answer. If so, delete it at the service.`,
        );
      if (found.length > 0) return found.length;
    }
    return 0;
  } catch {
    tell(
      `LEFT: there may be a compute on branch ${branchId}, whose computes could not be listed. Check that branch.`,
    );
    return 1;
  }
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
