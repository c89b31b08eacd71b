import { getEventListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import { deadlineIn, systemClock } from "../../../provider/clock";
import { createFakeClock } from "../../support/fakeClock";

/** How a sleep stands after this time. */
const after = (ms: number, sleep: Promise<void>): Promise<string> =>
  Promise.race([sleep.then(() => "awake"), setTimeout(ms, "asleep")]);

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

describe("the system's clock", () => {
  it("does not wake at once where a sleep is longer than a timer can be", async () => {
    const controller = new AbortController();
    await expect(after(50, systemClock.sleep(2 ** 40, controller.signal))).resolves.toBe("asleep");
    controller.abort();
  });

  it("sleeps to the end under a signal that is not aborted, and lets go of it", async () => {
    const { signal } = new AbortController();
    const startMs = performance.now();
    await systemClock.sleep(10, signal);
    // A timer of Node may fire a millisecond before its time.
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(9);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("is woken by the signal, and leaves no timer", async () => {
    const controller = new AbortController();
    const before = timers();
    const sleep = systemClock.sleep(600_000, controller.signal);
    expect(timers()).toBe(before + 1);
    controller.abort();
    await sleep;
    expect(timers()).toBe(before);
  });
});

describe("a deadline", () => {
  it("counts from when it was set, whatever the wall clock does", () => {
    const clock = createFakeClock();
    clock.advance(5_000);
    const deadline = deadlineIn(1_000, clock);
    expect(deadline).toMatchObject({ limitMs: 1_000 });
    clock.advance(400);
    clock.setWallClockOffBy(3_600_000);
    expect([deadline.elapsedMs(), deadline.leftMs()]).toEqual([400, 600]);
    clock.advance(1_000);
    expect([deadline.elapsedMs(), deadline.leftMs()]).toEqual([1_400, -400]);
  });
});
