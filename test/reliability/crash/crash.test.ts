import { doors } from "../../support/doors";
import { isWindows } from "../../support/systems";
import { sampledCyclesOf } from "./cases";
import { openVictim, type Victim } from "./killing";

jest.setTimeout(180_000);

// On Windows there is no ps to say which processes to kill.
(isWindows ? describe.skip : describe).each(doors)(
  "behind the %s door, kill -9, then `pulumi cancel` and the same command",
  (door) => {
    let victim: Victim;

    beforeAll(async () => {
      victim = await openVictim(door);
    });
    afterAll(() => victim.close());

    it.each(sampledCyclesOf(door))("leaves one compute and no process: $name", async (cycle) => {
      const outcomes = await victim.run(cycle);
      expect(outcomes.map(({ ended }) => ended)).not.toContain("not reached");
    });
  },
);
