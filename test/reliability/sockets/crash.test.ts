import { describeOnPostgres } from "../../emulator/postgresSupport";
import { crash } from "./crash";

/** A sample of `npm run test:long -- sockets`. */

describeOnPostgres("kill -9 of the emulator", () => {
  it("loses no acknowledged row and leaves no server, with a change under way or without", async () => {
    const { missing, left, rows } = await crash({ kills: 2 });
    expect(missing).toEqual([]);
    expect(left).toEqual([]);
    expect(rows).toBeGreaterThan(10);
  });
});
