import { closePostgres, closeSharedPostgres, describeOnPostgres } from "../../emulator/postgresSupport";
import { worlds } from "../../support/receipts";
import { changeCases, openSocketWorld, sizeCases, wrongIn, type SocketCase } from "./truth";

/** `npm run test:long -- sockets`: every change on an active and on an idle compute, and all pairs of fixed sizes. */

jest.setTimeout(900_000);

describeOnPostgres("preview, counter and an open connection agree", () => {
  afterAll(closeSharedPostgres);

  it.each(
    worlds.flatMap((where) => [
      { ...where, name: "every kind of change, active and idle", cases: changeCases },
      { ...where, name: "all pairs of fixed sizes", cases: sizeCases },
    ]),
  )("in $name, on $service, where a new size $resize, by $by", async ({ name, cases, ...where }) => {
    const world = await openSocketWorld(where);
    const startedMs = Date.now();
    const tally = { cases: 0, dropped: 0, stood: 0, idle: 0, wrong: [] as string[] };
    for (const one of cases) {
      const seen = await world.tryCase(one);
      tally.cases += 1;
      if (one.isIdle) tally.idle += 1;
      else if (seen.dropped) tally.dropped += 1;
      else tally.stood += 1;
      const wrong = wrongIn(one, seen);
      if (wrong !== undefined) tally.wrong.push(`${nameOf(one)}: ${wrong}`);
    }
    await closePostgres();
    const seconds = Math.round((Date.now() - startedMs) / 1000);
    process.stderr.write(
      `${name}, ${Object.values(where).join(" ")}: ${JSON.stringify({ ...tally, seconds })}\n`,
    );
    expect(tally.wrong).toEqual([]);
    expect(tally.cases).toBe(cases.length);
  });
});

function nameOf({ reason, isIdle }: SocketCase): string {
  return `${reason} (${isIdle ? "idle" : "active"})`;
}
