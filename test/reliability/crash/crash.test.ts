import { variants } from "../../support/variants";
import { describeInQuickPart, describeInRest } from "../../support/extent";
import { isWindows } from "../../support/systems";
import { lostAnswer, sampledCyclesOf } from "./cases";
import { openVictim, type Victim } from "./killing";

// On Windows there is no ps to say which processes to kill.
(isWindows ? describe.skip : describeInQuickPart)(
  "kill -9 of the CLI while the answer to a create is on its way",
  () => {
    it("leaves one compute and no process, and the same command goes on", async () => {
      const victim = await openVictim("dynamic");
      try {
        await expect(victim.run([lostAnswer])).resolves.toMatchObject([{ ended: "recovered" }]);
      } finally {
        await victim.close();
      }
    });
  },
);

(isWindows ? describe.skip : describeInRest).each(variants)(
  "with the %s variant, kill -9, then `pulumi cancel` and the same command",
  (variant) => {
    let victim: Victim;

    beforeAll(async () => {
      victim = await openVictim(variant);
    });
    afterAll(() => victim.close());

    it.each(sampledCyclesOf(variant))("leaves one compute and no process: $name", async ({ kills }) => {
      const outcomes = await victim.run(kills);
      expect(outcomes.map(({ ended }) => ended)).not.toContain("not reached");
    });
  },
);
