import {
  digest,
  eventLines,
  fixture,
  leaves,
  restarts,
  runPreview,
  settles,
  size,
  step,
  urnOf,
  type StepParts,
} from "./previews";

const frame = (sourcePosition: string): object => ({ sourcePosition });

/** A step whose compute the program declares at this place. */
function declaredAt(parts: StepParts, ...positions: readonly string[]): object {
  const made = step(parts) as { newState?: object };
  return { ...made, newState: { ...made.newState, stackTrace: positions.map(frame) } };
}

const line = "project:///examples/quick,start/index.ts#12,13";
const library = "project:///node_modules/parts/index.js#3,4";

it("is a workflow command at the line of the program, below the project's folder", () => {
  const steps = [
    declaredAt(restarts, library, line),
    declaredAt({ name: "pooled", new: { poolerEnabled: true } }, "project:///b.ts#7,1"),
    declaredAt(settles, "project:///c.ts#1,1"),
    step(leaves),
  ];
  const { out, code } = runPreview(
    ["--annotations", "github", "--folder", "infra", "--fail-on", "restart"],
    digest(steps),
  );
  expect(code).toBe(24);
  expect(out.split("\n")).toEqual([
    "::error::leaver is deleted in dev: open connections drop; its host goes away (ep-leaver.example)",
    expect.stringMatching(
      /^::warning file=infra\/examples\/quick%2Cstart\/index\.ts,line=12::app restarts in dev: open connections drop$/,
    ),
    "::notice file=infra/b.ts,line=7::pooled may be interrupted in dev: open connections may drop",
    "",
  ]);
});

it("is at most eight of a kind, the last of which counts the rest", () => {
  const steps = Array.from({ length: 25 }, (_, index) =>
    declaredAt({ name: `r${index}`, ...restarts }, line),
  );
  const lines = runPreview(["--annotations", "github"], digest(steps)).out.trim().split("\n");
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
  const { out } = runPreview(["--annotations", "github"], digest(steps));
  expect(out).toMatch(/^::warning::a\\n::error::b restarts/);
  expect(out.trim().split("\n")).toHaveLength(1);
});

describe("the document beside the events", () => {
  const old = { id: "ep-app", inputs: size(1), outputs: { ...size(1), endpointId: "ep-app" } };
  const log = eventLines(
    { resourcePreEvent: { metadata: { op: "update", urn: urnOf("app"), old, new: { inputs: size(2) } } } },
    { summaryEvent: { isPreview: true, result: "succeeded" } },
  );
  const document = digest([declaredAt(restarts, line)]);
  const placed = "::warning file=examples/quick%2Cstart/index.ts,line=12::app restarts in dev:";

  it.each([
    { reason: "a file", args: ["prod.ndjson"], files: { "prod.ndjson": log, "prod.lines.json": document } },
    {
      reason: "a folder",
      args: ["previews"],
      files: { "previews/prod.ndjson": log, "previews/prod.lines.json": document },
    },
  ])("gives them its lines, for $reason, and is no stack of its own", ({ args, files }) => {
    const { out, err, code } = runPreview(["--annotations", "github", ...args], files);
    expect(out).toContain(placed);
    expect({ code, err, lines: out.trim().split("\n").length }).toEqual({ code: 0, err: "", lines: 1 });
    expect(runPreview(["--format", "text", ...args], files).out.match(/^\w+ restarts$/gm)).toHaveLength(1);
  });

  it("takes nothing from the report where it is cut off, or of something else", () => {
    for (const broken of [document.subarray(0, 40), digest([step({ name: "other" })])]) {
      const files = { "prod.ndjson": log, "prod.lines.json": broken };
      const { out, err, code } = runPreview(["--annotations", "github", "prod.ndjson"], files);
      expect(out).toContain("::warning::app restarts in dev:");
      expect(err).toContain("write the JSON document beside them, such as prod.lines.json");
      expect(code).toBe(0);
    }
  });

  it("is a preview as any other where its events are not there", () => {
    const { out, code } = runPreview(["--annotations", "github", "previews"], {
      "previews/prod.lines.json": document,
    });
    expect({ code, isPlaced: out.startsWith(placed) }).toEqual({ code: 0, isPlaced: true });
  });
});

it.each<[reason: string, args: readonly string[], input: Parameters<typeof runPreview>[1]]>([
  ["a document", [], digest([step(restarts)])],
  [
    "events with their document beside them",
    ["prod.ndjson"],
    { "prod.ndjson": fixture("changes.ndjson"), "prod.lines.json": fixture("changes.json") },
  ],
])("says of a program in ES modules why it has no lines: %s", (_reason, args, input) => {
  const { err } = runPreview(["--annotations", "github", ...args], input);
  expect(err).toContain("for ES modules, Pulumi's SDK gives none");
});
