import type { Switches } from "../../../../emulator";
import { variants, type Variant } from "../../../support/variants";
import { openBench, partialFailureOf, size, withCompute } from "./bench";
import { openEngine, openStack, type Stack } from "./stack";

const restarted =
  "restarted, not active for at most 2.3 s, as announced (apply_config 1 s, start_compute 2 s)";
const notShown = "info: no operation shows whether connections dropped (apply_config 1 s)";

async function open(variant: Variant, args: object = size(1), switches: Partial<Switches> = {}) {
  const one = await openStack(variant, { args: args as Record<string, unknown>, emulator: { switches } });
  // The service states its time in whole seconds: the start ended before the update.
  one.bench.clock.advance(2_000);
  return one;
}

/** What the row was told after the notice. */
const receipts = ({ takeRows }: Stack): readonly string[] =>
  takeRows().filter((text) => !/^warning: (may )?\w+: .* (drops|changes)/.test(text));

describe.each(variants)("the receipt of an update, with the %s variant", (variant) => {
  it.each<{ reason: string; args?: object; switches?: Partial<Switches>; more: object; says: string[] }>([
    { reason: "a restart", more: size(2), says: [`info: ${restarted}`] },
    {
      reason: "what was not certain",
      args: { poolerEnabled: false },
      more: { poolerEnabled: true },
      says: [`${notShown}; a possible interruption was announced`],
    },
    { reason: "what nothing announced, and nothing shows", more: { suspendTimeoutSeconds: 600 }, says: [] },
    {
      reason: "a restart by apply_config alone, of which the service shows a time",
      switches: { service: "neon", restartedBy: "apply_config" },
      more: size(2),
      says: ["info: restarted at TIME, as announced (apply_config 1 s)"],
    },
    {
      reason: "a size that takes effect live, of which the service shows a time",
      switches: { service: "neon", restartedBy: "apply_config", resize: "live" },
      more: size(2),
      says: ["info: not restarted (running since TIME); a restart was announced"],
    },
  ])("says of $reason what happened", async ({ args, switches, more, says }) => {
    const one = await open(variant, { ...size(1), ...args }, switches);
    await one.up(more as Record<string, unknown>);
    const startedAt = one.live().started_at?.slice(11, 19) ?? "never";
    expect(receipts(one).map((text) => text.replace(startedAt, "TIME"))).toEqual(says);
    expect(JSON.stringify(one.engine.stored("db"))).not.toMatch(/receipt|start_compute/);
  });

  it("says that it cannot know after a lost answer", async () => {
    const one = await open(variant);
    one.bench.spoil("updateEndpoint", { kind: "cut", when: "after" });
    await one.up(size(2));
    expect(receipts(one)).toEqual([
      "info: no operation shows whether connections dropped; a restart was announced",
    ]);
  });

  it("is of an adoption that restarts the compute", async () => {
    const bench = await openBench();
    const { clock, projectId, defaultBranchId: branchId, defaultPrimaryId: adopt } = bench;
    const engine = openEngine(bench, variant);
    clock.advance(5_000);
    await engine.up({ db: { args: { projectId, branchId, adopt, ...size(4) } } });
    expect(engine.rows.at(-1)?.replace("; a possible restart was announced", ", as announced")).toBe(
      `info: ${restarted}`,
    );
  });

  it("sends no request more", async () => {
    const one = await open(variant);
    one.connect();
    one.bench.takeRoutes();
    await one.up(size(2));
    // Those of the wait for apply_config and start_compute, of the list before the change and of the one after it.
    expect(one.bench.takeRoutes()).toEqual([
      "listEndpoints",
      "updateEndpoint",
      "listOperations",
      "listOperations",
      "getOperation",
      "getOperation",
      "listEndpoints",
    ]);
  });
});

it("the receipt without a diff in the same process says that nothing announced its restart", async () => {
  const { bench, state } = await withCompute();
  await bench.update(state, size(2));
  expect(bench.said).toEqual([`warning: ${restarted.replace("as announced", "which nothing announced")}`]);
});

/** Shorter than the operations of the first run. */
const short = { ...size(2), timeouts: { update: 1 } };

describe.each(variants)("a restart that an earlier run began, with the %s variant", (variant) => {
  /** A compute of one CU that runs, and whose next change takes longer than a run waits. */
  async function slow(isLocked = false): Promise<Stack> {
    const one = await openStack(variant, {
      emulator: { switches: { lock: isLocked ? "project" : "off" } },
      // A plugin that reads first finds the new size, and has nothing to send.
      engine: { readsFirst: false },
    });
    one.bench.emulator.connect(one.id);
    one.bench.clock.advance(60_000);
    one.bench.emulator.setTimeline({ action: "apply_config", runningMs: 5_000, times: 1 });
    return one;
  }

  it.each([false, true])(
    "is not taken for one of the update that sends its change again, in a locked project: %p",
    async (isLocked) => {
      const one = await slow(isLocked);
      await one.up(short, { isKilled: true });
      receipts(one);
      await one.up(size(2));
      // The plugin's check asks the service, which shows the new size already: it announces nothing.
      const words =
        /^info: no operation shows whether connections dropped \(apply_config [\d.]+ s\); a restart was/;
      expect(receipts(one)).toEqual(variant === "native" ? [] : [expect.stringMatching(words)]);
    },
  );

  it("is none where a compute without clients suspends itself while the update waits", async () => {
    const one = await slow(true);
    one.bench.emulator.setTimeline({ action: "suspend_compute", runningMs: 5_000, times: 1 });
    one.bench.emulator.suspendEndpoint(one.id);
    await one.up(size(2));
    expect(receipts(one)).toContainEqual(expect.stringContaining("info: nothing was interrupted ("));
  });

  it("is none where an idle compute moves", async () => {
    const one = await slow();
    one.bench.clock.advance(600_000);
    await one.up({ branchId: one.bench.emptyBranch() });
    expect(receipts(one)).toContainEqual(expect.stringContaining("info: nothing was interrupted ("));
  });

  it.each([
    {
      reason: "is named by the update that only waits for it, and not called a restart",
      more: {},
      says: ["info: operations of an earlier run have ended (apply_config 5 s, start_compute 6 s)"],
    },
    {
      reason: "is not of the update that waits for it and then changes something else",
      more: { suspendTimeoutSeconds: 900 },
      says: [],
    },
  ])("$reason", async ({ more, says }) => {
    const one = await slow();
    await one.up(short);
    receipts(one);
    await one.up({ ...size(2), ...more });
    expect(receipts(one)).toEqual(says);
  });
});

describe("what an earlier run did", () => {
  it("is named where it was the first start of a compute", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
    const { state } = await partialFailureOf(bench.create({ timeouts: { create: 10 } }));
    await bench.update(state);
    expect(bench.rows).toContain("info: operations of an earlier run have ended (start_compute 60 s)");
  });

  it("is not known where the operations that it left have no names", async () => {
    const { bench, state } = await withCompute();
    bench.clock.advance(60_000);
    bench.emulator.restartEndpoint(state.endpointId);
    await bench.update({ ...state, __operations: ["unlisted"] }, size(1));
    expect(bench.said).toEqual([]);
  });

  it.each([
    { reason: "it ended before", advanceMs: 10_000 },
    { reason: "it ends meanwhile", advanceMs: 0 },
  ])("costs an update of its own no request: $reason", async ({ advanceMs }) => {
    const { bench, state } = await withCompute({ poolerEnabled: false });
    bench.clock.advance(60_000);
    bench.emulator.connect(state.endpointId);
    bench.emulator.restartEndpoint(state.endpointId);
    bench.clock.advance(advanceMs);
    bench.takeRoutes();
    await bench.update(state, { ...size(1), poolerEnabled: true });
    // No claim that the update restarted it.
    expect(bench.said).toEqual([]);
    expect(bench.sent("listOperations")).toBe(0);
  });
});
