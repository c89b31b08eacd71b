/**
 * Random lives of one compute, held to what is promised of any of them: at most one compute at any time, every
 * failure a sentence, and once nothing is broken, the service has what the program says and nothing else.
 */
import { fixedSize } from "../../../provider/sizes";
import type { Variant } from "../../support/variants";
import { isExplained } from "../../support/miniEngineSteps";
import { failureOf } from "../../support/providerHandlers";
import { openScene, type Scene } from "../scene";
import { checkLives } from "./lives";
import { commands, drift, type Command, type Declared } from "./commands";

export type ComputeKind = "read_write" | "read_only";

export interface Runs {
  readonly variant: Variant;
  readonly count: number;
  readonly seed: number;
}

/** @throws with the line that replays the failing sequence. */
export async function runSequences(type: ComputeKind, runs: Runs): Promise<void> {
  const { variant } = runs;
  await checkLives({
    of: commands,
    live: (sequence) => live({ variant, type }, sequence),
    count: runs.count,
    seed: runs.seed,
    command: `TEST_VARIANT=${variant} npm run test:long -- model -t "${type}"`,
  });
}

interface Life {
  readonly variant: Variant;
  readonly type: ComputeKind;
}

async function live({ variant, type }: Life, sequence: readonly Command[]): Promise<void> {
  const scene = await openScene({ variant });
  try {
    let last: Declared | undefined;
    for (const command of sequence) {
      const failure = await failureOf(carryOut(scene, type, command));
      expectNamed(failure);
      expect(scene.computes().length).toBeLessThanOrEqual(1);
      if (command.kind === "up" || command.kind === "killedUp") last = command.declared;
      if (command.kind === "destroy") last = undefined;
    }
    await expectCalm(scene, { variant, type }, last);
  } finally {
    await scene.close();
  }
}

async function carryOut(scene: Scene, type: ComputeKind, command: Command): Promise<void> {
  const { engine, emulator, clock } = scene;
  switch (command.kind) {
    case "up":
      await engine.up(argsOf(scene, type, command.declared));
      return;
    case "killedUp": {
      const before = engine.stored();
      await engine.up(argsOf(scene, type, command.declared)).finally(() => {
        engine.restore(before);
      });
      return;
    }
    case "refresh":
      return engine.refresh();
    case "destroy":
      return engine.destroy();
    case "drift":
      drift(scene, command.what);
      clock.advance(1_500);
      return;
    case "fault":
      emulator.addFault({ ...command.effect, method: command.method, after: command.after });
      return;
    case "timeline":
      emulator.setTimeline(command.rule);
  }
}

function argsOf(scene: Scene, type: ComputeKind, declared: Declared): Record<string, unknown> {
  return {
    projectId: scene.projectId,
    branchId: [scene.branchId, scene.otherBranchId][declared.branch],
    type,
    ...fixedSize(declared.sizeCu),
    disabled: declared.disabled,
    suspendTimeoutSeconds: declared.suspendTimeoutSeconds,
    restartTriggers: { run: declared.trigger },
    timeouts: { create: 60, update: 60, delete: 60 },
  };
}

/** Nothing is broken any more: a refresh and an `up` make everything true, and a second `up` has nothing to do. */
async function expectCalm(scene: Scene, { variant, type }: Life, last: Declared | undefined): Promise<void> {
  const { engine, emulator, computes } = scene;
  scene.heal();
  await engine.refresh();
  if (last !== undefined) {
    const args = argsOf(scene, type, last);
    await upAsTold(scene, args);
    expect(computes()).toEqual([engine.stored()?.id]);
    const { endpoint } = emulator.endpoint(engine.stored()!.id);
    expect(endpoint).toMatchObject({
      branch_id: args["branchId"],
      type,
      autoscaling_limit_min_cu: last.sizeCu,
      autoscaling_limit_max_cu: last.sizeCu,
      disabled: last.disabled,
      suspend_timeout_seconds: last.suspendTimeoutSeconds,
    });
    const sent = emulator.requests().length;
    expect(await engine.up(args)).toBe("same");
    // A plugin has the engine read the compute first: one list.
    expect(emulator.requests()).toHaveLength(sent + (variant === "native" ? 1 : 0));
  }
  await engine.destroy();
  if (last !== undefined) expect(computes()).toEqual([]);
}

/** Brings up what the program says; where the message asks for the old branch for one run, it gets it. */
async function upAsTold({ engine }: Scene, args: Record<string, unknown>): Promise<void> {
  const failure = await failureOf(engine.up(args));
  if (failure === undefined) return;
  const told =
    / created \S+ compute \S+ on branch (\S+) of .+ Put the old project, branch, type and region back/;
  const [, branchId] = told.exec((failure as Error).message) ?? [];
  if (branchId === undefined) throw failure as Error;
  await engine.up({ ...args, branchId });
  await engine.up(args);
}

function expectNamed(failure: unknown): void {
  if (failure === undefined || isExplained(failure)) return;
  throw new Error("a failure without words of ours", { cause: failure });
}
