import { describeOnPostgres } from "../../emulator/postgresSupport";
import { soak } from "./soak";

/** `npm run test:long -- sockets`: SOAK_SECONDS (600) of changes, and clients that write through all of them. */

const seconds = Number(process.env["SOAK_SECONDS"] ?? 600);
const seed = Number(process.env["SOAK_SEED"] ?? 1);

jest.setTimeout((seconds + 120) * 1000);

describeOnPostgres("writers through changes", () => {
  it(`lose no acknowledged row and no word in ${seconds} s`, async () => {
    const { changes, ledger, missing, left, told, lateMs } = await soak({ seconds, seed });
    const { acknowledged, connections, silent } = ledger;
    const ended = Object.fromEntries(ledger.ended);
    const refused = Object.fromEntries(ledger.refused);
    const rows = acknowledged.length;
    process.stderr.write(
      `${JSON.stringify({ rows, changes, connections, ended, silent, refused, lateMs, told })}\n`,
    );
    expect(missing).toEqual([]);
    expect(silent).toBe(0);
    expect(left).toEqual([]);
    expect(rows).toBeGreaterThan(0);
  });
});
