import { createCondition } from "../../../provider/condition";
import { createFakeClock } from "../../support/fakeClock";

/** Callers that wait one after the other, and their names in the order in which they woke. */
function queue(...names: readonly string[]) {
  const condition = createCondition();
  const woken: string[] = [];
  const wait = async (name: string): Promise<void> => {
    await condition.wait();
    woken.push(name);
  };
  const waits = names.map(wait);
  return { condition, woken, wait, waits };
}

describe("a condition", () => {
  it("wakes one caller at a time, in the order in which they came", async () => {
    const { condition, woken, waits } = queue("first", "second");
    condition.notify();
    await waits[0];
    expect(woken).toEqual(["first"]);
    condition.notify();
    await waits[1];
    expect(woken).toEqual(["first", "second"]);
  });

  it("wakes all callers together", async () => {
    const { condition, woken, waits } = queue("first", "second", "third");
    condition.notifyAll();
    await Promise.all(waits);
    expect(woken).toEqual(["first", "second", "third"]);
  });

  it("says whether somebody waited", async () => {
    const { condition, waits } = queue("first", "second");
    expect([condition.notify(), condition.notifyAll(), condition.notify(), condition.notifyAll()]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    await Promise.all(waits);
  });

  it("keeps no wake-up for those who come later", async () => {
    const { condition, woken, wait } = queue();
    condition.notifyAll();
    const late = wait("late");
    await new Promise(setImmediate);
    expect(woken).toEqual([]);
    condition.notify();
    await late;
  });

  it("keeps a caller that waits again at once for the next change", async () => {
    const { condition, woken, wait, waits } = queue("first");
    const again = waits[0]?.then(() => wait("again"));
    condition.notifyAll();
    await new Promise(setImmediate);
    expect(woken).toEqual(["first"]);
    condition.notifyAll();
    await again;
    expect(woken).toEqual(["first", "again"]);
  });

  describe("with a limit", () => {
    it("ends the wait when the time is over, and wakes nobody in its place later", async () => {
      const clock = createFakeClock();
      const condition = createCondition();
      await condition.wait({ clock, ms: 700 });
      expect(clock.sleeps).toEqual([700]);
      expect(condition.notify()).toBe(false);
    });

    it("ends the wait early when it is woken", async () => {
      const clock = createFakeClock();
      const condition = createCondition();
      const wait = condition.wait({ clock, ms: 700 });
      expect(condition.notify()).toBe(true);
      const startMs = clock.monotonicMs();
      await wait;
      expect(clock.monotonicMs()).toBe(startMs);
    });

    it("ends the wait at once when the run is interrupted, before or during it", async () => {
      const clock = createFakeClock();
      const condition = createCondition();
      const run = new AbortController();
      const startMs = clock.monotonicMs();
      const during = condition.wait({ clock, ms: 700, interrupted: run.signal });
      run.abort();
      await during;
      await condition.wait({ clock, ms: 700, interrupted: run.signal });
      expect(clock.monotonicMs()).toBe(startMs);
      expect(condition.notify()).toBe(false);
    });
  });
});
