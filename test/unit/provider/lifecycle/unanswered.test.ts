/** A create without an answer: in the run that sent it, and in the next one if that run ended without knowing. */
import { messageOf } from "../../../../provider/model/errors";
import { variants } from "../../../support/variants";
import { answers, failureOf, size } from "./bench";
import { bench } from "./eachTest";
import { unanswered } from "./killed";
import { openEngine } from "./stack";

const types = ["read_write", "read_only"] as const;

it.each(types.flatMap((type) => [502, 503].map((status) => ({ type, status }))))(
  "a $type compute that another team makes during a create answered with $status is not taken for ours",
  async ({ type, status }) => {
    bench.spoil("createEndpoint", answers(status));
    const creating = failureOf(bench.create({ type, ...size(0.25) }));
    await bench.untilSent("createEndpoint");
    const theirs = bench.madeByOthers({ type, autoscaling_limit_min_cu: 4, autoscaling_limit_max_cu: 4 });
    const { message } = await creating;
    expect(message).toContain(`If that create made it, add the line adopt: "${theirs}"`);
    const otherwise = type === "read_write" ? "use another branch: a branch" : "run `pulumi up` again";
    expect(message).toContain(`If not, ${otherwise} `.replace("again ", "again, "));
    expect(bench.computes()).toEqual([theirs]);
    expect(bench.sent("createEndpoint")).toBe(1);
    expect(bench.sent("updateEndpoint")).toBe(0);
  },
);

const says = (id: string): RegExp =>
  new RegExp(
    `^warning: Branch ${bench.branchId} has ${id} \\(0.25 CU, created 2026-\\S+Z\\), which this stack does not have\\. If an earlier create of this stack got no answer, it may have made this one: then declare a replica with the line adopt: "${id}", or delete it at the service\\.$`,
  );

describe("a replica whose create got no answer in a run that ended without knowing", () => {
  it("is named by the preview of the next one on its branch, and by its row, and that one is created", async () => {
    const left = await unanswered(bench, bench.replica());
    await expect(bench.preview(bench.replica())).resolves.toEqual([]);
    expect(bench.said).toEqual([expect.stringMatching(says(left))]);
    bench.said.length = 0;
    const { id } = await bench.up(bench.replica());
    expect(bench.said).toEqual([expect.stringMatching(says(left))]);
    expect(bench.computes()).toEqual([left, id]);
    // As the line says.
    await expect(bench.up(bench.replica("second", { adopt: left }))).resolves.toMatchObject({ id: left });
  });

  it("is named once in a run, however many replicas are new", async () => {
    const left = await unanswered(bench, bench.replica());
    const run = bench.process();
    for (const name of ["a", "b"]) await run.up(bench.replica(name));
    expect(bench.said).toEqual([expect.stringMatching(says(left))]);
  });

  it.each([
    { reason: "it is ten minutes old", ageMs: 10 * 60_000, more: {} },
    { reason: "it is on another branch", ageMs: 0, more: { branchId: true } },
    { reason: "a primary is new", ageMs: 0, more: { type: "read_write" } },
  ])("is not named where $reason", async ({ ageMs, more }) => {
    await unanswered(bench, bench.replica());
    bench.clock.advance(ageMs);
    const place = "branchId" in more ? { branchId: bench.emptyBranch() } : more;
    await expect(bench.preview(bench.replica("db", place))).resolves.toEqual([]);
    await bench.up(bench.replica("db", place));
    expect(bench.said).toEqual([]);
  });

  it("is not named where the service cannot be listed in a preview, which says that, and is green", async () => {
    await unanswered(bench, bench.replica());
    bench.spoil("listEndpoints", answers(500, { times: 100 }));
    const { inputs, failures } = await bench
      .process()
      .handlers.check({}, bench.replica("db", { __dryRun: true }));
    expect(failures).toEqual([]);
    expect(inputs).not.toHaveProperty("__verdict");
    expect(bench.said.join()).toContain("The service could not be asked");
  });
});

it("nothing that the state has, or that this run makes beside it, is named as made a moment ago", async () => {
  const run = bench.process();
  await Promise.all(["a", "b", "c"].map((name) => run.up(bench.replica(name))));
  bench.backend.exported = JSON.stringify({
    deployment: { resources: bench.computes().map((id) => ({ urn: `urn:${id}`, id })) },
  });
  await bench.up(bench.replica("d"));
  expect(bench.said).toEqual([]);
});

describe.each(variants)("with the %s variant, what was taken for an answer that was lost", (variant) => {
  it("can be given back where it was somebody else's: it stays, and another one is made", async () => {
    const engine = openEngine(bench, variant);
    const { projectId, branchId } = bench;
    const program = { app: { args: { projectId, branchId, type: "read_only" } } };
    bench.spoil("createEndpoint", { kind: "cut" });
    const running = engine.up(program);
    await bench.untilSent("createEndpoint");
    const theirs = bench.madeByOthers({ type: "read_only" });
    expect((await running).failures.map(messageOf)).toEqual([]);
    expect(engine.said.join("\n")).toMatch(
      new RegExp(`Compute ${theirs} is on the branch since then, .*run \`pulumi state delete\``),
    );
    engine.restore([]);
    await expect(engine.up(program)).resolves.toMatchObject({ failures: [] });
    expect(bench.computes()).toEqual([theirs, engine.stored("app")?.id]);
    await engine.destroy();
    expect(bench.computes()).toEqual([theirs]);
  });
});
