import { failureKinds } from "../../../preview/judge/failureKinds";
import { digest, failure, fixture, previewOf, runPreview, step, type Ran } from "./previews";

const run = (args: readonly string[], input: Uint8Array = fixture("changes.json")): Ran =>
  runPreview(args, input);

/** Which kinds refuse a change is in outcomes.test.ts. */
describe("--fail-on", () => {
  // These previews did not read first: `drift` refuses each of them.
  const every = failureKinds.filter((kind) => kind !== "drift").join(",");
  it.each([
    ["delete", 20],
    ["replace", 21],
    ["move", 22],
    ["suspend", 23],
    ["restart", 24],
    ["may", 25],
    ["drop", 26],
    ["drop,restart", 24],
    ["may,restart, replace", 21],
  ])("for %s ends with %d, and prints all the same", (failOn, code) => {
    const ran = run(["--fail-on", failOn]);
    expect(ran.code).toBe(code);
    expect(ran.out.split("\n| Compute")[1]).toBe(run([]).out.split("\n| Compute")[1]);
    expect(ran.out).toMatch(/^### ⛔ Refused: 5 computes drop [^]*\n\n--fail-on .* refuses /m);
    expect(ran.err).toContain("--fail-on");
  });

  it("may be given several times", () => {
    expect(run(["--fail-on", "restart", "--fail-on", "move"]).code).toBe(22);
  });

  it.each(["refresh.json", "refreshEvents.ndjson"])(
    "is about what changed outside for drift alone: %s",
    (name) => {
      expect(run(["--fail-on", every], fixture(name)).code).toBe(0);
      expect(run(["--fail-on", "drift"], fixture(name)).code).toBe(27);
    },
  );

  it("is not about a compute that is handed over", () => {
    const heir = { name: "heir", op: "create", new: { adopt: "ep-app" }, verdict: { endpointId: "ep-app" } };
    expect(run(["--fail-on", every], previewOf(heir, { op: "delete" })).code).toBe(0);
  });

  it("comes after a failed preview, which may have stopped before it", () => {
    const input = digest([step({ op: "delete" })], failure("error: forbidden", "app"));
    expect(run(["--fail-on", "delete"], input).code).toBe(4);
    expect(run([], input).err).toContain("Failed: the preview failed");
  });
});
