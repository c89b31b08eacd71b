import {
  autoscaling,
  computeSize,
  figuresBetween,
  fixedSize,
  maxConnections,
  type SizeTable,
} from "../../../provider/sizes";
import type { Unreadable } from "../../../provider/errors";
import { sizeTableFrom, withoutFigures } from "../../../provider/settings/sizeTables";

function tableFrom(source: string): SizeTable {
  const table = sizeTableFrom(source);
  if ("sizes" in table) return table;
  throw new Error(table.what);
}

function problemOf(source: string): Unreadable {
  const table = sizeTableFrom(source);
  if ("what" in table) return table;
  throw new Error("nothing was refused");
}

/** As the service's own page has it: CU, RAM, cache, max_connections. */
const documented = `
0.25 1 0.75 104
0.5 2 1.5 209
1 4 3 419
2 8 6 839
3 12 9 1258
4 16 12 1678
5 20 15 2098
6 24 18 2517
7 28 21 2937
8 32 24 3357
9 36 27 4000
10 40 30 4000
11 44 33 4000
12 48 36 4000
13 52 39 4000
14 56 42 4000
15 60 45 4000
16 64 48 4000
18 72 54 4000
20 80 60 4000
22 88 66 4000
24 96 72 4000
26 104 78 4000
28 112 84 4000
30 120 90 4000
32 128 96 4000
34 136 102 4000
36 144 108 4000
38 152 114 4000
40 160 - 4000
42 168 - 4000
44 176 - 4000
46 184 - 4000
48 192 - 4000
50 200 - 4000
52 208 - 4000
54 216 - 4000
56 224 - 4000`.trim();

describe("the table neon", () => {
  const neon = tableFrom("neon");

  it("has what is documented, and no cache where none is", () => {
    const rows = neon.sizes.map(({ cu, ramGb, localFileCacheGb = "-", maxConnections: most }) =>
      [cu, ramGb, localFileCacheGb, most].join(" "),
    );
    expect(rows).toEqual(documented.split("\n"));
  });

  it.each([
    // The examples of the service's page.
    { size: fixedSize(4), is: 1678 },
    { size: autoscaling(0.25, 2), is: 839 },
    { size: autoscaling(0.25, 4), is: 839 },
    { size: autoscaling(2, 8), is: 3357 },
    { size: autoscaling(0.5, 1), is: 419 },
    { size: fixedSize(56), is: 4000 },
    { size: fixedSize(17), is: undefined },
  ])("has max_connections $is for $size: both limits decide", ({ size, is }) => {
    expect(maxConnections(size, neon)).toBe(is);
  });

  it("tells of connections where the larger limit alone changes", () => {
    const figures = figuresBetween({ ...autoscaling(0.25, 1) }, { ...autoscaling(0.25, 2) }, neon);
    expect(figures).toEqual([{ name: "max_connections", from: 419, to: 839, unit: "" }]);
  });

  it("tells nothing of a cache that is not documented", () => {
    const names = figuresBetween({ ...fixedSize(38) }, { ...fixedSize(40) }, neon).map(({ name }) => name);
    expect(names).toEqual(["RAM"]);
  });

  it("tells nothing of connections where a limit is not known", () => {
    const names = figuresBetween(undefined, { autoscalingLimitMinCu: 1 }, neon).map(({ name }) => name);
    expect(names).toEqual(["RAM", "file cache"]);
  });
});

describe("a table of one's own", () => {
  const own = tableFrom('[{"cu":4,"maxConnections":900},{"cu":1,"maxConnections":300,"ramGb":2}]');

  it("has its rows, smallest first, and nothing besides", () => {
    expect(own.sizes).toEqual([
      { cu: 1, maxConnections: 300, ramGb: 2 },
      { cu: 4, maxConnections: 900 },
    ]);
    expect(computeSize(2, own)).toBeUndefined();
  });

  it("has connections of fixed sizes alone: its rows do not say which limit decides", () => {
    expect(maxConnections(fixedSize(4), own)).toBe(900);
    expect(maxConnections(autoscaling(1, 4), own)).toBeUndefined();
  });

  it("is the same table, read from what a preview carries", () => {
    expect(tableFrom(own.source).sizes).toEqual(own.sizes);
  });

  it.each([
    {
      source: "neom",
      what: 'it is "neom", which is neither the name of a table nor JSON',
      fix: /^Set it to interface, neon or a list/,
    },
    {
      source: "none",
      what: 'it is "none", which is neither the name of a table nor JSON',
      fix: /"localFileCacheGb":3.2}\]$/,
    },
    { source: '{"cu":1}', what: 'it is {"cu":1}, which is no list of rows', fix: /^Set it to/ },
    { source: "[]", what: "it is [], which is no list of rows", fix: /^Set it to/ },
    { source: "[1]", what: "row 1 is 1", fix: /^Write it as an object, such as those of \[\{"cu":1,/ },
    { source: '[{"cu":1},[]]', what: "row 2 is []", fix: /^Write it as an object/ },
    { source: '[{"cu":1},{"ramGb":4}]', what: "row 2 has no cu", fix: /^Write its size: cu, a number/ },
    { source: '[{"cu":"1"}]', what: 'row 1 has cu "1"', fix: /^Write a number of Compute Units above 0$/ },
    { source: '[{"cu":0}]', what: "row 1 has cu 0", fix: /above 0$/ },
    {
      source: '[{"cu":1,"maxConnections":450.5}]',
      what: "row 1 (1 CU) has maxConnections 450.5",
      fix: /^Write a whole number above 0, or leave it out where you do not know it$/,
    },
    {
      source: '[{"cu":1,"ramGb":"4"}]',
      what: 'row 1 (1 CU) has ramGb "4"',
      fix: /^Write a number of GB above 0, or/,
    },
    {
      source: '[{"cu":1,"localFileCacheGb":null}]',
      what: "row 1 (1 CU) has localFileCacheGb null",
      fix: /GB/,
    },
    {
      source: '[{"cu":1,"ram_gb":4}]',
      what: "row 1 (1 CU) has ram_gb 4",
      fix: /^Write cu, ramGb, maxConnections, localFileCacheGb, and leave out what you do not know$/,
    },
    {
      source: '[{"cu":1},{"cu":2},{"cu":1}]',
      what: "rows 1 and 3 are both of 1 CU",
      fix: /^Keep one of them$/,
    },
  ])("is refused as $source: $what", ({ source, what, fix }) => {
    const problem = problemOf(source);
    expect(problem.what).toBe(what);
    expect(problem.fix).toMatch(fix);
  });
});

describe("a table without figures", () => {
  it("has the same sizes, and tells nothing of them", () => {
    const bare = withoutFigures(tableFrom("neon"));
    expect(bare.sizes).toHaveLength(38);
    expect(figuresBetween({ ...fixedSize(1) }, { ...fixedSize(2) }, bare)).toEqual([]);
    expect(bare.largestAutoscalingCu).toBe(16);
  });
});
