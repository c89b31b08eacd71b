import { messageOf } from "../../../../provider/model/errors";
import type { MiniEngine, Program } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import { answers, lost } from "./bench";
import { bench } from "./eachTest";
import { openEngine } from "./stack";

describe.each(variants)(
  "what the user decides after a killed create, with the %s variant",
  (variant: Variant) => {
    const replica = (more: object = {}): Program => ({
      app: { args: { projectId: bench.projectId, branchId: bench.branchId, type: "read_only", ...more } },
    });

    async function killedBeforeAnswer(): Promise<{ engine: MiniEngine; left: string }> {
      const engine = openEngine(bench, variant);
      bench.spoil("createEndpoint", lost);
      bench.emulator.addFault(answers(500, { after: 1, times: 1_000 }));
      await engine.up(replica(), { isKilled: true });
      bench.emulator.clearFaults();
      const { failures } = await engine.up(replica());
      expect(failures.map(messageOf).join()).toContain(
        "an earlier run of this stack began to create it and did not end, and the branch has",
      );
      return { engine, left: bench.computes()[0] ?? "" };
    }

    it("is to adopt it: it is managed from then on, and a destroy deletes it", async () => {
      const { engine, left } = await killedBeforeAnswer();
      const first = await engine.up(replica({ adopt: left }));
      expect(first).toMatchObject({ failures: [], steps: { app: "created" } });
      const second = await engine.up(replica());
      expect(second).toMatchObject({ failures: [], steps: { app: "same" } });
      await engine.destroy();
      expect(bench.computes()).toEqual([]);
    });

    it("is to create another one, by Pulumi's own command", async () => {
      const { engine, left } = await killedBeforeAnswer();
      engine.clearPendingCreates();
      await expect(engine.up(replica())).resolves.toMatchObject({ failures: [] });
      await expect(engine.up(replica())).resolves.toMatchObject({ steps: { app: "same" } });
      expect(bench.computes()).toHaveLength(2);
      await engine.destroy();
      expect(bench.computes()).toEqual([left]);
    });

    it("is to adopt it as the new side of a replacement: the old compute is deleted", async () => {
      const engine = openEngine(bench, variant);
      await engine.up(replica({ regionId: "local-1" }));
      const [old] = bench.computes();
      const moved = { regionId: "local-2" };
      bench.spoil("createEndpoint", lost);
      bench.takeRoutes();
      const killed = engine.up(replica(moved), { isKilled: true });
      await bench.untilSent("createEndpoint");
      bench.emulator.addFault(answers(500, { times: 1_000 }));
      await killed;
      bench.emulator.clearFaults();
      const stopped = await engine.up(replica(moved));
      const left = bench.computes().find((id) => id !== old) ?? "none";
      expect(stopped.failures.map(messageOf).join()).toContain(`adopt: "${left}"`);
      const decided = await engine.up(replica({ ...moved, adopt: left }));
      expect(decided).toMatchObject({ failures: [], steps: { app: "replaced" } });
      expect(bench.computes()).toEqual([left]);
      await expect(engine.up(replica(moved))).resolves.toMatchObject({ steps: { app: "same" } });
    });
  },
);
