/**
 * One compute's life through the real CLI, in which each command is killed half-way, cancelled and run again.
 */
import { rmSync } from "node:fs";
import path from "node:path";
import type { Emulator } from "../../../emulator";
import { fixedSize } from "../../../provider/pure/sizes";
import { up, type CommandResult, type TestStack } from "../../support/stack";
import { describeKill, type Command, type Kill } from "./cases";
import { isAlive, runningNow, type RunProcesses } from "./processes";

/** How long a process of a killed run may live, in milliseconds. */
const mayLiveMs = 10_000;
/** A request that nobody waits for any more is never carried out. */
export const neverMs = 600_000;
/** The provider outlives its CLI and has its request carried out while nobody listens. */
export const afterTheCliMs = 400;

export interface Outcome {
  readonly kill: string;
  readonly ended: "recovered" | "refused, then adopted" | "not reached";
}

/** Kills in one compute's life, the first of them in its create. */
export async function runKills(stack: TestStack, kills: readonly Kill[]): Promise<readonly Outcome[]> {
  const branches = [stack.emptyBranch(), stack.emptyBranch()] as const;
  const isReplica = kills[0]?.command === "replica";
  let declared: Record<string, unknown> = {
    projectId: stack.projectId,
    branchId: branches[0],
    ...fixedSize(0.25),
    ...(isReplica ? { type: "read_only" } : {}),
  };
  const outcomes: Outcome[] = [];
  for (const kill of kills) {
    declared = { ...declared, ...changeOf(kill.command, branches[1]) };
    stack.declare({ app: { args: declared } });
    outcomes.push(await killAndRecover(stack, { kill, branches, declared }));
  }
  return outcomes;
}

function changeOf(command: Command, otherBranchId: string): Record<string, unknown> {
  if (command === "resize") return { ...fixedSize(1) };
  if (command === "move") return { branchId: otherBranchId };
  return command === "replace" ? { regionId: "eu-west-1" } : {};
}

interface Attempt {
  readonly kill: Kill;
  readonly branches: readonly [string, string];
  readonly declared: Record<string, unknown>;
}

async function killAndRecover(stack: TestStack, attempt: Attempt): Promise<Outcome> {
  const { request, side, victim, command, journal } = attempt.kill;
  const words = command === "destroy" ? (["destroy", "--yes", "--skip-preview"] as const) : up;
  const isNeverDone = side === "before" && victim === "provider";
  const early = await killWhile(stack, {
    words,
    held: { kind: "delay", delayMs: isNeverDone ? neverMs : afterTheCliMs, when: side, after: request - 1 },
    isReached: (held) => held > 0,
    kill: (running) => process.kill(running[victim], "SIGKILL"),
  });
  if (journal === "lost") rmSync(path.join(stack.folder, "journal"), { recursive: true, force: true });
  const result = await stack.pulumi(words);
  const ended = result.code === 0 ? "recovered" : await adopt(stack, attempt, result);
  await expectOneCompute(stack, attempt);
  return { kill: describeKill(attempt.kill), ended: early === undefined ? ended : "not reached" };
}

export interface Killing {
  readonly words: readonly string[];
  /** The requests that are held back while the run is killed. */
  readonly held: Parameters<Emulator["addFault"]>[0];
  /** Whether the run has come to where it is to be killed, by how many requests are held. */
  readonly isReached: (held: number) => boolean;
  readonly kill: (running: RunProcesses) => unknown;
  /** What happens while the run is on its way there. */
  readonly meanwhile?: (isOver: () => boolean) => Promise<unknown>;
}

/** Kills a command, and has `pulumi cancel` say that it is over. @returns how it ended where it was over before */
export async function killWhile(
  stack: TestStack,
  { words, held, isReached, kill, meanwhile }: Killing,
): Promise<CommandResult | undefined> {
  const { emulator } = stack;
  emulator.clearRequests();
  emulator.addFault(held);
  const run = { isOver: false };
  const command = stack.pulumi(words).finally(() => {
    run.isOver = true;
  });
  await meanwhile?.(() => run.isOver);
  const heldNow = (): number => emulator.requests().filter(({ fault }) => fault === "delay").length;
  await until(() => isReached(heldNow()) || run.isOver, 60_000);
  const wasOver = run.isOver;
  if (!wasOver) {
    const running = await runningNow();
    await kill(running);
    await command;
    await expectSilence(stack, running.provider);
  }
  const result = await command;
  emulator.clearFaults();
  return wasOver ? result : undefined;
}

/** A killed run's provider process ends soon, and nothing is sent after it. */
async function expectSilence(stack: TestStack, provider: number): Promise<void> {
  await until(() => !isAlive(provider), mayLiveMs);
  expect(isAlive(provider)).toBe(false);
  // The last that it sent may still be on its way.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const sent = stack.emulator.requests().length;
  await stack.ok(["cancel", "--yes"]);
  expect(stack.emulator.requests()).toHaveLength(sent);
}

/**
 * What a create without an answer may have made is named, as is a primary whose journal is lost: the line that adopts it
 * does.
 */
async function adopt(stack: TestStack, attempt: Attempt, refused: CommandResult): Promise<Outcome["ended"]> {
  const because =
    attempt.kill.journal === "lost" ? /has its one primary already/ : /got no answer|did not end/;
  expect(refused.output).toMatch(because);
  const id = /adopt: "(ep-[^"]+)"/.exec(refused.output)?.[1] ?? "none";
  expect(computesOf(stack, attempt)).toContain(id);
  stack.declare({ app: { args: { ...attempt.declared, adopt: id }, opts: { retainOnDelete: false } } });
  await stack.up();
  return "refused, then adopted";
}

async function expectOneCompute(stack: TestStack, attempt: Attempt): Promise<void> {
  const state = await stack.stateOf("app");
  const computes = computesOf(stack, attempt);
  if (attempt.kill.command === "destroy") {
    expect({ computes, state }).toEqual({ computes: [], state: undefined });
    return;
  }
  expect(computes).toEqual([state?.id]);
  const { endpoint } = stack.emulator.endpoint(state!.id);
  expect(state?.outputs).toMatchObject({
    branchId: endpoint.branch_id,
    autoscalingLimitMaxCu: endpoint.autoscaling_limit_max_cu,
  });
  expect(state?.initErrors ?? []).toEqual([]);
}

function computesOf(stack: TestStack, { branches }: Attempt): readonly string[] {
  return branches.flatMap((branchId) => stack.computes(branchId));
}

/** Looks at something that no event tells of. */
export async function until(isSo: () => boolean, limitMs: number): Promise<void> {
  const startMs = performance.now();
  while (!isSo() && performance.now() - startMs < limitMs)
    await new Promise((resolve) => setTimeout(resolve, 5));
}
