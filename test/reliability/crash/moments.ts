/**
 * Kills a run at one of five moments of a create.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { up, type TestStack } from "../../support/stack";
import { chosenVariants, type Variant } from "../../support/variants";
import { isLong } from "../seeds";
import { isAlive, runningNow, type RunProcesses } from "./processes";

/** The longest that a process of a killed run is allowed to live, in milliseconds. */
const mayLiveMs = 10_000;
/** Long enough that the service never carries out a request for which nobody waits any more. */
const neverMs = 600_000;
/** Short enough that the service carries out the request of a provider that outlives its CLI. */
const afterTheCliMs = 400;

export interface Moment {
  /** The words of the table in docs/what-happens-when.md. */
  readonly killed: string;
  /** The request of each create that is held while the run is killed. */
  readonly held: {
    readonly route?: "listEndpoints" | "createEndpoint" | "updateEndpoint" | "deleteEndpoint";
    readonly path?: string;
    readonly when: "before" | "after";
    readonly after?: number;
  };
  /** `run`: all processes at once; `cli`: the CLI, and the provider outlives it; `silent cli`: the CLI, after a while in which it hears no answer. */
  readonly victim: "run" | "cli" | "silent cli" | "provider";
  /** What the next `up` does, on every machine: it creates the compute, or it stops, names computes and creates nothing. */
  readonly next: "creates" | "names";
}

/** A moment, and the machine of the next run. */
interface Row extends Moment {
  readonly place: "the same machine" | "another machine";
}

export const moments: readonly Moment[] = [
  {
    killed: "before the request was sent",
    held: { route: "listEndpoints", when: "before" },
    victim: "run",
    next: "creates",
  },
  {
    killed: "between the request and its answer",
    held: { route: "createEndpoint", when: "after" },
    victim: "run",
    next: "names",
  },
  {
    killed: "after the answer",
    held: { route: "createEndpoint", when: "after" },
    victim: "cli",
    next: "names",
  },
  {
    killed: "during the wait for the compute",
    held: { path: "/operations", when: "before" },
    victim: "run",
    next: "names",
  },
  {
    killed: "after the provider's answer to Pulumi",
    held: { route: "listEndpoints", when: "after", after: 1 },
    victim: "silent cli",
    next: "names",
  },
];

const rows: readonly Row[] = moments.flatMap((moment) =>
  (["the same machine", "another machine"] as const).map((place) => ({ ...moment, place })),
);

/** The engine forgets these creates, because the run goes on. */
export const ofProvider: readonly Moment[] = [
  { ...moments[1]!, victim: "provider" },
  { ...moments[3]!, victim: "provider" },
];

interface Chosen {
  readonly variant: Variant;
  /** The rows, by how many computes each run creates at once. */
  readonly sets: readonly { readonly count: number; readonly rows: readonly Row[] }[];
  /** Tests besides the rows: the provider killed alone, other commands, old pending creates. `some` leaves out tests that resemble others. */
  readonly others: "none" | "some" | "all";
  /** Runs in every `npm test`. */
  readonly isQuick?: true;
}

/** The tests of this run. */
export function chosen(): readonly Chosen[] {
  if (isLong) {
    const sets = [1, 30].map((count) => ({ count, rows }));
    return chosenVariants().map((variant) => ({ variant, sets, others: "all" }));
  }
  const isQuick = ({ killed, place }: Row): boolean =>
    killed === "after the answer" && place === "the same machine";
  // Another machine knows only what the backend has, so it has the harder task.
  const ofOne = rows.filter(({ place }) => place === "another machine");
  // Many creates differ from one create only where the next run names all their computes at once.
  const ofMany = ofOne.filter(({ killed }) => killed === "between the request and its answer");
  return [
    { variant: "dynamic", sets: [{ count: 1, rows: rows.filter(isQuick) }], others: "none", isQuick: true },
    { variant: "dynamic", sets: [{ count: 1, rows: ofOne }], others: "some" },
    { variant: "native", sets: [{ count: 30, rows: ofMany }], others: "none" },
  ];
}

type Killing = Pick<Moment, "held" | "victim"> & { readonly words?: readonly string[] };

/** Kills a command (by default an `up`) that creates this many computes, and ends it for Pulumi with `pulumi cancel`. */
export async function killAt(
  stack: TestStack,
  { held, victim, words = up }: Killing,
  count: number,
): Promise<void> {
  const { emulator } = stack;
  const isNeverDone = victim === "run" || victim === "provider";
  const delayMs = isNeverDone ? neverMs : afterTheCliMs * (count > 1 ? 4 : 1);
  const leastHeld = held.route === "createEndpoint" ? count : 1;
  const isMade = held.route !== "listEndpoints" || held.when === "after";
  emulator.clearRequests();
  emulator.addFault({ kind: "delay", delayMs, times: 1_000, ...held });
  let early: string | undefined;
  const command = stack.pulumi([...words, "--parallel", "64"]).then(({ output }) => (early = output));
  // The first two are answered before the others are sent, and Pulumi must not hear of the answers.
  if (victim === "cli" && count > 1) {
    await until(() => pendingCreates(stack) === count || early !== undefined, 60_000);
    process.kill((await runningNow()).cli, "SIGSTOP");
  }
  const isReached = (): boolean => {
    const heldNow = emulator.requests().filter(({ fault }) => fault === "delay").length;
    // All computes exist, whatever their creates wait for.
    const made = stack.writes().filter((route) => route === "createEndpoint").length;
    return heldNow >= leastHeld && (!isMade || made >= count) && pendingCreates(stack) === count;
  };
  await until(() => isReached() || early !== undefined, 60_000);
  if (early !== undefined) throw new Error(`the run ended before it could be killed:\n${early}`);
  const running = await runningNow();
  await kill(running, victim);
  await command;
  await expectSilence(stack, running.provider);
  emulator.clearFaults();
}

/** A killed run's provider process ends soon, and nothing is sent after it. */
async function expectSilence(stack: TestStack, provider: number): Promise<void> {
  await until(() => !isAlive(provider), mayLiveMs);
  expect(isAlive(provider)).toBe(false);
  // The last request that it sent can still be on its way.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const sent = stack.emulator.requests().length;
  await stack.ok(["cancel", "--yes"]);
  expect(stack.emulator.requests()).toHaveLength(sent);
}

/** The file backend's pending creates. A kill while Pulumi writes them would leave a file that Pulumi cannot read. */
function pendingCreates({ folder }: TestStack): number | undefined {
  try {
    const text = readFileSync(path.join(folder, "home/state/.pulumi/stacks/tested/test.json"), "utf8");
    const { checkpoint } = JSON.parse(text) as Checkpoint;
    return checkpoint.latest.pending_operations?.filter(({ type }) => type === "creating").length ?? 0;
  } catch {
    return undefined;
  }
}

interface Checkpoint {
  readonly checkpoint: { readonly latest: { readonly pending_operations?: readonly { type: string }[] } };
}

async function kill({ cli, provider }: RunProcesses, victim: Moment["victim"]): Promise<void> {
  if (victim === "silent cli") {
    process.kill(cli, "SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, 4 * afterTheCliMs));
  }
  if (victim !== "provider") process.kill(cli, "SIGKILL");
  if (victim === "run" || victim === "provider") process.kill(provider, "SIGKILL");
  if (victim !== "provider") await until(() => !isAlive(cli), 10_000);
}

/** Polls something that no event reports. */
async function until(isSo: () => boolean, limitMs: number): Promise<void> {
  const startMs = performance.now();
  while (!isSo() && performance.now() - startMs < limitMs)
    await new Promise((resolve) => setTimeout(resolve, 5));
}
