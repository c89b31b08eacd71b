import { autoscaling, computeSize, computeSizes, fixedSize } from "../../../provider/sizes";

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
