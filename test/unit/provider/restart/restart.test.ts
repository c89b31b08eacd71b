import { messageOf } from "../../../../provider/pure/errors";
import { changeOf } from "../../../../provider/pure/plan";
import { unknownValue } from "../../../../provider/pure/unknown";
import { variants } from "../../../support/variants";
import { size } from "../lifecycle/bench";
import type { EmulatorOptions } from "../../../../emulator";
import type { Values } from "../../../support/providerHandlers";
import { open, openEmpty } from "./bench";

type EmulatorSwitches = NonNullable<EmulatorOptions["switches"]>;

it.each<[reason: string, done: unknown, triggers: unknown, text: RegExp | undefined, certain?: boolean]>([
  ["all of the first are new", undefined, { a: 1, b: 2 }, /^restart: restartTriggers \(a, b\) drops/],
  ["all may stay", { a: 1 }, unknownValue, /^may restart: .*known only during/, false],
  ["there may be none", undefined, unknownValue, /^may restart: .*known only during/, false],
  ["it may stay", { a: 1 }, { a: [1, unknownValue] }, /^may restart: .*\(a\)/, false],
  ["b is new, whatever it will be", { a: 1 }, { a: unknownValue, b: unknownValue }, /^restart: .*\(a, b\)/],
  ["a list counts by its values", { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, /\(a\)/],
  ["a list with the same values", { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, undefined],
  ["one is removed", { a: 1, b: 1 }, { a: 1 }, undefined],
  ["all are removed", { a: 1 }, undefined, undefined],
])("triggers restart as far as %s: after %j, %j", (...[, done, triggers, text, certain = true]) => {
  const { interruption } = changeOf({ restartTriggers: done }, { restartTriggers: triggers });
  const told = text && { effect: "restart", certain, text: expect.stringMatching(text) as string };
  expect(interruption).toEqual(told);
});

describe.each(variants)("restartTriggers, with the %s variant", (variant) => {
  it("restart an active compute when a value is added or changes, and say what happened", async () => {
    const one = await open(variant);
    const first = await one.up({ release: 1 });
    expect(first).toMatchObject({ steps: { db: "updated" }, failures: [] });
    expect(first.notices["db"]).toMatch(/^restart: restartTriggers \(release\) drops open connections/);
    expect(one.engine.rows.at(-1)).toMatch(/^info: restarted, .*as announced \(.*start_compute.*\)$/);
    await one.up({ release: 1 });
    expect(one.restarts()).toBe(1);
    await one.up({ release: 2 });
    expect(one.restarts()).toBe(2);
    await one.up({ release: 2, key: "a" });
    expect([one.restarts(), one.sent()]).toEqual([3, 3]);
    expect(one.triggers()).toEqual({ release: 2, key: "a" });
    expect((await one.up({ release: 2, key: "a" })).steps).toEqual({ db: "same" });
  });

  it("send nothing where one is removed, or all, or another own argument changes", async () => {
    const one = await open(variant);
    await one.up({ release: 1, key: "a" });
    one.bench.takeRoutes();
    const removed = await one.up({ release: 1 });
    expect(removed.steps).toEqual({ db: "updated" });
    expect(removed.notices).toEqual({});
    await one.up({ release: 1 }, { db: { timeouts: { update: 60 }, onInterruption: "warn" } });
    await one.up(undefined);
    expect(one.triggers()).toBeUndefined();
    expect(one.bench.takeRoutes().filter((route) => !/^(?:list|get)/.test(route))).toEqual([]);
    // What was removed is new once it is back.
    await one.up({ release: 1 });
    expect(one.sent()).toBe(1);
  });

  it("restart nothing in a creation, an adoption, a replacement and a refresh", async () => {
    const one = await openEmpty(variant);
    const made = await one.up({ release: 1 });
    expect(made).toMatchObject({ failures: [], notices: {} });
    expect(one.triggers()).toEqual({ release: 1 });
    await one.up({ release: 2 }, { db: { type: "read_only" } });
    await one.engine.refresh();
    expect(one.triggers()).toEqual({ release: 2 });
    const other = one.bench.madeByOthers({ branch_id: one.bench.branchId, type: "read_only" });
    const { projectId, branchId } = one.bench;
    const adopt = { projectId, branchId, type: "read_only", adopt: other, restartTriggers: { release: 1 } };
    const adopted = await one.engine.up({ other: { args: adopt } });
    expect(adopted).toMatchObject({ steps: { other: "created" }, failures: [], notices: {} });
    expect(one.engine.stored("other")?.outs["restartTriggers"]).toEqual({ release: 1 });
    expect(one.sent()).toBe(0);
  });

  it.each<[reason: string, switches: EmulatorSwitches, db: Values, sent: number, restarts: number]>([
    ["a size restarts it", {}, size(2), 0, 1],
    ["a size restarts it, and shows only apply_config", { restartedBy: "apply_config" }, size(2), 0, 1],
    ["disabling it suspends it", {}, { disabled: true }, 0, 0],
    ["a setting does not, by the interface", {}, { settings: { pgSettings: { a: "1" } } }, 1, 1],
    ["a timeout leaves it alone", {}, { suspendTimeoutSeconds: 900 }, 1, 1],
  ])("come with another change in one update: %s", async (...[, switches, db, sent, restarts]) => {
    const one = await open(variant, { switches });
    const { failures } = await one.up({ release: 1 }, { db });
    expect(failures).toEqual([]);
    expect({ sent: one.sent(), restarts: one.restarts() }).toEqual({ sent, restarts });
    expect(one.triggers()).toEqual({ release: 1 });
    expect(one.bench.takeRoutes().filter((route) => route === "updateEndpoint")).toHaveLength(1);
    expect((await one.up({ release: 1 }, { db })).steps).toEqual({ db: "same" });
  });

  it("are sent where the size that is declared runs already: the PATCH restarts nothing", async () => {
    const one = await open(variant);
    one.bench.emulator.updateEndpoint(one.id(), { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
    one.bench.clock.advance(60_000);
    const before = one.restarts();
    await one.up({ release: 1 }, { db: size(2) });
    expect([one.sent(), one.restarts() - before]).toEqual([1, 1]);
  });

  it("come after the PATCH, whose operations have ended by then", async () => {
    const one = await open(variant, { switches: { lock: "project" } });
    await one.up({ release: 1 }, { db: { settings: { pgSettings: { a: "1" } } } });
    const routes = one.bench.takeRoutes();
    expect(routes.indexOf("restartEndpoint")).toBeGreaterThan(routes.indexOf("updateEndpoint"));
    expect(one.engine.rows.at(-1)).toMatch(/^info: restarted, .*\(apply_config.*, .*start_compute.*\)$/);
  });

  it.each(["idle", "disabled"])("do not start a compute that is %s, which the row says", async (running) => {
    const one = await open(variant);
    if (running === "idle") one.bench.emulator.suspendEndpoint(one.id());
    else one.bench.emulator.updateEndpoint(one.id(), { disabled: true });
    one.bench.clock.advance(60_000);
    await one.up({ release: 1 });
    expect(one.sent()).toBe(0);
    expect(one.engine.rows).toContain(`info: The compute is ${running}: there is nothing to restart.`);
    expect(one.triggers()).toEqual({ release: 1 });
  });

  it("restart no compute that the same update enables: it has run nothing", async () => {
    const one = await open(variant, { db: { disabled: true } });
    one.bench.clock.advance(60_000);
    await one.up({ release: 1 }, { db: { disabled: false } });
    expect(one.sent()).toBe(0);
    expect(one.triggers()).toEqual({ release: 1 });
  });

  it("keep a secret out of rows and errors, and the state without its old value while it waits", async () => {
    const one = await open(variant);
    const secrets = ["restartTriggers"];
    await one.up({ token: "hunter2-token", kept: "plain" }, { secrets });
    one.bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const failed = await one.up({ token: "another-token", kept: "plain" }, { secrets });
    expect(failed.failures).toHaveLength(1);
    expect(one.triggers()).toEqual({ kept: "plain" });
    const stack = { "compute:onInterruption": "forbid" };
    const { failures } = await one.up({ token: "third-token", kept: "plain" }, { stack, secrets });
    const printed = [...one.engine.rows, ...one.engine.shown, ...failures.map(messageOf)].join("\n");
    expect(printed).toContain("restartTriggers (token)");
    expect(printed).not.toMatch(/hunter2|another-token|third-token/);
  });

  it("are a may in the preview where a value is unknown", async () => {
    const one = await open(variant);
    await one.up({ image: "v1" });
    const { notices, verdicts } = await one.up({ image: unknownValue }, { isPreview: true });
    expect(notices["db"]).toMatch(/^may restart: restartTriggers \(image\) drops open connections/);
    expect(verdicts["db"]).toMatchObject({ effect: "restart", certain: false });
    await one.up({ image: "v1" });
    expect(one.sent()).toBe(1);
  });
});
