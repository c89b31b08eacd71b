import { describeOnPostgres } from "../../emulator/postgresSupport";
import { crash } from "./crash";

/** `npm run test:long -- sockets`: many kills, at many moments. */

jest.setTimeout(900_000);

describeOnPostgres("kill -9 of the emulator", () => {
  it("loses no acknowledged row and leaves no server", async () => {
    const result = await crash({ kills: Number(process.env["CRASH_KILLS"] ?? 50) });
    process.stderr.write(`${JSON.stringify(result)}\n`);
    expect(result.missing).toEqual([]);
    expect(result.left).toEqual([]);
  });
});
