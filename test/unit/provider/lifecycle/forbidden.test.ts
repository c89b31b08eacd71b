import { answers, created, openBench, size, withCompute, type Bench, type StateValues } from "./bench";
import { refusalOf } from "./stack";

type Checked = Awaited<ReturnType<ReturnType<Bench["process"]>["handlers"]["check"]>>;

const reasonsOf = ({ failures }: Checked): string => failures.map(({ reason }) => reason).join("\n");
const noticeOf = ({ inputs }: Checked): unknown => inputs["interruption"];

describe("an adoption that nobody can ask the service about", () => {
  const deaf = [
    { reason: "no facts are wanted", environment: { COMPUTE_LIVE_FACTS: "false" }, isDown: false },
    { reason: "plans are saved", environment: { COMPUTE_UPDATE_PLANS: "true" }, isDown: false },
    { reason: "the list fails", environment: {}, isDown: true },
  ] as const;

  const adopting = (bench: Bench, more: object): Record<string, unknown> =>
    bench.declared({ branchId: bench.defaultBranchId, adopt: bench.defaultPrimaryId, ...more });

  async function opened(isDown: boolean): Promise<Bench> {
    const bench = await openBench();
    if (isDown) bench.spoil("listEndpoints", answers(500, { times: 99 }));
    return bench;
  }

  it.each(deaf)("says that it may restart, where $reason", async ({ environment, isDown }) => {
    const bench = await opened(isDown);
    const { handlers } = bench.process(environment);
    const checked = await handlers.check({}, adopting(bench, { ...size(4), __dryRun: true }));
    expect(noticeOf(checked)).toMatch(/^may restart: .*if it runs at another, drops open connections/);
    const [noticed, ...others] = bench.said;
    expect(noticed).toMatch(/^warning: may restart: .*if it runs at another, drops open connections/);
    expect(others.map((text) => text.startsWith("warning: The service could not be asked"))).toEqual(
      isDown ? [true] : [],
    );
  });

  it.each(
    deaf.flatMap((one) => (["forbid", "forbid-when-active"] as const).map((policy) => ({ ...one, policy }))),
  )("is refused by $policy, where $reason", async ({ environment, isDown, policy }) => {
    const bench = await opened(isDown);
    const { handlers } = bench.process(environment);
    for (const __dryRun of [true, false]) {
      const args = adopting(bench, { ...size(4), onInterruption: policy, __dryRun });
      expect(reasonsOf(await handlers.check({}, args))).toMatch(/may restart: .*This is forbidden here/);
    }
  });

  it.each(deaf)(
    "passes where nothing is declared that could restart it, and $reason",
    async ({ environment, isDown }) => {
      const bench = await opened(isDown);
      const { handlers } = bench.process(environment);
      const args = adopting(bench, { onInterruption: "forbid", __dryRun: true });
      expect((await handlers.check({}, args)).failures).toEqual([]);
    },
  );
});

describe("a compute that is declared as disabled, and was enabled behind our back", () => {
  async function enabledAgain(): Promise<{
    bench: Bench;
    state: StateValues;
    old: Record<string, unknown>;
  }> {
    const { bench, state } = await withCompute({ disabled: true });
    bench.emulator.updateEndpoint(state.endpointId, { disabled: false });
    bench.emulator.connect(state.endpointId);
    bench.clock.advance(10_000);
    return { bench, state, old: bench.declared({ ...size(1), disabled: true }) };
  }

  it("has its notice: a new size drops what is open", async () => {
    const { bench, old } = await enabledAgain();
    const args = { ...old, ...size(2), __dryRun: true };
    const checked = await bench.process().handlers.check(old, args);
    expect(noticeOf(checked)).toMatch(/drops open connections/);
  });

  it.each(["forbid", "forbid-when-active"])("is held by %s", async (onInterruption) => {
    const { bench, state, old } = await enabledAgain();
    const args = { ...old, ...size(2), onInterruption, __dryRun: true };
    expect(await refusalOf(bench, { state, old, args })).toContain("This is forbidden here");
  });

  it("is free to change as long as it is disabled", async () => {
    const bench = await openBench();
    await created(bench, { disabled: true });
    const old = bench.declared({ ...size(1), disabled: true });
    const args = { ...old, ...size(2), onInterruption: "forbid", __dryRun: true };
    const checked = await bench.process().handlers.check(old, args);
    expect(checked.failures).toEqual([]);
    expect(noticeOf(checked)).toBeUndefined();
  });
});

describe("a compute that was idle when it was checked, and is active when its update begins", () => {
  it("is not interrupted by a new size under forbid-when-active", async () => {
    const { bench, state } = await withCompute();
    bench.emulator.suspendEndpoint(state.endpointId);
    bench.clock.advance(10_000);
    const run = bench.process();
    const old = bench.declared(size(1));
    const args = { ...old, ...size(2), onInterruption: "forbid-when-active" };
    expect((await run.handlers.check(old, args)).failures).toEqual([]);
    bench.emulator.connect(state.endpointId);
    bench.clock.advance(10_000);
    bench.takeRoutes();
    await expect(run.update(state, args)).rejects.toThrow(
      /^changing compute ep-\S+: restart: .*\(active now.*This is forbidden here/,
    );
    expect(bench.takeRoutes()).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/updateEndpoint|restartEndpoint/)]),
    );
    // Once it is idle again, the same update is applied.
    bench.emulator.suspendEndpoint(state.endpointId);
    bench.clock.advance(10_000);
    await expect(run.update(state, args)).resolves.toMatchObject(size(2));
  });
});
