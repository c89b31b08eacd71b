import { closeBenches, newBench } from "./support";
import type { Bench, Body } from "./support";

afterEach(closeBenches);

/** Six operations: two of the project, then four checks. */
async function busyBench(switches = {}): Promise<Bench> {
  const bench = await newBench({ switches });
  for (let count = 0; count < 4; count += 1) bench.emulator.checkAvailability(bench.project.project.id);
  return bench;
}

/** Reads all pages as a client does: until a cursor is missing, empty or repeated, or until a page is empty. */
async function pages(bench: Bench, limit: number): Promise<Body[]> {
  const seen: Body[] = [];
  for (
    let cursor: string | undefined, from = "";
    seen.length < 20;
    from = `&cursor=${encodeURIComponent(cursor)}`
  ) {
    const page = (await bench.send("GET", `${bench.at}/operations?limit=${limit}${from}`)).body;
    seen.push(page);
    const next = page.pagination?.cursor;
    if (!next || next === cursor || page.operations.length === 0) return seen;
    cursor = next;
  }
  return seen;
}

describe("the list of operations", () => {
  it.each([1, 6, 7])("holds every operation once, in pages of %i", async (limit) => {
    const bench = await busyBench();
    const ids = (await pages(bench, limit)).flatMap(({ operations }) => operations.map(({ id }) => id));
    expect(ids).toEqual(bench.emulator.operations(bench.project.project.id).map(({ id }) => id));
  });

  it("continues where the last page ended even if new operations appear: its cursor is a timestamp with fractional seconds", async () => {
    const bench = await busyBench();
    const all = bench.emulator.operations(bench.project.project.id).map(({ id }) => id);
    const first = (await bench.send("GET", `${bench.at}/operations?limit=2`)).body;
    expect(first.pagination!.cursor).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    bench.emulator.checkAvailability(bench.project.project.id);
    const cursor = encodeURIComponent(first.pagination!.cursor!);
    const second = (await bench.send("GET", `${bench.at}/operations?limit=2&cursor=${cursor}`)).body;
    expect(second.operations.map(({ id }) => id)).toEqual(all.slice(2, 4));
  });

  it.each([
    ...["limit=0", "limit=1001", "limit=x", "limit=-1", "limit=1.5", "cursor=x"].map((query) => ({ query })),
    { query: "limit=5", switches: { maxLimit: 4 } },
  ])("refuses $query", async ({ query, switches }: { query: string; switches?: object }) => {
    const bench = await busyBench(switches);
    expect((await bench.send("GET", `${bench.at}/operations?${query}`)).status).toBe(400);
  });

  it.each([
    { endOfList: "missing-cursor", pagination: [true, true, false] },
    { endOfList: "missing-pagination", pagination: [true, true, undefined] },
    { endOfList: "empty-string", pagination: [true, true, ""] },
    { endOfList: "empty-page", pagination: [true, true, true, false] },
    { endOfList: "repeat-cursor", pagination: [true, true, true, "same"] },
  ] as const)("ends as the switch endOfList says: $endOfList", async ({ endOfList, pagination }) => {
    const seen = await pages(await busyBench({ endOfList }), 2);
    const shown = seen.map(({ pagination: at }, index) => {
      if (at === undefined) return undefined;
      if (!at.cursor) return at.cursor ?? false;
      return at.cursor === seen[index - 1]?.pagination?.cursor ? "same" : true;
    });
    expect(shown).toEqual(pagination);
    expect(seen.flatMap(({ operations }) => operations)).toHaveLength(6);
  });
});
