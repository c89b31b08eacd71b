import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { createStack, programAt, type TestStack } from "../../support/stack";
import { describeUnlessWindows } from "../../support/systems";
import { variants } from "../../support/variants";
import { isAlive, runningNow } from "./processes";

/** Says once its compute is planned, and then hangs, so that the preview goes on. */
const program = `
const { writeFileSync } = require("node:fs");
const { Endpoint } = require(process.env.TESTED_PACKAGE);
const { projectId, branchId } = JSON.parse(process.env.DECLARED);
new Endpoint("db", { projectId, branchId }).urn.apply(() => {
  writeFileSync(process.env.PLANNED, "");
  setTimeout(() => undefined, 3_600_000);
});
`;

describeUnlessWindows("ps tells which processes to kill", "kill -9 of the CLI during a preview", () => {
  let stack: TestStack;

  afterEach(() => stack.close());

  it.each(variants)(
    "leaves no provider process that has sent nothing yet, with the %s variant",
    async (variant) => {
      stack = await createStack({
        variant,
        program: (folder) => {
          const file = path.join(folder, "program.js");
          writeFileSync(file, program);
          return programAt(file)(folder);
        },
      });
      const { projectId, emulator, folder } = stack;
      const branchId = emulator.createBranch(projectId, { compute: false }).branch.id;
      const planned = path.join(folder, "planned");
      const environment = {
        PLANNED: planned,
        DECLARED: JSON.stringify({ projectId, branchId }),
        // The preview of a primary would list the project.
        COMPUTE_LIVE_FACTS: "false",
      };
      const preview = stack.pulumi(["preview"], environment);
      let output: string | undefined;
      void preview.then((ended) => {
        output = ended.output;
      });
      while (!existsSync(planned)) {
        expect(output).toBeUndefined();
        await setTimeout(20);
      }
      const { cli, provider, below } = await runningNow();
      expect(emulator.requests()).toEqual([]);
      process.kill(cli, "SIGKILL");
      while (isAlive(provider)) await setTimeout(50);
      // The program's own host may take minutes to see that the engine is gone.
      for (const left of below.filter(isAlive)) process.kill(left, "SIGKILL");
      await preview;
    },
  );
});
