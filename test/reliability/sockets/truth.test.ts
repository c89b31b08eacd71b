import { closePostgres, closeSharedPostgres, describeOnPostgres } from "../../emulator/postgresSupport";
import { worlds } from "../../support/receipts";
import { openSocketWorld, sampleCases, wrongIn, type SocketWorld } from "./truth";

const resizes = ["a fixed size grows", "a range's maximum alone"];

/** A sample of `npm run test:long -- sockets`. */

describeOnPostgres("an open connection sees what the preview says and the service counts", () => {
  afterEach(closePostgres);
  afterAll(closeSharedPostgres);

  describe.each(worlds)("on $service, where a new size $resize, by $by", (where) => {
    let world: SocketWorld;
    beforeAll(async () => {
      world = await openSocketWorld(where);
    });

    it.each(sampleCases.map((one) => ({ ...one, state: one.isIdle ? "idle" : "active" })))(
      "of a compute that is $state: $reason",
      async (one) => {
        const seen = await world.tryCase(one);
        expect(wrongIn(one, seen)).toBeUndefined();
        const { isIdle, reason } = one;
        const stands = ["autosuspend later", "a setting", ...(where.resize === "live" ? resizes : [])];
        const isDropping = !isIdle && !stands.includes(reason);
        expect(seen.dropped).toBe(isDropping);
      },
    );
  });
});
