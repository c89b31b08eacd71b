import { messageOf } from "../../../../provider/pure/errors";
import { variants } from "../../../support/variants";
import { hourMs, window } from "../lifecycle/stack";
import { open, openEmpty } from "./bench";

describe.each(variants)("a restart under a policy, with the %s variant", (variant) => {
  it.each(["resource", "stack"] as const)("that forbids it fails the preview: of the %s", async (place) => {
    const one = await open(variant);
    const how =
      place === "stack"
        ? { stack: { "compute:onInterruption": "forbid" } }
        : { db: { onInterruption: "forbid" } };
    const { failures } = await one.up({ release: 1 }, { ...how, isPreview: true });
    expect(failures.map(messageOf)).toEqual([
      expect.stringMatching(
        /^changing compute ep-\S+: restart: restartTriggers \(release\) drops open connections.*This is forbidden here/,
      ),
    ]);
    const other = await one.up(undefined, { ...how, db: { ...how.db, suspendTimeoutSeconds: 600 } });
    expect(other.failures).toEqual([]);
    expect(one.sent()).toBe(0);
  });

  it("that forbids it lets the run pass that creates the compute, and one that removes a trigger", async () => {
    const one = await openEmpty(variant);
    const stack = { "compute:onInterruption": "forbid" };
    expect((await one.up({ release: 1 }, { stack })).failures).toEqual([]);
    expect((await one.up({}, { stack })).failures).toEqual([]);
    expect(one.sent()).toBe(0);
  });

  it("forbid-when-active passes while the compute is idle, and refuses once it is active", async () => {
    const one = await open(variant);
    const how = { stack: { "compute:onInterruption": "forbid-when-active" } };
    const refused = await one.up({ release: 1 }, { ...how, isPreview: true });
    expect(refused.failures).toHaveLength(1);
    one.bench.emulator.suspendEndpoint(one.id());
    one.bench.clock.advance(60_000);
    const passed = await one.up({ release: 1 }, how);
    expect(passed.failures).toEqual([]);
    expect(one.sent()).toBe(0);
  });

  it("defer waits for the window, says so in every run, and nothing waits once the old trigger is back", async () => {
    const db = { suspendTimeoutSeconds: -1 };
    const one = await open(variant, { db });
    const how = { db, stack: { "compute:onInterruption": "defer", ...window } };
    const text =
      /^warning: deferred until .*Mon 5 Jan 10:00 \(UTC\): restart: restartTriggers \(release\) drops open/;
    await one.up({ release: 1 }, how);
    expect(one.engine.rows.at(-1)).toMatch(text);
    expect(one.triggers()).toBeUndefined();
    const again = await one.up({ release: 1 }, { ...how, isPreview: true });
    expect(again.steps).toEqual({ db: "updated" });
    expect(one.engine.rows.at(-1)).toMatch(text);
    expect(one.sent()).toBe(0);
    one.bench.clock.advance(2 * hourMs);
    await one.up({ release: 1 }, how);
    expect(one.sent()).toBe(1);
    one.bench.clock.advance(2 * hourMs);
    await one.up({ release: 2 }, how);
    expect([one.sent(), one.triggers()]).toEqual([1, { release: 1 }]);
    const back = await one.up({ release: 1 }, how);
    expect(back.steps).toEqual({ db: "same" });
  });

  it("defer applies the other changes of the update now", async () => {
    const one = await open(variant);
    const stack = { "compute:onInterruption": "defer" };
    await one.up({ release: 1 }, { stack, db: { suspendTimeoutSeconds: 900 } });
    expect(one.bench.live(one.id())).toMatchObject({ suspend_timeout_seconds: 900 });
    expect([one.sent(), one.triggers()]).toEqual([0, undefined]);
    one.bench.clock.advance(hourMs);
    await one.up({ release: 1 }, { stack, db: { suspendTimeoutSeconds: 900 } });
    expect([one.sent(), one.triggers()]).toEqual([0, { release: 1 }]);
  });
});
