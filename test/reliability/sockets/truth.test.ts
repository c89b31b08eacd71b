/** `npm run test:long -- sockets` has every change on an active and on an idle compute. */
import {
  closePostgres,
  closeSharedPostgres,
  describeOnPostgres,
} from "../../../emulator/test/postgresSupport";
import { worlds } from "../../support/receipts";
import { isLong } from "../seeds";
import { allCases, openSocketWorld, sampleCases, wrongIn, type SocketWorld } from "./truth";

const resizes = ["a fixed size grows", "a range's maximum alone"];
const cases = isLong ? allCases : sampleCases;

describeOnPostgres(
  "an open connection sees what the preview and the receipt say and the service counts",
  () => {
    afterEach(closePostgres);
    afterAll(closeSharedPostgres);

    describe.each(worlds)("on $service, where a new size $resize, by $by", (where) => {
      let world: SocketWorld;
      beforeAll(async () => {
        world = await openSocketWorld(where);
      });

      it.each(cases.map((one) => ({ ...one, state: one.isIdle ? "idle" : "active" })))(
        "of a compute that is $state: $reason",
        async (one) => {
          const seen = await world.tryCase(one);
          expect(wrongIn(one, seen)).toBeUndefined();
          if (isLong) return;
          const { isIdle, reason } = one;
          const stands = ["autosuspend later", "a setting", ...(where.resize === "live" ? resizes : [])];
          const isDropping = !isIdle && !stands.includes(reason);
          expect(seen.dropped).toBe(isDropping);
        },
      );
    });
  },
);
