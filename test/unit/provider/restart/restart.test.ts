import { messageOf } from "../../../../provider/pure/errors";
import { causeOf, interruptionBy } from "../../../../provider/pure/restartCause";
import { unknownValue } from "../../../../provider/pure/unknown";
import { variants } from "../../../support/variants";
import { size } from "../lifecycle/bench";
import { open, openEmpty } from "./bench";

it.each<[reason: string, done: unknown, triggers: unknown, text: RegExp | undefined, certain?: boolean]>([
  ["it is the first", undefined, undefined, /this resource/],
  ["any value is new", undefined, unknownValue, /known only during/],
  ["all may stay", { a: 1 }, unknownValue, /known only during/, false],
  ["it may stay", { a: 1 }, { a: [1, unknownValue] }, /\(a\)/, false],
  ["b is new", { a: 1 }, { a: unknownValue, b: unknownValue }, /\(a, b\)/],
  ["null is another value", { a: 1 }, { a: null }, /\(a\)/],
  ["none is left", { a: 1 }, null, undefined],
])("triggers restart as far as %s: after %j, %j", (...[, done, triggers, text, certain = true]) => {
  const cause = causeOf({ triggers: done }, { triggers });
  const told = text && { effect: "restart", certain, text: expect.stringMatching(text) as string };
  expect(cause && interruptionBy(cause)).toEqual(told);
});

describe.each(variants)("an EndpointRestart, with the %s variant", (variant) => {
  it("restarts an active compute when it is created, and when a trigger changes or is added", async () => {
    const one = await open(variant);
    const first = await one.up({ release: 1 });
    expect(first.steps).toEqual({ db: "same", weekly: "created" });
    expect(one.restarts()).toBe(1);
    expect(one.engine.rows.at(-1)).toMatch(/^info: restarted, .*as announced \(.*start_compute.*\)$/);
    await one.up({ release: 1 });
    expect(one.restarts()).toBe(1);
    await one.up({ release: 2 });
    expect(one.restarts()).toBe(2);
    await one.up({ release: 2, key: "a" });
    expect(one.restarts()).toBe(3);
    expect(one.engine.stored("weekly")).toMatchObject({
      id: "restart-weekly",
      outs: { endpointId: one.id(), triggers: { release: 2, key: "a" } },
    });
  });

  it("sends nothing where a trigger is removed, or another argument changes, or it is deleted", async () => {
    const one = await open(variant);
    await one.up({ release: 1, key: "a" });
    one.bench.takeRoutes();
    const removed = await one.up({ release: 1 });
    expect(removed.steps["weekly"]).toBe("updated");
    await one.up({ release: 1 }, { restart: { timeouts: { update: 60 }, onInterruption: "warn" } });
    await one.up(undefined);
    expect(one.engine.stored("weekly")).toBeUndefined();
    expect(one.sent()).toBe(0);
    expect(one.restarts()).toBe(1);
  });

  it("does not restart a compute that the same run creates, replaces or restarts", async () => {
    const one = await openEmpty(variant);
    const made = await one.up({ release: 1 });
    expect(made.failures).toEqual([]);
    expect(one.engine.rows).toContain("info: Not restarted: its compute is created in this run.");
    await one.up({ release: 2 }, { db: size(2) });
    expect(one.engine.rows).toContain(
      "info: Not restarted a second time: another change of this run interrupts its compute.",
    );
    expect(one.sent()).toBe(0);
    expect(one.restarts()).toBe(1);
    await one.up({ release: 3 }, { db: { ...size(2), type: "read_only" } });
    expect(one.sent()).toBe(0);
    await one.up({ release: 4 }, { db: { ...size(2), type: "read_only" } });
    expect(one.sent()).toBe(1);
  });

  it.each(["idle", "disabled"])("does not start a compute that is %s, and says so", async (running) => {
    const one = await open(variant);
    if (running === "idle") one.bench.emulator.suspendEndpoint(one.id());
    else one.bench.emulator.updateEndpoint(one.id(), { disabled: true });
    one.bench.clock.advance(10_000);
    await one.up({ release: 1 });
    expect(one.sent()).toBe(0);
    expect(one.engine.rows).toContain(`info: The compute is ${running}: there is nothing to restart.`);
    expect(one.engine.stored("weekly")?.outs["triggers"]).toEqual({ release: 1 });
  });

  it("is sent again by the next run where its operation failed", async () => {
    const one = await open(variant);
    one.bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const failed = await one.up({ release: 1 });
    expect(failed.failures.map(messageOf)).toEqual([
      expect.stringMatching(
        /^restarting compute ep-\S+: operation start_compute \(\S+\) ended as failed.* the next `pulumi up` sends it again\.$/,
      ),
    ]);
    expect(one.engine.stored("weekly")).toBeUndefined();
    one.bench.emulator.connect(one.id());
    one.bench.clock.advance(10_000);
    await one.up({ release: 1 });
    expect(one.sent()).toBe(2);
    one.bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    await one.up({ release: 2 });
    expect(one.engine.stored("weekly")?.outs["triggers"]).toEqual({ release: 1 });
    one.bench.emulator.connect(one.id());
    one.bench.clock.advance(10_000);
    await one.up({ release: 2 });
    expect(one.sent()).toBe(4);
    expect(one.engine.stored("weekly")?.outs["triggers"]).toEqual({ release: 2 });
  });
});
