/**
 * Creates side by side on one branch, started at any distance from each other, with answers lost: in one
 * provider process and in several.
 */
import * as fc from "fast-check";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FaultEffect } from "../../emulator";
import { messageOf } from "../../provider/errors";
import { variants, type Variant } from "../support/variants";
import { asMuchAs } from "../support/extent";
import { isExplained } from "../support/miniEngineSteps";
import { createOneResource, type OneResource } from "../support/oneResource";
import { failureOf, openHandlers } from "../support/providerHandlers";
import { openScene, type Scene } from "./scene";

const seed = 1;
/** Both variants send the same: of the native one it is asked whether its calls may overlap as well. */
const numRuns: Readonly<Record<Variant, number>> = asMuchAs({
  quick: { dynamic: 6, native: 2 },
  full: { dynamic: 40, native: 10 },
});

const losses: readonly FaultEffect[] = [
  { kind: "cut", when: "after" },
  { kind: "cut", when: "before" },
  { kind: "truncate" },
  { kind: "status", status: 502, when: "after" },
  { kind: "status", status: 503 },
];

const plan = fc.record({
  /** When each create starts, in milliseconds. */
  starts: fc.array(fc.constantFrom(0, 1, 25, 150, 700, 1_100, 3_000), { minLength: 2, maxLength: 5 }),
  isOneProcess: fc.boolean(),
  lock: fc.constantFrom("off" as const, "project" as const),
  lost: fc.array(fc.record({ effect: fc.constantFrom(...losses), after: fc.nat(4) }), { maxLength: 3 }),
});

type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

interface Race {
  readonly scene: Scene;
  readonly engines: readonly OneResource[];
  /** Undefined where the create went well. */
  readonly failures: readonly unknown[];
  /** Runs again what failed, one after the other. */
  again(): Promise<Race>;
}

interface Racers {
  readonly variant: Variant;
  readonly type: string;
}

async function race(
  { variant, type }: Racers,
  how: Plan,
  check: (race: Race) => Promise<void> | void,
): Promise<void> {
  const scene = await openScene({ emulator: { switches: { lock: how.lock } } });
  const folder = mkdtempSync(path.join(tmpdir(), "compute-race-"));
  const engines = enginesOf(scene, { ...how, variant }, folder);
  try {
    const args = { projectId: scene.projectId, branchId: scene.branchId, type };
    for (const { effect, after } of how.lost)
      scene.emulator.addFault({ ...effect, route: "createEndpoint", after });
    const failures = await Promise.all(
      engines.map(async (engine, index) => {
        await scene.clock.sleep(how.starts[index] ?? 0);
        return failureOf(engine.up(args));
      }),
    );
    const again = async (earlier: Race): Promise<Race> => {
      const later: unknown[] = [];
      for (const [index, engine] of engines.entries())
        later.push(earlier.failures[index] === undefined ? undefined : await failureOf(engine.up(args)));
      return { ...earlier, failures: later };
    };
    const first: Race = { scene, engines, failures, again: () => again(first) };
    await check(first);
  } finally {
    await scene.close();
    for (const engine of engines) engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function enginesOf(
  scene: Scene,
  { variant, ...how }: Plan & { readonly variant: Variant },
  folder: string,
): readonly OneResource[] {
  const { emulator, clock } = scene;
  const journalFolder = path.join(folder, "journal");
  const stack = {
    "compute:apiKey": emulator.apiKey,
    "compute:baseUrl": emulator.url,
    "compute:journalFolder": journalFolder,
  };
  const shared = how.isOneProcess ? { process: openHandlers({ variant, clock, stack }) } : {};
  return how.starts.map((_start, index) =>
    createOneResource({
      baseUrl: emulator.url,
      apiKey: emulator.apiKey,
      clock,
      variant,
      journalFolder,
      name: `db${index}`,
      ...shared,
    }),
  );
}

function idsOf({ engines }: Race): readonly string[] {
  return engines.flatMap((engine) => engine.stored()?.id ?? []);
}

/** No compute is two resources', every failure has its words, and what no resource holds is named in one. */
function expectOrder(one: Race): void {
  const ids = idsOf(one);
  expect(new Set(ids).size).toBe(ids.length);
  const failed = one.failures.filter((failure) => failure !== undefined);
  expect(failed.filter((error) => !isExplained(error))).toEqual([]);
  const words = failed.map(messageOf).join("\n");
  expect(one.scene.computes().filter((id) => !ids.includes(id) && !words.includes(id))).toEqual([]);
}

describe.each(variants)("with the %s variant, creates at the same time on one branch", (variant) => {
  const runs = { seed, numRuns: numRuns[variant] };

  it("leave one primary, and refuse the others by its name", async () => {
    await fc.assert(
      fc.asyncProperty(plan, (how) =>
        race({ variant, type: "read_write" }, { ...how, lost: [] }, (one) => {
          const [id] = idsOf(one);
          expect(one.scene.computes()).toEqual([id]);
          const refused = one.failures.filter((failure) => failure !== undefined);
          expect(refused).toHaveLength(how.starts.length - 1);
          for (const failure of refused) {
            // In one process the check of the others knows who declares it: adopting it would help nobody.
            expect(messageOf(failure)).toMatch(
              how.isOneProcess ? /resource "db\d" of this program both declare it/ : `adopt: "${id!}"`,
            );
          }
        }),
      ),
      runs,
    );
  });

  it("leave one primary where answers are lost, and a second run names it to all others", async () => {
    await fc.assert(
      fc.asyncProperty(plan, (how) =>
        race({ variant, type: "read_write" }, how, async (one) => {
          expect(one.scene.computes().length).toBeLessThanOrEqual(1);
          one.scene.heal();
          const later = await one.again();
          expect(later.scene.computes()).toHaveLength(1);
          expectOrder(later);
        }),
      ),
      runs,
    );
  });

  it("leave one compute each for replicas", async () => {
    await fc.assert(
      fc.asyncProperty(plan, (how) =>
        race({ variant, type: "read_only" }, { ...how, lost: [] }, (one) => {
          expect(one.failures.filter((failure) => failure !== undefined)).toEqual([]);
          expect([...idsOf(one)].sort()).toEqual([...one.scene.computes()].sort());
          expectOrder(one);
        }),
      ),
      runs,
    );
  });

  it("never give two replicas one compute where answers are lost, and name what nobody holds", async () => {
    await fc.assert(
      fc.asyncProperty(plan, (how) =>
        race({ variant, type: "read_only" }, how, async (one) => {
          const ids = idsOf(one);
          expect(new Set(ids).size).toBe(ids.length);
          one.scene.heal();
          expectOrder(await one.again());
        }),
      ),
      runs,
    );
  });
});
