import {
  autoscaling,
  computeSize,
  computeSizes,
  figuresBetween,
  fixedSize,
  maxConnections,
  type SizeArgs,
} from "../../../provider/model/sizes";
import { serviceNames, type ServiceName } from "../../../provider/model/services";

describe("computeSizes", () => {
  /** The figures of all sizes are compared with the control plane's in truth. Neon caps the connections at 4,000. */
  it.each<[ServiceName, number, (number | undefined)[]]>([
    ["interface", 0.25, [1, 0.8, 112]],
    ["interface", 10, [40, 32, 4000]],
    ["neon", 0.25, [1, 0.75, 104]],
    ["neon", 16, [64, 48, 4000]],
    ["neon", 18, [72, undefined, 4000]],
    ["neon", 56, [224, undefined, 4000]],
  ])("lists on %s %d CU as the service does", (...[service, cu, row]) => {
    const [ramGb, localFileCacheGb, maxConnections] = row;
    expect(computeSize(cu, service)).toEqual({ cu, vCpu: cu, ramGb, localFileCacheGb, maxConnections });
  });

  it.each<[ServiceName, number[]]>([
    ["interface", [0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [
      "neon",
      [0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16].concat([
        18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56,
      ]),
    ],
    ["unknown", []],
  ])("lists nothing else of %s, smallest first", (service, sizes) => {
    expect(computeSizes(service).map(({ cu }) => cu)).toEqual(sizes);
  });

  it.each([0, -1, 0.75, 17, 57, Number.NaN])("knows no size of %d CU", (cu) => {
    for (const service of serviceNames) expect(computeSize(cu, service)).toBeUndefined();
  });

  it("refuses a program in JavaScript that names no service", () => {
    expect(() => computeSizes(undefined as unknown as ServiceName)).toThrow(
      new RangeError('The service is undefined, but must be one of "interface", "neon", "unknown".'),
    );
  });
});

it("size arguments have two limits, which are equal for a fixed size", () => {
  expect(fixedSize(2)).toEqual({ autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 });
  expect(autoscaling(0.5, 4)).toEqual({ autoscalingLimitMinCu: 0.5, autoscalingLimitMaxCu: 4 });
});

describe("maxConnections", () => {
  it.each<[ServiceName, SizeArgs, number | undefined, string]>([
    ["interface", fixedSize(2), 901, "the table has it"],
    ["interface", autoscaling(0.5, 4), 225, "the smaller limit decides (interface 8.2)"],
    ["interface", fixedSize(16), undefined, "the table has no such size"],
    ["interface", autoscaling(1, 16), undefined, "the table has no such maximum"],
    ["neon", autoscaling(1, 8), 3357, "the larger limit counts too"],
    ["neon", autoscaling(0.25, 8), 839, "it counts up to eight times the smaller one"],
    ["neon", autoscaling(0.25, 2), 839, "eight times the smaller one is the larger one"],
    ["neon", autoscaling(0.25, 16), undefined, "there is no such range"],
    ["neon", autoscaling(16, 20), undefined, "above 16 CU there are only fixed sizes"],
    ["neon", autoscaling(8, 1), undefined, "the limits are the wrong way round"],
    ["unknown", fixedSize(1), undefined, "nothing is known"],
  ])("is on %s of %j %p: %s", (service, size, connections) => {
    expect(maxConnections(size, service)).toBe(connections);
  });
});

describe("figuresBetween", () => {
  const onlyMin = (cu: number): Partial<SizeArgs> => ({ autoscalingLimitMinCu: cu });
  const larger = "max_connections 450 901, RAM 4 8 GB, file cache 3.2 6.4 GB";
  const narrower = "max_connections 3357 839, RAM 4 1 GB, file cache 3 0.75 GB";

  it.each<[ServiceName, reason: string, before: object, after: object, is: string]>([
    ["interface", "all change", fixedSize(1), fixedSize(2), larger],
    [
      "interface",
      "connections are capped",
      fixedSize(9),
      fixedSize(10),
      "RAM 36 40 GB, file cache 28.8 32 GB",
    ],
    ["interface", "the maximum is not known", onlyMin(1), onlyMin(2), larger],
    ["interface", "the old size is not known", {}, fixedSize(1), ""],
    ["interface", "the old size is not listed", fixedSize(16), fixedSize(1), ""],
    ["interface", "the new size is not listed", fixedSize(1), fixedSize(16), ""],
    ["interface", "the new size is no number", fixedSize(1), { autoscalingLimitMinCu: "?" }, ""],
    ["interface", "the larger limit alone changes", fixedSize(1), autoscaling(1, 4), ""],
    ["neon", "the larger limit alone changes", fixedSize(1), autoscaling(1, 4), "max_connections 419 1678"],
    ["neon", "the smaller limit alone changes", autoscaling(1, 8), autoscaling(0.25, 8), narrower],
    ["neon", "the maximum is not known", onlyMin(1), onlyMin(2), "RAM 4 8 GB, file cache 3 6 GB"],
    ["neon", "shared_buffers replace the file cache", fixedSize(16), fixedSize(18), "RAM 64 72 GB"],
    ["unknown", "nothing is known", fixedSize(1), fixedSize(2), ""],
  ])("tells on %s, where %s", (...[service, , before, after, is]) => {
    const figures = figuresBetween({ ...before }, { ...after }, service);
    const told = figures.map(({ name, from, to, unit }) => `${name} ${from} ${to} ${unit}`.trimEnd());
    expect(told.join(", ")).toBe(is);
  });
});
