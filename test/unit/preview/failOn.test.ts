import { failureKinds } from "../../../preview/judge/failureKinds";
import { digest, fixture, runPreview, step, urnOf, type Ran } from "./previews";

const run = (args: readonly string[], input: Uint8Array = fixture("changes.json")): Ran =>
  runPreview(args, input);

/** Which kinds refuse a change is in outcomes.test.ts. */
describe("--fail-on", () => {
  // These previews did not read first: `drift` refuses each of them.
  const every = failureKinds.filter((kind) => kind !== "drift").join(",");
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
