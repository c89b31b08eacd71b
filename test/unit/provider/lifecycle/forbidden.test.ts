import { answers, openBench, size } from "./bench";

describe("an adoption that nobody can ask the service about", () => {
  const deaf = [
    { reason: "no facts are wanted", environment: { COMPUTE_LIVE_FACTS: "false" }, isDown: false },
    { reason: "the list fails", environment: {}, isDown: true },
  ] as const;

  it.each(
    deaf.flatMap((one) => (["forbid", "forbid-when-active"] as const).map((policy) => ({ ...one, policy }))),
  )("is refused by $policy, where $reason", async ({ environment, isDown, policy }) => {
    const bench = await openBench();
    if (isDown) bench.spoil("listEndpoints", answers(500, { times: 99 }));
    const { handlers } = bench.process(environment);
    const { defaultBranchId: branchId, defaultPrimaryId: adopt } = bench;
    const args = bench.declared({ branchId, adopt, ...size(4), onInterruption: policy });
    for (const __dryRun of [true, false]) {
      const { failures } = await handlers.check({}, { ...args, __dryRun });
      expect(failures.map(({ reason }) => reason).join()).toMatch(/may restart: .*This is forbidden here/);
    }
  });
});
