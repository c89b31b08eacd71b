import { messageOf } from "../../../../provider/pure/errors";
import { variants } from "../../../support/variants";
import { size } from "../lifecycle/bench";
import { hourMs, window } from "../lifecycle/stack";
import { open, openEmpty } from "./bench";

describe.each(variants)("a restart under a policy, with the %s variant", (variant) => {
  it.each(["resource", "stack"] as const)("that forbids it fails the preview: of the %s", async (place) => {
    const one = await open(variant);
    const how =
      place === "stack"
        ? { stack: { "compute:onInterruption": "forbid" } }
        : { restart: { onInterruption: "forbid" } };
    const created = await one.up({ release: 1 }, { ...how, isPreview: true });
    expect(created.failures.map(messageOf)).toEqual([
      expect.stringMatching(/restart: triggers \(release\) drops open connections.*This is forbidden here/),
    ]);
    await one.up({ release: 1 });
    const changed = await one.up({ release: 2 }, how);
    expect(changed.failures.map(messageOf)).toEqual([
      expect.stringMatching(/^restarting compute ep-\S+: restart: .*This is forbidden here/),
    ]);
    expect(one.sent()).toBe(1);
    const other = await one.up({ release: 1 }, { ...how, db: { suspendTimeoutSeconds: 600 } });
    expect(other.failures).toEqual([]);
  });

  it("that forbids it lets the run pass that creates the compute", async () => {
    const one = await openEmpty(variant);
    const stack = { "compute:onInterruption": "forbid" };
    const preview = await one.up({ release: 1 }, { stack, isPreview: true });
    expect(preview.failures).toEqual([]);
    expect(one.engine.rows).toContain("info: Not restarted: its compute is created in this run.");
    const made = await one.up({ release: 1 }, { stack });
    expect(made.failures).toEqual([]);
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

  it("forbid-when-active refuses in the update too, where a client has connected since the check", async () => {
    const one = await open(variant);
    const idle = { ...one.bench.live(one.id()), current_state: "idle" };
    one.bench.spoil("listEndpoints", { kind: "wrongShape", body: { endpoints: [idle] } });
    const { failures } = await one.up(
      { release: 1 },
      { stack: { "compute:onInterruption": "forbid-when-active" } },
    );
    expect(failures.map(messageOf)).toEqual([
      expect.stringMatching(/^restarting compute ep-\S+: restart: .*\(active now.*This is forbidden here/),
    ]);
    expect(one.sent()).toBe(0);
  });

  it("defer waits for the window, from its creation on, and says so in every run", async () => {
    const db = { suspendTimeoutSeconds: -1 };
    const one = await open(variant, { db });
    const how = { db, stack: { "compute:onInterruption": "defer", ...window } };
    const text =
      /^warning: deferred until .*Mon 5 Jan 10:00 \(UTC\): restart: triggers \(release\) drops open/;
    const created = await one.up({ release: 1 }, how);
    expect(created.steps["weekly"]).toBe("created");
    expect(one.engine.rows.at(-1)).toMatch(text);
    expect(one.engine.stored("weekly")?.outs).not.toHaveProperty("triggers");
    const again = await one.up({ release: 1 }, { ...how, isPreview: true });
    expect(again.steps["weekly"]).toBe("updated");
    expect(one.engine.rows.at(-1)).toMatch(text);
    expect(one.sent()).toBe(0);
    one.bench.clock.advance(2 * hourMs);
    await one.up({ release: 1 }, how);
    expect(one.sent()).toBe(1);
    one.bench.clock.advance(2 * hourMs);
    await one.up({ release: 2 }, how);
    expect(one.sent()).toBe(1);
    expect(one.engine.stored("weekly")?.outs["triggers"]).toEqual({ release: 1 });
    // Back to the old trigger: nothing waits any more.
    const back = await one.up({ release: 1 }, how);
    expect(back.steps["weekly"]).toBe("same");
  });

  it("of another resource does not hold it back, nor does it restart twice for two resources", async () => {
    const one = await open(variant, { db: { onInterruption: "forbid" } });
    const { projectId } = one.bench;
    const restart = (release: number): object => ({
      kind: "EndpointRestart",
      args: { projectId, endpointId: { $of: "db.endpointId" }, triggers: { release } },
    });
    const db = { args: { projectId, branchId: one.bench.branchId, ...size(1), onInterruption: "forbid" } };
    const { failures } = await one.engine.up({ db, a: restart(1), b: restart(1) } as never);
    expect(failures).toEqual([]);
    expect(one.sent()).toBe(1);
  });

  it("keeps a secret trigger out of rows and errors, and waits without its old value", async () => {
    const one = await open(variant);
    const token = "hunter2-token";
    const secrets = ["triggers"];
    await one.up({ token, kept: "plain-value" }, { secrets });
    const how = { stack: { "compute:onInterruption": "defer", ...window }, secrets };
    await one.up({ token: "another-token", kept: "plain-value" }, how);
    expect(one.engine.stored("weekly")?.outs["triggers"]).toEqual({ kept: "plain-value" });
    const { failures } = await one.up({ token }, { stack: { "compute:onInterruption": "forbid" }, secrets });
    expect(failures).toHaveLength(1);
    const printed = [...one.engine.rows, ...one.engine.shown, ...failures.map(messageOf)].join("\n");
    expect(printed).toContain("triggers (token)");
    expect(printed).not.toMatch(/hunter2|another-token/);
  });
});
