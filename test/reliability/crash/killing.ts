/**
 * One compute's life through the real CLI, in which each command is killed half-way, cancelled and run again.
 */
import { rmSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../../provider/pure/sizes";
import type { Variant } from "../../support/variants";
import { createStack, type CommandResult, type TestStack } from "../../support/stack";
import { describeKill, type Command, type Kill } from "./cases";
import { isAlive, runningNow } from "./processes";

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

export interface Victim {
  /** In one compute's life, the first of them in its create. */
  run(kills: readonly Kill[]): Promise<readonly Outcome[]>;
  close(): Promise<void>;
}

export async function openVictim(variant: Variant): Promise<Victim> {
  const stack = await createStack({ variant });
  return { run: (kills) => runKills(stack, kills), close: () => stack.close() };
}

async function runKills(stack: TestStack, kills: readonly Kill[]): Promise<readonly Outcome[]> {
  const branches = [newBranch(stack), newBranch(stack)] as const;
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

function newBranch(stack: TestStack): string {
  return stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
}

function changeOf(command: Command, otherBranchId: string): Record<string, unknown> {
  switch (command) {
    case "resize":
      return { ...fixedSize(1) };
    case "move":
      return { branchId: otherBranchId };
    case "replace":
      return { regionId: "eu-west-1" };
    case "create":
    case "replica":
    case "destroy":
      return {};
  }
}

interface Attempt {
  readonly kill: Kill;
  readonly branches: readonly [string, string];
  readonly declared: Record<string, unknown>;
}

async function killAndRecover(stack: TestStack, attempt: Attempt): Promise<Outcome> {
  const { kill } = attempt;
  const words = kill.command === "destroy" ? destroy : up;
  const isReached = await killDuring(stack, kill, words);
  if (isReached) await stack.ok(["cancel", "--yes"]);
  if (kill.journal === "lost") rmSync(path.join(stack.folder, "journal"), { recursive: true, force: true });
  const result = await stack.pulumi(words);
  const ended = result.code === 0 ? "recovered" : await adopt(stack, attempt, result);
  await expectOneCompute(stack, attempt);
  return { kill: describeKill(kill), ended: isReached ? ended : "not reached" };
}

const up = ["up", "--yes", "--skip-preview"] as const;
const destroy = ["destroy", "--yes", "--skip-preview"] as const;

/** @returns whether the run got as far as the request. */
async function killDuring(stack: TestStack, kill: Kill, words: readonly string[]): Promise<boolean> {
  const { emulator } = stack;
  const isNeverDone = kill.side === "before" && kill.victim === "provider";
  const delayMs = isNeverDone ? neverMs : afterTheCliMs;
  emulator.addFault({ kind: "delay", delayMs, when: kill.side, after: kill.request - 1 });
  const run = { isOver: false };
  const command = stack.pulumi(words).finally(() => {
    run.isOver = true;
  });
  const first = emulator.requests().length;
  const isHeld = (): boolean =>
    emulator
      .requests()
      .slice(first)
      .some(({ fault }) => fault === "delay");
  await until(() => isHeld() || run.isOver, 60_000);
  if (isHeld() && !run.isOver) {
    const running = await runningNow();
    process.kill(running[kill.victim], "SIGKILL");
    await command;
    await expectSilence(stack, running.provider);
    emulator.clearFaults();
    return true;
  }
  await command;
  emulator.clearFaults();
  return false;
}

/** A killed run's provider process ends soon, and nothing is sent after it. */
export async function expectSilence(stack: TestStack, provider: number): Promise<void> {
  await until(() => !isAlive(provider), mayLiveMs);
  expect(isAlive(provider)).toBe(false);
  // The last that it sent may still be on its way.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const sent = stack.emulator.requests().length;
  await stack.ok(["stack", "ls"]);
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
  await stack.ok(up);
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
  return stack.emulator
    .endpoints(stack.projectId)
    .filter(({ endpoint }) => branches.includes(endpoint.branch_id))
    .map(({ endpoint }) => endpoint.id);
}

/** Looks at something that no event tells of. */
export async function until(isSo: () => boolean, limitMs: number): Promise<void> {
  const startMs = performance.now();
  while (!isSo() && performance.now() - startMs < limitMs)
    await new Promise((resolve) => setTimeout(resolve, 5));
}
