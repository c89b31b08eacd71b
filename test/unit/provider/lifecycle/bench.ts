/**
 * The lifecycle over real sockets: `connect()` against an emulator in this process, in time that costs nothing.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Clock, startEmulator, type Emulator, type EmulatorOptions } from "../../../../emulator";
import { readConfig } from "../../../../provider/config";
import type { EndpointState } from "../../../../provider/endpoint/state";
import { trackHolders } from "../../../../provider/endpoint/holders";
import { PartialFailure } from "../../../../provider/errors";
import { connect, type Lifecycle } from "../../../../provider/services";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

export const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::db";

export interface Bench {
  readonly emulator: Emulator;
  readonly clock: FakeClock;
  readonly projectId: string;
  readonly defaultBranchId: string;
  /** The primary that came with the default branch. */
  readonly defaultPrimaryId: string;
  /** A branch without a compute. */
  readonly branchId: string;
  /** What was said on rows, with its severity. */
  readonly said: string[];
  /** What was shown while steps ran. */
  readonly progress: string[];
  /** The provider in a process of its own; the journal is the same for all of them. */
  process(environment?: NodeJS.ProcessEnv): Lifecycle;
  /** Inputs after `check`, for a primary on the branch without a compute. */
  declared(more?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  emptyBranch(): string;
  loseJournal(): void;
  /** Routes of the requests so far, in order, and forgets them. */
  takeRoutes(): readonly string[];
  /** Bodies of the requests to a route so far. */
  bodiesOf(route: string): readonly unknown[];
  /** Ids of the computes that the service has besides the default primary. */
  computes(): readonly string[];
}

const open: { emulator: Emulator; folder: string }[] = [];

/** Operations take one second of the fake clock. */
export async function openBench(options: EmulatorOptions = {}): Promise<Bench> {
  const emulatorClock = new Clock("manual");
  const emulator = await startEmulator({ clock: emulatorClock, operationMs: 1_000, ...options });
  const folder = mkdtempSync(path.join(tmpdir(), "compute-lifecycle-"));
  open.push({ emulator, folder });
  const clock = createFakeClock(emulatorClock);
  const made = emulator.createProject();
  const projectId = made.project.id;
  const emptyBranch = (): string => {
    const { branch } = emulator.createBranch(projectId, { compute: false });
    clock.advance(5_000);
    return branch.id;
  };
  const branchId = emptyBranch();
  const said: string[] = [];
  const progress: string[] = [];
  const routesOf = (): readonly string[] => emulator.requests().map(({ route }) => route ?? "none");
  return {
    emulator,
    clock,
    projectId,
    defaultBranchId: made.branch.id,
    defaultPrimaryId: made.endpoint.id,
    branchId,
    said,
    progress,
    process: (environment = {}) =>
      connect(
        readConfig(() => undefined, {
          COMPUTE_API_KEY: emulator.apiKey,
          COMPUTE_BASE_URL: emulator.url,
          COMPUTE_JOURNAL_FOLDER: path.join(folder, "journal"),
          ...environment,
        }),
        {
          voice: {
            say: (_urn, severity, message) => {
              said.push(`${severity}: ${message}`);
              return Promise.resolve();
            },
            progress: (_urn, message) => progress.push(message),
          },
          clock,
          redact: String,
          holders: trackHolders(),
        },
      ),
    declared: (more = {}) => ({
      __provider: "text",
      __urn: urn,
      projectId,
      branchId,
      type: "read_write",
      ...more,
    }),
    emptyBranch,
    loseJournal: () => {
      rmSync(path.join(folder, "journal"), { recursive: true, force: true });
    },
    takeRoutes: () => {
      const routes = routesOf();
      emulator.clearRequests();
      return routes;
    },
    bodiesOf: (route) =>
      emulator
        .requests()
        .filter((request) => request.route === route)
        .map(({ body }) => body),
    computes: () =>
      emulator
        .endpoints(projectId)
        .map(({ endpoint }) => endpoint.id)
        .filter((id) => id !== made.endpoint.id),
  };
}

export const size = (cu: number): Record<string, number> => ({
  autoscalingLimitMinCu: cu,
  autoscalingLimitMaxCu: cu,
});

/** State of a compute of one CU, active, and nothing in the log. */
export async function created(bench: Bench, more: object = {}): Promise<EndpointState> {
  const { outs } = await bench.process().create(bench.declared({ ...size(1), ...more }));
  bench.takeRoutes();
  bench.clock.clearSleeps();
  return outs;
}

/** For `afterEach`. */
export async function closeBenches(): Promise<void> {
  for (const { emulator, folder } of open.splice(0)) {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a failed step leaves in the state. */
export async function partialFailureOf(step: Promise<unknown>): Promise<{
  readonly id: string;
  readonly state: EndpointState;
  readonly reason: string;
}> {
  const error = await failureOf(step);
  if (!(error instanceof PartialFailure)) throw error;
  const { id, properties, message } = error;
  return { id, state: properties as unknown as EndpointState, reason: message };
}

/** How a step that must fail does. */
export async function failureOf(step: Promise<unknown>): Promise<Error> {
  try {
    await step;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
