/** Sizes and their figures. truth.test compares the figures of all sizes, and of every pair, with the control plane's. */
import { Clock, startEmulator, type Emulator } from "../../../../emulator";
import { checkInputs } from "../../../../provider/model/inputs";
import { serviceNames, type ServiceName } from "../../../../provider/model/services";
import { autoscaling, computeSize, computeSizes, fixedSize } from "../../../../provider/model/sizes";
import { figuresBetween, maxConnections, type SizeArgs } from "../../../../provider/model/sizes";

it.each<[ServiceName, number, ramGb: number, localFileCacheGb: number | undefined, maxConnections: number]>([
  ["interface", 0.25, 1, 0.8, 112],
  ["neon", 0.25, 1, 0.75, 104],
  ["neon", 56, 224, undefined, 4000],
])("on %s, %d CU have the service's figures", (...[service, cu, ramGb, localFileCacheGb, most]) => {
  const size = { cu, vCpu: cu, ramGb, localFileCacheGb, maxConnections: most };
  expect(computeSize(cu, service)).toEqual(size);
});

const upTo = (from: number, to: number, by: number): number[] =>
  Array.from({ length: (to - from) / by + 1 }, (_, index) => from + index * by);
it.each<[ServiceName, number[]]>([
  ["interface", [0.25, 0.5, ...upTo(1, 10, 1)]],
  ["neon", [0.25, 0.5, ...upTo(1, 16, 1), ...upTo(18, 56, 2)]],
  ["unknown", []],
])("%s has these sizes and no other, smallest first", (service, sizes) => {
  expect(computeSizes(service).map(({ cu }) => cu)).toEqual(sizes);
  for (const cu of [0, -1, 0.75, 17, 57, Number.NaN]) expect(computeSize(cu, service)).toBeUndefined();
  expect(serviceNames).toContain(service);
});

it("a program in JavaScript that names no service is refused", () => {
  expect(() => computeSizes(undefined as unknown as ServiceName)).toThrow(
    new RangeError('The service is undefined, but must be one of "interface", "neon", "unknown".'),
  );
});

it.each<[ServiceName, SizeArgs, number | undefined, string]>([
  ["interface", autoscaling(0.5, 4), 225, "the smaller limit decides (interface 8.2)"],
  ["interface", fixedSize(16), undefined, "the table has no such size"],
  ["neon", autoscaling(0.25, 8), 839, "the maximum counts up to eight times the minimum"],
  ["neon", autoscaling(0.25, 16), undefined, "the range is too wide"],
  ["neon", autoscaling(16, 20), undefined, "above 16 CU there are only fixed sizes"],
  ["neon", autoscaling(8, 1), undefined, "the limits are the wrong way round"],
  ["unknown", fixedSize(1), undefined, "the sizes of the service are not known"],
])("the number of connections on %s with %j is %p: %s", (service, size, connections) => {
  expect(maxConnections(size, service)).toBe(connections);
});

const onlyMin = (cu: number): Partial<SizeArgs> => ({ autoscalingLimitMinCu: cu });
const larger = "max_connections 450 901, RAM 4 8 GB, file cache 3.2 6.4 GB";
it.each<[ServiceName, reason: string, before: object, after: object, is: string]>([
  ["interface", "the maximum is not known", onlyMin(1), onlyMin(2), larger],
  ["interface", "the old size is not known", {}, fixedSize(1), ""],
  ["interface", "the old size is not listed", fixedSize(16), fixedSize(1), ""],
  ["interface", "the new size is not a number", fixedSize(1), { autoscalingLimitMinCu: "?" }, ""],
  ["neon", "the maximum is not known", onlyMin(1), onlyMin(2), "RAM 4 8 GB, file cache 3 6 GB"],
  ["unknown", "the sizes of the service are not known", fixedSize(1), fixedSize(2), ""],
])("a notice on %s has the known figures where %s", (...[service, , before, after, is]) => {
  const figures = figuresBetween({ ...before }, { ...after }, service);
  const told = figures.map(({ name, from, to, unit }) => `${name} ${from} ${to} ${unit}`.trimEnd());
  expect(told.join(", ")).toBe(is);
});

/** The test tries every pair of these sizes. Some of them do not exist at the service. */
const cus = [0.25, 0.3, 0.5, 0.75, 1, 2, 3, 7, 8, 8.5, 9, 10, 11, 15, 16, 17, 18, 19, 20, 55, 56, 57, 58];

describe.each(["interface", "neon"] as const)("a size on %s", (service) => {
  let emulator: Emulator;
  let place: { projectId: string; branchId: string };

  beforeAll(async () => {
    emulator = await startEmulator({ clock: new Clock("manual"), operationMs: 0, switches: { service } });
    const { project, branch } = emulator.createProject();
    place = { projectId: project.id, branchId: branch.id };
  });
  afterAll(() => emulator.close());

  const passes = (size: SizeArgs, more: object = {}): boolean =>
    checkInputs({ ...place, ...size, ...more }, { service, creates: true }).failures.length === 0;

  /** @returns the delay that the service keeps; undefined if it refuses the size. */
  const delayOf = ({ autoscalingLimitMinCu: min, autoscalingLimitMaxCu: max }: SizeArgs): unknown => {
    const size = { autoscaling_limit_min_cu: min, autoscaling_limit_max_cu: max };
    const body = { branch_id: place.branchId, type: "read_only", ...size, suspend_timeout_seconds: 600 };
    try {
      const { endpoint } = emulator.createEndpoint(place.projectId, body);
      emulator.deleteEndpoint(endpoint.id);
      return endpoint.suspend_timeout_seconds;
    } catch (error) {
      expect(error).toMatchObject({ status: 400 });
      return undefined;
    }
  };

  it("passes the preview only if the service accepts it, and passes with a delay only if the service keeps the delay", () => {
    const pairs = cus.flatMap((min) => cus.map((max) => autoscaling(min, max)));
    const seen = pairs.map((size) => ({ size, kept: delayOf(size) }));
    const wrong = seen.filter(
      ({ size, kept }) =>
        passes(size) !== (kept !== undefined) ||
        passes(size, { suspendTimeoutSeconds: 600 }) !== (kept === 600),
    );
    expect(wrong).toEqual([]);
    expect(seen.filter(({ kept }) => kept !== undefined).length).toBeGreaterThan(30);
  });
});
