/**
 * Every fault at every step. Each cell is run twice: the fault passes after one request, and it stays until
 * the run gives up. `npm run test:long -- matrix` prints every cell. `npm test` runs every seventh cell: each fault and each
 * step is in it, with either variant.
 *
 * Requests are the same with both variants, which share all that sends them (`provider/host/calls.ts`). With the plugin a
 * cell is run once: with the fault that stays, in the first of its ways that meets it, since its failure goes
 * through the variant, and is what the next run begins with.
 */
import { variants, type Variant } from "../support/variants";
import { ofThisPart } from "../support/extent";
import { isExplained } from "../support/miniEngineSteps";
import { failureOf } from "../support/providerHandlers";
import { faults, type Fault } from "./faults";
import { openScene, type Scene } from "./scene";
import { steps, type Step, type Way } from "./steps";

/** The steps' own timeout, in seconds of the fake clock, and what the last answer may take beyond it. */
const mostSeconds = { ofTheStep: 60, ofARead: 120, lastAnswer: 5, whileThrottled: 1_200 };
/** Steps that begin with a read, or are one. */
const reading: readonly string[] = ["read", "read before a change"];
/** Of the project's and the branches' creation. */
const operationsOfTheStart = 3;
/** A fault that stays: more requests than any step sends. */
const always = 100_000;

let scene: Scene | undefined;
afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

/** Every seventh in a row and in a column of the table; the other variant's are shifted, so that it has others. */
function isInEveryRun(variant: Variant, fault: Fault, step: Step): boolean {
  const place = faults.indexOf(fault) + 2 * steps.indexOf(step) + variants.indexOf(variant);
  return place % 13 === 0;
}

describe.each(variants)("with the %s variant", (variant) => {
  const own = steps.filter((step) => step.variant === undefined || step.variant === variant);
  describe.each(faults)("where $name", (fault) => {
    for (const step of ofThisPart(own, (each) => isInEveryRun(variant, fault, each))) {
      const reason = step.notApplicable(fault);
      if (reason !== undefined) {
        it(`does not apply to ${step.name}: ${reason}`, () => {
          expect(reason).toMatch(/^\w.{10,}[^.]$/);
        });
        continue;
      }
      it(`${step.name} ends right or says what to do, and the next run heals it`, async () => {
        let struck = 0;
        const lengths = step.isLasting === true || variant === "native" ? [always] : [1, always];
        for (const way of step.ways) {
          if (variant === "native" && struck > 0) break;
          for (const times of lengths) if (await runCell({ variant, fault, step, way, times })) struck += 1;
        }
        expect(struck).toBeGreaterThan(0);
      });
    }
  });
});

interface Cell {
  readonly variant: Variant;
  readonly fault: Fault;
  readonly step: Step;
  readonly way: Way;
  readonly times: number;
}

/**
 * Answers that several steps wait for are bounded by the machine's own timer, which stands still beside a fake clock: each list
 * of a throttled service then takes minutes of it, and an update that interrupts asks for one of its own.
 */
function limitOf(step: Step, { name }: Fault): number {
  if (/^the answer is 429( with Retry-After)?$/.test(name)) return mostSeconds.whileThrottled;
  const readSeconds = reading.includes(step.name) ? mostSeconds.ofARead : 0;
  return readSeconds + mostSeconds.ofTheStep + mostSeconds.lastAnswer;
}

/** @returns whether the fault struck: not every way of a step sends the request that it is for. */
async function runCell({ variant, fault, step, way, times }: Cell): Promise<boolean> {
  const emulator = step.switches === undefined ? {} : { switches: step.switches };
  scene = await openScene({ variant, readsFirst: step.variant === "native", emulator, scheme: fault.scheme });
  await way.prepare?.(scene);
  scene.emulator.clearRequests();
  fault.strike(scene, { ...way.target, times });
  way.drift?.(scene);

  const startMs = scene.clock.monotonicMs();
  const failure = await failureOf(way.run(scene));
  expect((scene.clock.monotonicMs() - startMs) / 1000).toBeLessThanOrEqual(limitOf(step, fault));
  if (failure !== undefined) expectSentence(failure, scene.emulator.apiKey);
  if (step.isLasting) expect(isExplained(failure)).toBe(true);
  const most = way.computes ?? 1;
  expect(scene.computes().length).toBeLessThanOrEqual(1);
  // What an old answer shows is what a refresh may believe.
  if (failure === undefined && fault.kind !== "stale") expectTruth(scene, most);

  const hasStruck = struckIn(scene, fault);
  scene.heal();
  await way.run(scene);
  expectTruth(scene, most);
  await expectQuiet(scene, way);
  await scene.close();
  scene = undefined;
  return hasStruck;
}

function struckIn({ emulator, line, projectId }: Scene, { kind }: Fault): boolean {
  const isOperation = kind === "operation";
  if (isOperation) return emulator.operations(projectId).length > operationsOfTheStart;
  return line.met() > 0 || emulator.requests().some((request) => request.fault !== undefined);
}

/** `<doing>: <what happened>. <what to do>.`, without a key and without a stack. */
function expectSentence(failure: unknown, apiKey: string): void {
  expect(isExplained(failure) ? "named" : failure).toBe("named");
  const { message } = failure as Error;
  expect(message).toMatch(/^[a-z][^\n]+: [^\n]+\. [A-Z`][^\n]+\.$/);
  expect(message).not.toContain(apiKey);
}

/** The state holds what the service has: no compute besides, and none that is gone. */
function expectTruth({ engine, emulator, computes }: Scene, most: number): void {
  const stored = engine.stored();
  expect(computes()).toEqual(stored === undefined ? [] : [stored.id]);
  expect(computes()).toHaveLength(most);
  if (most === 0) return;
  const { endpoint } = emulator.endpoint(stored?.id ?? "");
  expect(stored?.outs).toMatchObject({
    endpointId: endpoint.id,
    branchId: endpoint.branch_id,
    autoscalingLimitMinCu: endpoint.autoscaling_limit_min_cu,
    autoscalingLimitMaxCu: endpoint.autoscaling_limit_max_cu,
  });
}

/** Once healed, the same run again changes nothing. */
async function expectQuiet({ emulator, engine }: Scene, way: Way): Promise<void> {
  const [before, state] = [emulator.requests().length, engine.stored()];
  await way.run(scene!);
  const writes = emulator
    .requests()
    .slice(before)
    .filter(({ method }) => method !== "GET");
  expect(writes).toEqual([]);
  expect(engine.stored()?.id).toBe(state?.id);
}
