import {
  autoscaling,
  computeSize,
  computeSizes,
  figuresBetween,
  fixedSize,
  maxConnections,
} from "../../../provider/sizes";

describe("computeSizes", () => {
  it.each([
    [0.25, 1, 0.8, 112],
    [0.5, 2, 1.6, 225],
    [1, 4, 3.2, 450],
    [2, 8, 6.4, 901],
    [3, 12, 9.6, 1351],
    [4, 16, 12.8, 1802],
    [5, 20, 16, 2253],
    [6, 24, 19.2, 2703],
    [7, 28, 22.4, 3154],
    [8, 32, 25.6, 3604],
    [9, 36, 28.8, 4000],
    [10, 40, 32, 4000],
  ])("lists %d CU as interface 8.1 does", (cu, ...row) => {
    const [ramGb, localFileCacheGb, maxConnections] = row;
    expect(computeSize(cu)).toEqual({ cu, vCpu: cu, ramGb, localFileCacheGb, maxConnections });
  });

  it("lists nothing else, smallest first", () => {
    expect(computeSizes.map(({ cu }) => cu)).toEqual([0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it.each([0, -1, 0.75, 11, Number.NaN])("knows no size of %d CU", (cu) => {
    expect(computeSize(cu)).toBeUndefined();
  });
});

describe("size arguments", () => {
  it("gives a fixed size two equal limits", () => {
    expect(fixedSize(2)).toEqual({ autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 });
  });

  it("gives autoscaling its two limits", () => {
    expect(autoscaling(0.5, 4)).toEqual({ autoscalingLimitMinCu: 0.5, autoscalingLimitMaxCu: 4 });
  });
});

describe("maxConnections", () => {
  it("is that of the smaller limit (interface 8.2)", () => {
    expect(maxConnections(fixedSize(2))).toBe(901);
    expect(maxConnections(autoscaling(0.5, 4))).toBe(225);
    expect(maxConnections(fixedSize(16))).toBeUndefined();
  });
});

describe("figuresBetween", () => {
  const told = (before: object | undefined, after: object): readonly string[] =>
    figuresBetween(before as Record<string, unknown>, after as Record<string, unknown>).map(
      ({ name, from, to, unit }) => `${name} ${String(from)} ${to} ${unit}`.trimEnd(),
    );

  it.each([
    [
      ["max_connections 450 901", "RAM 4 8 GB", "file cache 3.2 6.4 GB"],
      "all change",
      fixedSize(1),
      fixedSize(2),
    ],
    [
      ["RAM 36 40 GB", "file cache 28.8 32 GB"],
      "the connections are capped, and stay",
      fixedSize(9),
      fixedSize(10),
    ],
    [
      ["max_connections null 450", "RAM null 4 GB", "file cache null 3.2 GB"],
      "a new compute had none",
      undefined,
      fixedSize(1),
    ],
    [[], "the old size is not known", {}, fixedSize(1)],
    [["RAM 64 4 GB"], "the old size is not listed", fixedSize(16), fixedSize(1)],
    [["RAM 4 64 GB"], "the new size is not listed", fixedSize(1), fixedSize(16)],
    [[], "the new size is no number", fixedSize(1), { autoscalingLimitMinCu: "?" }],
    [[], "the larger limit alone changes", fixedSize(1), autoscaling(1, 4)],
  ])("is %j where %s", (...[is, , before, after]) => {
    expect(told(before, after)).toEqual(is);
  });
});
