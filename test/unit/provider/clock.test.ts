import { getEventListeners } from "node:events";
import { deadlineIn, systemClock } from "../../../provider/clock";
import { createFakeClock } from "../../support/fakeClock";

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** How a sleep stands after this time. */
async function after(ms: number, sleep: Promise<void>): Promise<string> {
  let how = "asleep";
  sleep.then(
    () => (how = "awake"),
    () => (how = "cancelled"),
  );
  await jest.advanceTimersByTimeAsync(ms);
  return how;
}

describe("the system's clock", () => {
  it("has wall time, and time that only goes forward", () => {
    jest.setSystemTime(Date.UTC(2026, 0, 5));
    expect(systemClock.now()).toBe(Date.UTC(2026, 0, 5));
    const before = systemClock.monotonicMs();
    jest.advanceTimersByTime(1_000);
    expect(systemClock.monotonicMs() - before).toBe(1_000);
  });

  it("sleeps as long as it is told, and no longer", async () => {
    const sleep = systemClock.sleep(1_000);
    await expect(after(999, sleep)).resolves.toBe("asleep");
    await expect(after(1, sleep)).resolves.toBe("awake");
  });

  it.each([
    { ms: -5, reason: "a time that has passed" },
    { ms: 0, reason: "no time" },
  ])("wakes at once: $reason", async ({ ms }) => {
    await expect(after(1, systemClock.sleep(ms))).resolves.toBe("awake");
  });

  it("does not wake at once where a sleep is longer than a timer can be", async () => {
    const sleep = systemClock.sleep(2 ** 40);
    await expect(after(1_000, sleep)).resolves.toBe("asleep");
  });

  it("sleeps to the end under a signal that is not aborted, and lets go of it", async () => {
    const { signal } = new AbortController();
    await expect(after(10, systemClock.sleep(10, signal))).resolves.toBe("awake");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("is woken by the signal, with its reason, and leaves no timer", async () => {
    const controller = new AbortController();
    const reason = new Error("cancelled");
    const sleep = systemClock.sleep(1_000, controller.signal);
    controller.abort(reason);
    await expect(sleep).rejects.toBe(reason);
    expect(jest.getTimerCount()).toBe(0);
  });

  it("does not even fall asleep where the signal has come already", async () => {
    const reason = new Error("cancelled");
    await expect(systemClock.sleep(1_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(jest.getTimerCount()).toBe(0);
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
