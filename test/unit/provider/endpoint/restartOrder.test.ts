import {
  createRestartOrder,
  type RestartingCompute,
} from "../../../../provider/endpoint/applying/restartOrder";
import { announcedComesWithinMs } from "../../../../provider/pure/timing";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

const place = (endpointId: string, more: Partial<RestartingCompute> = {}): RestartingCompute => ({
  projectId: "p",
  branchId: "br-a",
  type: "read_only",
  endpointId,
  ...more,
});
const primary = place("primary", { type: "read_write" });
const [one, two] = [place("one"), place("two")];

interface Scene {
  readonly clock: FakeClock;
  readonly order: ReturnType<typeof createRestartOrder>;
  /** `+one` where a turn begins, `-one` where it ends. */
  readonly log: string[];
  /** Takes a turn, and ends it after so long. @param until - what the turn waits for besides. */
  readonly restart: (place: RestartingCompute, ms?: number, interrupted?: AbortSignal) => Promise<void>;
}

function open(replicas = 2): Scene {
  const clock = createFakeClock();
  const order = createRestartOrder(clock);
  const log: string[] = [];
  const restart: Scene["restart"] = async (which, ms = 1_000, interrupted) => {
    const end = await order.enter(which, { onWait: () => undefined, interrupted, replicas });
    log.push(`+${which.endpointId}`);
    await clock.sleep(ms);
    log.push(`-${which.endpointId}`);
    end();
  };
  return { clock, order, log, restart };
}

describe("the order of restarts within a branch", () => {
  it("has one at a time, and the primary last, however they come", async () => {
    const { order, log, restart } = open();
    for (const each of [primary, one, two]) order.announce(each);
    await Promise.all([restart(primary), restart(one), restart(two)]);
    expect(log).toEqual(["+one", "-one", "+two", "-two", "+primary", "-primary"]);
  });

  it("has as many replicas at once as may be interrupted, and the primary by itself", async () => {
    const { clock, order, log, restart } = open(4);
    const replicas = ["one", "two", "three", "four"].map((id) => place(id));
    for (const each of [primary, ...replicas]) order.announce(each);
    await Promise.all([primary, ...replicas].map((each) => restart(each)));
    expect(log.slice(0, 4).sort()).toEqual(["+one", "+two", "-one", "-two"]);
    expect(log.slice(4, 8).sort()).toEqual(["+four", "+three", "-four", "-three"]);
    expect(log.slice(8)).toEqual(["+primary", "-primary"]);
    expect(clock.monotonicMs()).toBe(3_000);
  });

  it("lets the primary of a branch without replicas begin at once", async () => {
    const { clock, order, restart } = open(0);
    order.note();
    await restart(primary, 0);
    expect(clock.monotonicMs()).toBe(0);
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
    const elsewhere = place("elsewhere", { branchId: "br-b" });
    await Promise.all([restart(one, 5_000), restart(elsewhere)]);
    expect(log).toEqual(["+one", "+elsewhere", "-elsewhere", "-one"]);
    expect(clock.monotonicMs()).toBe(5_000);
  });

  it("costs a primary without replicas no more than the end of the declarations", async () => {
    const { clock, order, restart } = open();
    order.note();
    order.announce(primary);
    await restart(primary, 0);
    expect(clock.monotonicMs()).toBeLessThanOrEqual(500);
  });

  it("ends every wait at once where the run is interrupted", async () => {
    const { order, log, restart } = open();
    const interruption = new AbortController();
    for (const each of [primary, one, two]) order.announce(each);
    const all = Promise.all([
      restart(one, 60_000),
      restart(two, 1, interruption.signal),
      restart(primary, 1, interruption.signal),
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    interruption.abort();
    await all;
    expect([...log.slice(0, 3)].sort()).toEqual(["+one", "+primary", "+two"]);
  });
});
