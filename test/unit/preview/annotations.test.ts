import {
  digest,
  eventLines,
  leaves,
  restarts,
  runPreview,
  settles,
  size,
  step,
  urnOf,
  type Ran,
  type StepParts,
} from "./previews";

/** A step whose compute the program declares at this place. */
function declaredAt(parts: StepParts, ...positions: readonly string[]): object {
  const made = step(parts) as { newState?: object };
  const stackTrace = positions.map((sourcePosition) => ({ sourcePosition }));
  return { ...made, newState: { ...made.newState, stackTrace } };
}

const line = "project:///examples/quick,start/index.ts#12,13";
const library = "project:///node_modules/parts/index.js#3,4";
const gitHub = (args: readonly string[], input: Parameters<typeof runPreview>[1]): Ran =>
  runPreview(["--annotations", "github", ...args], input);
const linesOf = ({ out }: Ran): readonly string[] => out.trim().split("\n");

it("is a workflow command at the line of the program, below the project's folder", () => {
  const steps = [
    declaredAt(restarts, library, line),
    declaredAt({ name: "pooled", new: { poolerEnabled: true } }, "project:///b.ts#7,1"),
    declaredAt(settles, "project:///c.ts#1,1"),
    step(leaves),
  ];
  const ran = gitHub(["--folder", "infra", "--fail-on", "restart"], digest(steps));
  expect(ran.code).toBe(24);
  expect(linesOf(ran)).toEqual([
    "::error::leaver is deleted in dev: open connections drop; its host goes away (ep-leaver.example)",
    "::warning file=infra/examples/quick%2Cstart/index.ts,line=12::app restarts in dev: open connections drop",
    "::notice file=infra/b.ts,line=7::pooled may be interrupted in dev: open connections may drop",
  ]);
});

it("is at most eight of a kind, the last of which counts the rest", () => {
  const steps = Array.from({ length: 25 }, (_, index) =>
    declaredAt({ name: `r${index}`, ...restarts }, line),
  );
  const lines = linesOf(gitHub([], digest(steps)));
  expect(lines).toHaveLength(8);
  expect(lines[7]).toBe("::warning::18 more computes: the report has them");
});

it("is an issue of GitLab's code quality report", () => {
  const steps = [declaredAt(restarts, line), step(leaves)];
  expect(JSON.parse(runPreview(["--annotations", "gitlab"], digest(steps)).out)).toEqual([
    {
      description: expect.stringContaining("app restarts in dev") as string,
      check_name: "compute-preview",
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      severity: "major",
      location: { path: "examples/quick,start/index.ts", lines: { begin: 12 } },
    },
  ]);
});

it("begins no command by a name, and no file outside the repository", () => {
  const steps = [declaredAt({ name: "a\n::error::b", ...restarts }, "project:///../../etc/passwd#1,1")];
  expect(linesOf(gitHub([], digest(steps)))).toEqual([
    expect.stringMatching(/^::warning::a\\n::error::b restarts/),
  ]);
});

describe("the document beside the events", () => {
  const old = { id: "ep-app", inputs: size(1), outputs: { ...size(1), endpointId: "ep-app" } };
  const log = eventLines(
    { resourcePreEvent: { metadata: { op: "update", urn: urnOf("app"), old, new: { inputs: size(2) } } } },
    { summaryEvent: { isPreview: true, result: "succeeded" } },
  );
  const document = digest([declaredAt(restarts, line)]);
  const placed = "::warning file=examples/quick%2Cstart/index.ts,line=12::app restarts in dev:";
  const advice = "write the JSON document beside them, such as prod.lines.json";

  it.each<[reason: string, args: string, files: Record<string, Buffer>, is: string, err?: string]>([
    ["a file", "prod.ndjson", { "prod.ndjson": log, "prod.lines.json": document }, placed],
    ["a folder", "previews", { "previews/a.ndjson": log, "previews/a.lines.json": document }, placed],
    ["itself, without its events", "previews", { "previews/a.lines.json": document }, placed],
    [
      "nothing, cut off",
      "prod.ndjson",
      { "prod.ndjson": log, "prod.lines.json": document.subarray(0, 40) },
      "::warning::app restarts in dev:",
      advice,
    ],
  ])("gives lines for %s, takes nothing from the report, and is no stack of its own", (...row) => {
    const [, args, files, is, err = ""] = row;
    const ran = gitHub([args], files);
    expect(linesOf(ran)).toEqual([expect.stringContaining(is)]);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain(err);
    expect(runPreview(["--format", "text", args], files).out.match(/^\w+ restarts$/gm)).toHaveLength(1);
  });
});
