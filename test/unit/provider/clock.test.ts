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
