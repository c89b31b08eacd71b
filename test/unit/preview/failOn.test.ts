import { failureKinds } from "../../../preview/judge/failureKinds";
import type { Verdict } from "../../../provider/endpoint/planning/interruption";
import { digest, fixture, runPreview, step, urnOf, type Ran, type StepParts } from "./previews";

const run = (args: readonly string[], input: Uint8Array = fixture("changes.json")): Ran =>
  runPreview(args, input);

describe("--fail-on", () => {
  // These previews did not read first: `drift` refuses each of them.
  const every = failureKinds.filter((kind) => kind !== "drift").join(",");
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const moved = (now: "active" | "idle"): StepParts => ({
    new: { branchId: "br-b" },
    verdict: { effect: "move", now },
  });
  const size = (cu: number): object => ({ autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu });
  const sized = (next: object): StepParts => ({ old: { ...size(1) }, new: { ...size(2), ...next } });
  const adopted = (effect: Verdict["effect"], more: Partial<Verdict> = {}): StepParts => ({
    op: "create",
    new: { ...size(2), adopt: "ep-app" },
    verdict: { effect, now: "active", ...more },
  });
  it.each([
    { failOn: "delete", code: 20 },
    { failOn: "replace", code: 21 },
    { failOn: "move", code: 22 },
    { failOn: "suspend", code: 23 },
    { failOn: "restart", code: 24 },
    { failOn: "may", code: 25 },
    { failOn: "drop", code: 26 },
    { failOn: "drop,restart", code: 24 },
    { failOn: "may,restart, replace", code: 21 },
  ])("ends with $code for $failOn, and prints all the same", ({ failOn, code }) => {
    const ran = run(["--fail-on", failOn]);
    expect(ran.code).toBe(code);
    expect(ran.out).toBe(run([]).out);
    expect(ran.err).toContain("--fail-on");
  });

  it("may be given several times", () => {
    expect(run(["--fail-on", "restart", "--fail-on", "move"]).code).toBe(22);
  });

  it.each<{ reason: string; parts: StepParts; failOn: string; code: number }>([
    { reason: "nothing interrupts", parts: { new: { suspendTimeoutSeconds: 60 } }, failOn: every, code: 0 },
    { reason: "it only may", parts: { new: { branchId: unknown } }, failOn: "move,drop", code: 0 },
    { reason: "it may", parts: { new: { branchId: unknown } }, failOn: "move,may", code: 25 },
    { reason: "it is certain", parts: { new: { branchId: "br-b" } }, failOn: "may", code: 0 },
    { reason: "it is idle", parts: moved("idle"), failOn: "drop", code: 0 },
    { reason: "an idle one moves all the same", parts: moved("idle"), failOn: "move", code: 22 },
    { reason: "it is active", parts: moved("active"), failOn: "drop", code: 26 },
    {
      reason: "it is disabled",
      parts: { old: { disabled: true }, new: { branchId: "br-b" } },
      failOn: every,
      code: 0,
    },
    { reason: "the new one has no clients", parts: { op: "create" }, failOn: every, code: 0 },
    { reason: "it is deleted", parts: { op: "delete" }, failOn: "drop", code: 26 },
    { reason: "it is deleted, and not replaced", parts: { op: "delete" }, failOn: "replace", code: 0 },
    { reason: "an adopted one restarts", parts: adopted("restart"), failOn: "restart", code: 24 },
    { reason: "an adopted one is suspended", parts: adopted("suspend"), failOn: "suspend", code: 23 },
    { reason: "an adopted one stays as it is", parts: adopted("none"), failOn: every, code: 0 },
    {
      reason: "an adopted one restarts only if it is another size",
      parts: adopted("restart", { certain: false }),
      failOn: "restart,drop",
      code: 0,
    },
    { reason: "it moves and restarts", parts: sized({ branchId: "br-b" }), failOn: "restart", code: 24 },
    { reason: "it moves and restarts", parts: sized({ branchId: "br-b" }), failOn: "may,suspend", code: 0 },
    { reason: "it is disabled and resized", parts: sized({ disabled: true }), failOn: "restart", code: 24 },
    {
      reason: "it moves and is disabled",
      parts: { new: { branchId: "br-b", disabled: true } },
      failOn: "suspend",
      code: 23,
    },
    {
      reason: "a trigger does not restart what becomes disabled",
      parts: { new: { disabled: true, restartTriggers: { release: 2 } } },
      failOn: "restart,may",
      code: 0,
    },
    {
      reason: "a disabled one moves and is resized",
      parts: { ...sized({ branchId: "br-b" }), old: { ...size(1), disabled: true } },
      failOn: every,
      code: 0,
    },
    {
      reason: "an idle one moves, and a trigger may restart it",
      parts: {
        new: { branchId: "br-b" },
        verdict: { effect: "move", now: "idle", also: [{ effect: "restart", certain: false }] },
      },
      failOn: "restart,drop",
      code: 0,
    },
    {
      reason: "the service was asked, and knows that it restarts as well",
      parts: {
        new: { branchId: "br-b" },
        verdict: { effect: "move", now: "idle", also: [{ effect: "restart", certain: true }] },
      },
      failOn: "restart",
      code: 24,
    },
    {
      reason: "a replaced one is created at its new size",
      parts: { ...sized({ type: "read_only" }), op: "replace" },
      failOn: "restart,may",
      code: 0,
    },
    { reason: "it restarts and may move", parts: sized({ branchId: unknown }), failOn: "move,may", code: 25 },
    { reason: "it restarts and may move", parts: sized({ branchId: unknown }), failOn: "move", code: 0 },
    {
      reason: "it restarts and may be replaced",
      parts: sized({ regionId: unknown }),
      failOn: "replace,may",
      code: 25,
    },
    {
      reason: "its replacement depends on a value of the update",
      parts: { ...sized({ regionId: unknown }), op: "replace" },
      failOn: "replace,may",
      code: 25,
    },
    {
      reason: "connections drop whether or not it is replaced",
      parts: { ...sized({ regionId: unknown }), op: "replace" },
      failOn: "drop",
      code: 26,
    },
    {
      reason: "the replaced one would go on running",
      parts: { ...sized({ regionId: unknown }), op: "replace", oldState: { retainOnDelete: true } },
      failOn: "drop",
      code: 0,
    },
    {
      reason: "only the provider compared the secret branch",
      parts: {
        old: { ...size(1), branchId: "[secret]" },
        new: { ...size(2), branchId: "[secret]" },
        verdict: { effect: "move", endpointId: undefined, also: [{ effect: "restart", certain: true }] },
      },
      failOn: "move",
      code: 22,
    },
    {
      reason: "settings beside a restart add nothing",
      parts: sized({ poolerEnabled: true }),
      failOn: "may",
      code: 0,
    },
  ])("ends with $code where $reason", ({ parts, failOn, code }) => {
    expect(run(["--fail-on", failOn], digest([step(parts)])).code).toBe(code);
  });

  it.each(["refresh.json", "refreshEvents.ndjson"])(
    "is about what changed outside for drift alone: %s",
    (name) => {
      const others = failureKinds.filter((kind) => kind !== "drift").join(",");
      expect(run(["--fail-on", others], fixture(name)).code).toBe(0);
      expect(run(["--fail-on", "drift"], fixture(name)).code).toBe(27);
    },
  );

  it("is not about a compute that is handed over", () => {
    const steps = [
      step({ name: "heir", op: "create", new: { adopt: "ep-app" }, verdict: { endpointId: "ep-app" } }),
      step({ op: "delete" }),
    ];
    expect(run(["--fail-on", every], digest(steps)).code).toBe(0);
  });

  it("comes after a failed preview, which may have stopped before it", () => {
    const diagnostics = [{ urn: urnOf("app"), severity: "error", message: "error: forbidden" }];
    const input = digest([step({ op: "delete" })], { diagnostics });
    expect(run(["--fail-on", "delete"], input)).toMatchObject({ code: 4 });
    expect(run([], input).err).toContain("the preview itself failed");
  });
});
