/** Runs `compute-verify` in this process against an emulator, with a clock that takes no real time. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Clock, startEmulator, type Emulator, type Switches } from "../../../emulator";
import { runVerify, type VerifyProcess } from "../../../verify/command";
import type { OpenWatcher } from "../../../verify/connection";
import type { Verification, VerifiedChange } from "../../../verify/report";
import type { Watcher } from "../../../verify/watcher";
import { createFakeClock } from "../../support/fakeClock";

export interface Bench {
  readonly emulator: Emulator;
  readonly projectId: string;
  readonly branchId: string;
  readonly otherId: string;
  readonly stop: AbortController;
  readonly abandon: AbortController;
  readonly verify: (...more: readonly string[]) => Promise<Ended>;
  /** Runs the command with some parts of the process replaced. */
  readonly verifyWith: (parts: Parts, ...more: readonly string[]) => Promise<Ended>;
  /** Ids of computes that exist now and did not exist before. */
  readonly left: () => readonly string[];
}

interface Parts extends Partial<VerifyProcess> {
  /** Set to leave out `--yes`. */
  readonly isUnconfirmed?: true;
}

export interface Ended {
  readonly code: number;
  readonly printed: string;
  readonly told: string;
  /** What `--out` wrote. */
  readonly report: Verification | undefined;
  /** A change by its title. */
  readonly change: (title: string) => VerifiedChange;
}

const emulators: Emulator[] = [];

/** For `afterEach`. */
export async function closeBenches(): Promise<void> {
  await Promise.all(emulators.splice(0).map((emulator) => emulator.close()));
}

interface BenchOptions {
  readonly switches?: Partial<Switches>;
  /** Whether a connection is held open. The emulator's counters replace the connection: simulated computes accept no connections. */
  readonly isWatched?: boolean;
}

export async function openBench({ switches = {}, isWatched = false }: BenchOptions = {}): Promise<Bench> {
  const time = new Clock("manual");
  const emulator = await startEmulator({ clock: time, operationMs: 1_000, switches });
  emulators.push(emulator);
  const clock = createFakeClock(time);
  const projectId = emulator.createProject().project.id;
  const emptyBranch = (): string => emulator.createBranch(projectId, { compute: false }).branch.id;
  const [branchId, otherId] = [emptyBranch(), emptyBranch()];
  clock.advance(5_000);
  const idsNow = (): readonly string[] => emulator.endpoints(projectId).map(({ endpoint }) => endpoint.id);
  const before = idsNow();
  const [stop, abandon] = [new AbortController(), new AbortController()];
  const verifyWith = async (
    { isUnconfirmed, ...parts }: Parts,
    ...more: readonly string[]
  ): Promise<Ended> => {
    const [printed, told]: [string[], string[]] = [[], []];
    let written = "";
    const settings = {
      "compute:apiKey": emulator.apiKey,
      "compute:baseUrl": emulator.url,
      "compute:service": emulator.switches.service,
    } as const;
    const login = isWatched ? ["--role", "app", "--database", "app"] : [];
    const args = [
      ...["--project", projectId, "--branch", branchId, "--move-to", otherId, "--out", "out.json"],
      ...(isUnconfirmed === true ? [] : ["--yes"]),
      ...login,
    ];
    const code = await runVerify([...args, ...more], {
      clock,
      settings: (key) => settings[key as keyof typeof settings],
      pauseMs: 1_000,
      prepareConnection: () => watcherOn(emulator),
      stop: stop.signal,
      abandon: abandon.signal,
      ask: undefined,
      exists: () => false,
      write: (_file, text) => (written = text),
      version: () => "1.2.3",
      print: (text) => printed.push(text),
      complain: (text) => told.push(text),
      progress: () => undefined,
      ...parts,
    });
    const report = written === "" ? undefined : (JSON.parse(written) as Verification);
    const revealing = [projectId, branchId, otherId, emulator.apiKey, new URL(emulator.url).host, "ep-"];
    // The placeholder for an id keeps its prefix.
    const shown = revealing.filter((text) => written.replaceAll("ep-…", "").includes(text));
    if (shown.length > 0) throw new Error(`The report shows ${shown.join(", ")}: ${written}`);
    const change = (title: string): VerifiedChange =>
      report?.changes.find((one) => one.change === title) ?? fail(title);
    return { code, printed: printed.join(""), told: told.join(""), report, change };
  };
  return {
    ...{ emulator, projectId, branchId, otherId, stop, abandon, verifyWith },
    verify: (...more) => verifyWith({}, ...more),
    left: () => idsNow().filter((id) => !before.includes(id)),
  };
}

/** Acts whenever the provider or the command sends a request. @returns a function that ends this */
export function onRequest(act: (request: { readonly method: string }, count: number) => void): () => void {
  let count = 0;
  const listener = (message: unknown): void => {
    act((message as { readonly request: { readonly method: string } }).request, ++count);
  };
  subscribe("undici:request:create", listener);
  return () => unsubscribe("undici:request:create", listener);
}

/** Expects the command to name every compute that it left. @returns their ids */
export function namedIn({ left }: Bench, { told }: Ended): readonly string[] {
  const named = [...told.matchAll(/^LEFT: compute (ep-[\w-]+)/gm)].map(([, id]) => id);
  expect(named.sort()).toEqual([...left()].sort());
  return left();
}

function fail(title: string): never {
  throw new Error(`There is no change "${title}".`);
}

/** A connection whose losses come from the emulator's counters. */
function watcherOn(emulator: Emulator): OpenWatcher {
  return ({ endpointId }): Watcher => ({
    get losses() {
      const { connectionsDropped } = emulator.counters(endpointId);
      const isOff = emulator
        .projects()
        .some(({ id }) =>
          emulator.endpoints(id).some(({ endpoint }) => endpoint.id === endpointId && endpoint.disabled),
        );
      return Array.from({ length: connectionsDropped }, () => ({
        words: "57P01 terminating connection",
        lostMs: 0,
        ...(!isOff && { gapMs: 400 }),
      }));
    },
    start: () => Promise.resolve(),
    pause: () => undefined,
    ask: () => undefined,
    stop: () => Promise.resolve(),
  });
}
