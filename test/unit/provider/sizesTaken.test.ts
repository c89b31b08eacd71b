/**
 * What a preview lets pass, against what the control plane then takes: for every pair of sizes, those that a service does
 * not have included.
 */
import { Clock, startEmulator, type Emulator } from "../../../emulator";
import { checkInputs } from "../../../provider/model/inputs";

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

  const passes = (min: number, max: number, more: object = {}): boolean =>
    checkInputs(
      { ...place, autoscalingLimitMinCu: min, autoscalingLimitMaxCu: max, ...more },
      { service, creates: true },
    ).failures.length === 0;

  const isTaken = (min: number, max: number): boolean => {
    const size = { autoscaling_limit_min_cu: min, autoscaling_limit_max_cu: max };
    try {
      const { endpoint } = emulator.createEndpoint(place.projectId, {
        branch_id: place.branchId,
        type: "read_only",
        ...size,
      });
      emulator.deleteEndpoint(endpoint.id);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ status: 400 });
      return false;
    }
  };

  it("passes the preview if the service takes it, and only then", () => {
    const pairs = cus.flatMap((min) => cus.map((max) => [min, max] as const));
    const wrong = pairs.filter(([min, max]) => passes(min, max) !== isTaken(min, max));
    expect(wrong).toEqual([]);
    expect(pairs.filter(([min, max]) => isTaken(min, max)).length).toBeGreaterThan(30);
  });

  it("has a delay in the state that the service keeps", () => {
    for (const cu of cus.filter((each) => passes(each, each))) {
      const { endpoint } = emulator.createEndpoint(place.projectId, {
        branch_id: place.branchId,
        type: "read_only",
        autoscaling_limit_min_cu: cu,
        autoscaling_limit_max_cu: cu,
        suspend_timeout_seconds: 600,
      });
      const isKept = endpoint.suspend_timeout_seconds === 600;
      expect([cu, passes(cu, cu, { suspendTimeoutSeconds: 600 })]).toEqual([cu, isKept]);
      emulator.deleteEndpoint(endpoint.id);
    }
  });
});
