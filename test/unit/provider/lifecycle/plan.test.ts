import { messageOf } from "../../../../provider/pure/errors";
import { deleteByHand } from "../../../support/byHand";
import { variants } from "../../../support/variants";
import { size, withCompute } from "./bench";
import { hourMs, openStack, window, type Stack } from "./stack";
import type { Variant } from "../../../support/variants";

/** A compute of 1 CU that never sleeps; the plugin asks for no read before a change. */
const open = (variant: Variant, stack: Readonly<Record<string, string>> = {}): Promise<Stack> =>
  openStack(variant, {
    args: { ...size(1), suspendTimeoutSeconds: -1 },
    stack,
    engine: { readsFirst: false },
  });

async function preview({ engine, up }: Stack, more: object): Promise<readonly string[]> {
  const before = engine.said.length;
  await up(more as Record<string, unknown>, { isPreview: true });
  return engine.said.slice(before);
}

/** The smallest size stays, so that only the difference to the live compute shows that it was changed by hand. */
const wider = { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 4 };

describe.each(variants)("what a preview announces, with the %s variant", (variant) => {
  it("is done by the update, in one interruption, and not announced again", async () => {
    const one = await open(variant);
    const { bench, id, up } = one;
    bench.emulator.updateEndpoint(id, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
    bench.clock.advance(10_000);
    const { restarts } = bench.emulator.counters(id);
    const announced = expect.stringMatching(/^warning: restart: size 2 → 1–4 CU drops/) as string;
    expect(await preview(one, wider)).toEqual([announced]);

    expect((await up(wider)).steps).toEqual({ db: "updated" });
    expect(one.live()).toMatchObject({ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4 });
    expect(bench.emulator.counters(id).restarts).toBe(restarts + 1);
    expect(one.outs()).toMatchObject(wider);

    expect(await preview(one, wider)).toEqual([]);
    expect((await up(wider)).steps).toEqual({ db: "same" });
  });

  it.each(["warn", "defer"])(
    "is no restart of a compute that the service does not list, and its advice holds, where onInterruption is %s",
    async (onInterruption) => {
      const one = await open(variant);
      const { bench, engine, id, up } = one;
      bench.emulator.createEndpoint(bench.projectId, { branch_id: bench.branchId, type: "read_only" });
      deleteByHand(bench, id);
      const resized = { ...size(2), onInterruption };
      expect(await preview(one, resized)).toEqual([
        `warning: The service does not list compute ${id} in project ${bench.projectId}. If somebody deleted it, this update will fail: run \`pulumi refresh\`, and the next preview shows that it is created again.`,
      ]);
      if (onInterruption === "warn") expect((await up(resized)).failures).toHaveLength(1);
      await engine.refresh();
      expect((await up(resized)).steps).toEqual({ db: "created" });
    },
  );

  it.each([
    {
      reason: "nothing is interrupted",
      stack: {},
      byHand: { autoscaling_limit_max_cu: 2 },
      more: { suspendTimeoutSeconds: 600 },
      sends: { suspend_timeout_seconds: 600 },
    },
    {
      reason: "nobody may ask",
      stack: { "compute:liveFacts": "false" },
      byHand: { autoscaling_limit_min_cu: 0.5 },
      more: wider,
      sends: { autoscaling_limit_max_cu: 4 },
    },
  ])("leaves alone what no preview compares: $reason", async ({ stack, byHand, more, sends }) => {
    const { bench, id, up } = await open(variant, stack);
    bench.emulator.updateEndpoint(id, byHand);
    bench.clock.advance(10_000);
    await up(more);
    expect(bench.bodiesOf("updateEndpoint")).toEqual([{ endpoint: sends }]);
  });

  it("refuses a move that a failed update left behind, with the moment at which its window opens", async () => {
    const stack = { ...window, "compute:onInterruption": "defer" };
    const { bench, engine, up } = await open(variant, stack);
    const branchId = bench.emptyBranch();
    bench.clock.advance(2 * hourMs);
    bench.emulator.addFault({ kind: "status", status: 400, route: "updateEndpoint" });
    const earlier = engine.state();
    expect((await up({ branchId })).failures).toHaveLength(1);
    // The declaration says what was asked for, and the state what came of it.
    engine.restore(earlier.map((held) => ({ ...held, inputs: { ...held.inputs, branchId } })));
    bench.clock.advance(4 * hourMs);
    const { failures } = await up({ branchId });
    expect(failures.map(messageOf).join()).toMatch(
      /^changing compute ep-\S+: move: branchId .*Run `pulumi up` again later: it is refused until it is idle, or until Mon 12 Jan 10:00 \(UTC\), or set onInterruption: "warn"/,
    );
  });
});

it.each([-3 * hourMs, 3 * hourMs])(
  "a machine whose clock is %d ms off tells the last access by the service's clock",
  async (offMs) => {
    const { bench, state } = await withCompute();
    bench.emulator.connect(state.endpointId);
    bench.clock.advance(5 * 60_000 - 20_000);
    bench.clock.setWallClockOffBy(offMs);
    const old = bench.declared(size(1));
    const args = { ...old, ...size(2), __dryRun: true };
    const { failures, inputs } = await bench.process().handlers.check(old, args);
    expect(failures).toEqual([]);
    expect(inputs["__verdict"]).toMatchObject({ lastAccess: "5 min ago" });
  },
);
