import { createRestartOrder, type RestartingCompute } from "../../../../provider/run/restartOrder";
import { announcedComesWithinMs } from "../../../../provider/model/timing";
import { createFakeClock } from "../../../support/fakeClock";

const place = (endpointId: string, more: Partial<RestartingCompute> = {}): RestartingCompute => ({
  projectId: "p",
  branchId: "br-a",
  type: "read_only",
  endpointId,
  ...more,
});
const primary = place("primary", { type: "read_write" });
const [one, two] = [place("one"), place("two")];

function open(replicas = 2) {
  const clock = createFakeClock();
  const order = createRestartOrder(clock);
  /** `+one` where a turn begins, `-one` where it ends. */
  const log: string[] = [];
  /** Takes a turn, and ends it after so long. */
  const restart = async (which: RestartingCompute, ms = 1_000, interrupted?: AbortSignal): Promise<void> => {
    const turn = await order.enter(which, { onWait: () => undefined, interrupted, replicas });
    log.push(`+${which.endpointId}`);
    await clock.sleep(ms);
    log.push(`-${which.endpointId}`);
    turn.end();
  };
  return { clock, order, log, restart };
}

/** That replicas come one after the other, half of them at most, and the primary last, is in test/scenarios/branch. */
describe("the order of restarts within a branch", () => {
  it.each([
    { replicas: 0, mostMs: 0, reason: "it has no replicas" },
    { replicas: 2, mostMs: 500, reason: "none of them is declared until the declarations end" },
  ])("lets a primary begin within $mostMs ms: $reason", async ({ replicas, mostMs }) => {
    const { clock, order, restart } = open(replicas);
    order.note();
    order.announce(primary);
    await restart(primary, 0);
    expect(clock.monotonicMs()).toBeLessThanOrEqual(mostMs);
  });

  it("keeps replicas waiting while the primary has its turn", async () => {
    const { clock, log, restart } = open(4);
    const first = restart(primary);
    await clock.sleep(1);
    await Promise.all([first, restart(one), restart(two)]);
    expect(log.slice(0, 2)).toEqual(["+primary", "-primary"]);
  });

  it("lets the primary wait for replicas that the program declares after it", async () => {
    const { clock, order, log, restart } = open();
    order.note();
    order.announce(primary);
    const first = restart(primary);
    await clock.sleep(200);
    order.note();
    order.announce(one);
    await clock.sleep(50);
    await Promise.all([first, restart(one)]);
    expect(log).toEqual(["+one", "-one", "+primary", "-primary"]);
  });

  it("goes by the engine's order where an announced update does not begin", async () => {
    const { clock, order, log, restart } = open();
    for (const each of [primary, one]) order.announce(each);
    await restart(primary, 10);
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(announcedComesWithinMs);
    expect(clock.monotonicMs()).toBeLessThan(2 * announcedComesWithinMs);
    await restart(one, 10);
    expect(log).toEqual(["+primary", "-primary", "+one", "-one"]);
  });

  it("waits for an announced replica anew after each that is done", async () => {
    const { clock, order, log, restart } = open();
    for (const each of [primary, one, two]) order.announce(each);
    const last = restart(primary);
    await restart(one, 60_000);
    await clock.sleep(announcedComesWithinMs / 2);
    await Promise.all([restart(two), last]);
    expect(log).toEqual(["+one", "-one", "+two", "-two", "+primary", "-primary"]);
  });

  it("keeps nobody waiting on other branches, nor a replica that is alone", async () => {
    const { clock, order, log, restart } = open();
    order.announce(primary);
    await Promise.all([restart(one, 5_000), restart(place("elsewhere", { branchId: "br-b" }))]);
    expect(log).toEqual(["+one", "+elsewhere", "-elsewhere", "-one"]);
    expect(clock.monotonicMs()).toBe(5_000);
  });

  it("ends every wait at once where the run is interrupted", async () => {
    const { order, log, restart } = open();
    const interruption = new AbortController();
    const { signal } = interruption;
    for (const each of [primary, one, two]) order.announce(each);
    const all = Promise.all([restart(one, 60_000), restart(two, 1, signal), restart(primary, 1, signal)]);
    await new Promise((resolve) => setImmediate(resolve));
    interruption.abort();
    await all;
    expect([...log.slice(0, 3)].sort()).toEqual(["+one", "+primary", "+two"]);
  });
});
