import { closePostgres, closeSharedPostgres, describeOnPostgres } from "../../emulator/postgresSupport";
import { agrees } from "../../support/receipts";
import { openSilenceWorld } from "./receipt";

describeOnPostgres("a receipt on a Postgres that runs", () => {
  afterAll(closeSharedPostgres);

  it("is no shorter than the silence that a client saw, and has none where its connection stood", async () => {
    const world = await openSilenceWorld("start_compute");
    for (const to of [2, "restart"] as const) {
      const { receipt, silentMs } = await world.change(to);
      expect(receipt).toMatchObject({ happened: "restarted", announced: "restart" });
      expect(silentMs).toBeLessThanOrEqual(receipt?.mostMs ?? 0);
    }
    const { receipt, silentMs } = await world.change("a setting");
    expect(receipt?.happened).toBe("not shown");
    expect(silentMs).toBeUndefined();
    await closePostgres();
  });

  it("does not deny the silence that a client saw in apply_config, and shows no restart", async () => {
    const world = await openSilenceWorld("apply_config");
    const { receipt, silentMs } = await world.change(2);
    expect(silentMs).toBeGreaterThan(0);
    expect(receipt).toMatchObject({ happened: "not shown", announced: "restart" });
    expect(agrees(receipt, true, "apply_config")).toBe(true);
    await closePostgres();
  });
});
