import { getEventListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import { systemClock, type Clock } from "../../../provider/clock";
import { createFakeClock } from "../../support/fakeClock";

/** Whether a sleep has ended after this time. */
const after = (ms: number, sleep: Promise<void>): Promise<string> =>
  Promise.race([sleep.then(() => "awake"), setTimeout(ms, "asleep")]);

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

describe("the system's clock", () => {
  it("does not wake at once if a sleep is longer than a timer can be", async () => {
    const controller = new AbortController();
    await expect(after(50, systemClock.sleep(2 ** 40, controller.signal))).resolves.toBe("asleep");
    controller.abort();
  });

  it("leaves no listener when a sleep ends, and no timer when it is aborted", async () => {
    const controller = new AbortController();
    const before = timers();
    await systemClock.sleep(10, controller.signal);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    const sleep = systemClock.sleep(600_000, controller.signal);
    expect(timers()).toBe(before + 1);
    controller.abort();
    await sleep;
    expect(timers()).toBe(before);
  });
});

interface Scene {
  readonly clock: Clock;
  /** Sleeps, and notes how it ended. */
  readonly sleep: (name: string, ms: number, signal?: AbortSignal) => Promise<void>;
  readonly note: (text: string) => void;
}

interface Row {
  readonly reason: string;
  readonly play: (scene: Scene) => Promise<unknown>;
  readonly happens: readonly string[];
}

/** Compares the fake clock of tests with the system's, in real time: the order in which waits end is the same with both. */
const rows: readonly Row[] = [
  {
    reason: "of equal sleeps, the one that began first ends first",
    play: ({ sleep }) => Promise.all([sleep("first", 10), sleep("second", 10)]),
    happens: ["first wakes", "second wakes"],
  },
  {
    reason: "a sleep of zero or negative length still ends after the call",
    play: async ({ sleep, note }) => {
      const sleeps = [sleep("none", 0), sleep("past", -5), sleep("some", 30)];
      note("asked");
      await Promise.resolve();
      note("a moment later");
      await Promise.all(sleeps);
    },
    happens: ["asked", "a moment later", "none wakes", "past wakes", "some wakes"],
  },
  {
    reason: "a sleep that begins when another ends counts from that moment",
    play: ({ sleep }) => {
      // Even on a slow machine, this sleep never reaches its end.
      const long = new AbortController();
      const second = (): Promise<void> => sleep("its second", 20);
      return Promise.all([
        sleep("one", 20)
          .then(second)
          .then(() => {
            long.abort();
          }),
        sleep("other", 600_000, long.signal),
        sleep("third", 10),
      ]);
    },
    happens: ["third wakes", "one wakes", "its second wakes", "other is woken"],
  },
  {
    reason: "an abort ends one sleep, and no other",
    play: ({ sleep }) => {
      const one = new AbortController();
      const other = new AbortController();
      const sleeps = [sleep("one", 30, one.signal), sleep("other", 30, other.signal), sleep("third", 10)];
      one.abort();
      return Promise.all(sleeps);
    },
    happens: ["one is woken", "third wakes", "other wakes"],
  },
  {
    reason: "both the wall time and the monotonic time advance by at least each sleep, and never go back",
    play: async ({ clock, sleep, note }) => {
      const [wallMs, monotonicMs] = [clock.now(), clock.monotonicMs()];
      const read: number[] = [];
      for (let times = 0; times < 5; times++) {
        read.push(clock.monotonicMs(), clock.monotonicMs());
        await sleep(`sleep ${times}`, 10);
      }
      // Node's timers can fire a millisecond early.
      const [wallPassedMs, passedMs] = [clock.now() - wallMs, clock.monotonicMs() - monotonicMs];
      note(`at least what was slept: ${passedMs >= 45 && wallPassedMs >= 45}`);
      note(`never back: ${read.every((ms, index) => index === 0 || ms >= read[index - 1]!)}`);
    },
    happens: [
      ...Array.from({ length: 5 }, (_, times) => `sleep ${times} wakes`),
      "at least what was slept: true",
      "never back: true",
    ],
  },
];

async function playedOn(clock: Clock, { play }: Row): Promise<readonly string[]> {
  const happened: string[] = [];
  const note = (text: string): void => void happened.push(text);
  await play({
    clock,
    note,
    sleep: (name, ms, signal) =>
      clock.sleep(ms, signal).then(() => {
        note(`${name} ${signal?.aborted === true ? "is woken" : "wakes"}`);
      }),
  });
  return happened;
}

describe.each([
  { name: "the system's clock", clock: () => systemClock },
  { name: "the fake clock of tests", clock: () => createFakeClock() },
])("$name", ({ clock }) => {
  it.each(rows)("behaves like the other clock: $reason", async (row) => {
    expect(await playedOn(clock(), row)).toEqual(row.happens);
  });
});
