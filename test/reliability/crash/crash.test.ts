/** `npm run test:long -- crash` has every kill there is. */
import { describeInQuickPart, describeInRest } from "../../support/extent";
import { useStack } from "../../support/stack";
import { isWindows } from "../../support/systems";
import { chosenVariants } from "../../support/variants";
import { isLong } from "../seeds";
import { cyclesOf, lostAnswer, sampledCyclesOf } from "./cases";
import { runKills } from "./killing";

// On Windows there is no ps to say which processes to kill.
(isWindows ? describe.skip : describeInQuickPart)(
  "kill -9 of the CLI while the answer to a create is on its way",
  () => {
    const stack = useStack({});

    it("leaves one compute and no process, and the same command goes on", async () => {
      await expect(runKills(stack, [lostAnswer])).resolves.toMatchObject([{ ended: "recovered" }]);
    });
  },
);

(isWindows ? describe.skip : describeInRest).each(chosenVariants())(
  "with the %s variant, kill -9, then `pulumi cancel` and the same command",
  (variant) => {
    const stack = useStack({ variant });

    it.each(isLong ? cyclesOf(variant) : sampledCyclesOf(variant))(
      "leaves one compute and no process: $name",
      async ({ kills }) => {
        const outcomes = await runKills(stack, kills);
        // As it happens: all of them take half an hour.
        for (const { kill, ended } of outcomes) process.stderr.write(`${kill}: ${ended}\n`);
        if (!isLong) expect(outcomes.map(({ ended }) => ended)).not.toContain("not reached");
      },
    );
  },
);
