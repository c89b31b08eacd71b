/** `npm run test:long -- sockets` kills many times, at many moments. */
import { describeOnPostgres } from "../../emulator/postgresSupport";
import { isLong } from "../seeds";
import { crash } from "./crash";

describeOnPostgres("kill -9 of the emulator", () => {
  it("loses no acknowledged row and leaves no server, with a change under way or without", async () => {
    const { missing, left, rows } = await crash({ kills: isLong ? 50 : 2 });
    expect(missing).toEqual([]);
    expect(left).toEqual([]);
    expect(rows).toBeGreaterThan(10);
  });
});
