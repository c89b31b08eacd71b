import { closePostgres, closeSharedPostgres, describeOnPostgres } from "../../emulator/postgresSupport";
import { restartedBy } from "../../support/receipts";
import { openSocketWorld, sampleCases, wrongIn, type SocketWorld } from "./truth";

/** A sample of `npm run test:long -- sockets`. */

describeOnPostgres("an open connection sees what the preview says and the service counts", () => {
  afterEach(closePostgres);
  afterAll(closeSharedPostgres);

  describe.each(restartedBy)("restarted by %s", (by) => {
    let world: SocketWorld;
    beforeAll(async () => {
      world = await openSocketWorld(by);
    });

    it.each(sampleCases.map((one) => ({ ...one, state: one.isIdle ? "idle" : "active" })))(
      "of a compute that is $state: $reason",
      async (one) => {
        const seen = await world.tryCase(one);
        expect(wrongIn(one, seen)).toBeUndefined();
        const { isIdle, reason } = one;
        const isDropping = !isIdle && !["autosuspend later", "a setting"].includes(reason);
        expect(seen.dropped).toBe(isDropping);
      },
    );
  });
});
