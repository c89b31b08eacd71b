/** Each form of a report is made of one reading: large previews take long to read. */
import { digest, step } from "../preview/previews";
import { events, preview } from "../preview/updates";
import { onLinux } from "../preview/workflows";
import { startGitHub, type FakeGitHub } from "./gitHub";
import { ownRun, previewOf, pull, restarts } from "./jobs";
import { runAction } from "./runner";

type Files = Record<string, (...args: unknown[]) => unknown>;
jest.mock("node:fs", () => ({ ...jest.requireActual<Files>("node:fs") }));
const readings = jest.spyOn(jest.requireMock<Files>("node:fs"), "readFileSync");
const countOf = (name: string): number =>
  readings.mock.calls.filter(([file]) => String(file).endsWith(name)).length;

let github: FakeGitHub;
beforeEach(async () => {
  readings.mockClear();
  github = await startGitHub();
});
afterEach(() => github.close());

onLinux("a step", () => {
  const long = Array.from({ length: 400 }, (_, index) => step({ ...restarts, name: `compute-${index}` }));
  it.each([
    { reason: "prints annotations", file: previewOf(restarts) },
    { reason: "cuts a long comment", file: digest(long) },
  ])("that $reason reads each preview once", async ({ file }) => {
    const { code, markdown, json, log } = await ownRun(github, { "dev.json": file, "prod.json": file });
    expect({ code, markdown: markdown !== "", json: json !== "" }).toEqual({
      code: 0,
      markdown: true,
      json: true,
    });
    expect(log).toContain("::warning::");
    expect([countOf("dev.json"), countOf("prod.json")]).toEqual([1, 1]);
  });

  it("that reports an update reads it and its preview once", async () => {
    const { code, json } = await runAction({
      api: github.url,
      eventName: "pull_request",
      event: { pull_request: { ...pull, merged_at: "2026-11-02T08:00:00Z" } },
      files: {
        "up.ndjson": events({ a: { happened: "not shown", operations: "" } }),
        "plan.json": preview(["a"]),
      },
      inputs: { applied: "up.ndjson", previews: "plan.json" },
    });
    expect({ code, json: JSON.parse(json) as unknown }).toMatchObject({
      code: 0,
      json: [{ comparedWith: "file", computes: [{ label: "a", comparison: "unknown" }] }],
    });
    expect([countOf("up.ndjson"), countOf("plan.json")]).toEqual([1, 1]);
  });
});
