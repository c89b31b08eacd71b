import { closePostgres, closeSharedPostgres, describeOnPostgres } from "../../emulator/postgresSupport";
import { openSilenceWorld } from "./receipt";

/** A sample of `npm run test:long -- sockets`. */

describeOnPostgres("a receipt on a Postgres that runs", () => {
  afterAll(closeSharedPostgres);

  it("is no shorter than the silence that a client saw, and has none where its connection stood", async () => {
    const world = await openSilenceWorld();
    for (const to of [2, "restart"] as const) {
      const { receipt, silentMs } = await world.change(to);
      expect(receipt).toMatchObject({ happened: "restarted", announced: "restart" });
      expect(silentMs).toBeLessThanOrEqual(receipt?.mostMs ?? 0);
    }
    const { receipt, silentMs } = await world.change("a setting");
    expect(receipt?.happened).toBe("none");
    expect(silentMs).toBeUndefined();
    await closePostgres();
  });
});
