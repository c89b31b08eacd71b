import { answers, openBench, size, type Bench } from "./bench";

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
});
