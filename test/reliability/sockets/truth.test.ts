import { closePostgres, closeSharedPostgres, describeOnPostgres } from "../../emulator/postgresSupport";
import { openSocketWorld, sampleCases, wrongIn, type SocketWorld } from "./truth";

/** A sample of `npm run test:long -- sockets`. */

describeOnPostgres("an open connection sees what the preview says and the service counts", () => {
  let world: SocketWorld;
  beforeAll(async () => {
    world = await openSocketWorld();
  });
  afterEach(closePostgres);
  afterAll(closeSharedPostgres);

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
