import { setImmediate as nextTurn } from "node:timers/promises";
import { createRun } from "../../../../provider/host/run";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

interface Counted {
  readonly ready: (id: string) => void;
  readonly clock: FakeClock;
  readonly lines: readonly string[];
}

function countReady(...planned: readonly string[]): Counted {
  const clock = createFakeClock();
  const lines: string[] = [];
  const run = createRun(clock, (line) => lines.push(line));
  for (const id of planned) run.noteNew({ id }, undefined);
  return {
    ready: (id) => {
      run.noteReady({ id });
    },
    clock,
    lines,
  };
}

describe("the line on the stack's row", () => {
  it("counts the computes that are ready, once for all that get ready together", async () => {
    const counted = countReady("a", "b", "c", "b");
    counted.clock.advance(1_400);
    counted.ready("a");
    counted.ready("b");
    await nextTurn();
    counted.clock.advance(40_000);
    counted.ready("c");
    await nextTurn();
    expect(counted.lines).toEqual(["2 computes ready, 1 s", "3 computes ready, 41 s"]);
  });

  it.each([
    { planned: ["a"], reason: "its own row says it of a single compute" },
    { planned: ["b", "c"], reason: "a command without a check plans nothing" },
  ])("says nothing where $reason", async ({ planned }) => {
    const counted = countReady(...planned);
    counted.ready("a");
    await nextTurn();
    expect(counted.lines).toEqual([]);
  });
});
