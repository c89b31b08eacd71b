/** Annotations at lines of the program. Each row is a promise, and `golden/annotations.txt` has the output. */
import { expectKept } from "../../support/kept";
import {
  digest,
  eventLines,
  goldenFile,
  leaves,
  printed,
  restarts,
  settles,
  size,
  step,
  urnOf,
  type PreviewRow,
  type StepParts,
} from "./previews";
import { planOf } from "./peers/others";

/** A step with a compute that the program declares at this place. */
function declaredAt(parts: StepParts, ...positions: readonly string[]): object {
  const made = step(parts) as { newState?: object };
  const stackTrace = positions.map((sourcePosition) => ({ sourcePosition }));
  return { ...made, newState: { ...made.newState, stackTrace } };
}

const line = "project:///examples/quick,start/index.ts#12,13";
const library = "project:///node_modules/parts/index.js#3,4";
const kinds = [
  declaredAt(restarts, library, line),
  declaredAt({ name: "pooled", new: { poolerEnabled: true } }, "project:///b.ts#7,1"),
  declaredAt(settles, "project:///c.ts#1,1"),
  step(leaves),
];
const many = Array.from({ length: 25 }, (_, index) => declaredAt({ name: `r${index}`, ...restarts }, line));

const old = { id: "ep-app", inputs: size(1), outputs: { ...size(1), endpointId: "ep-app" } };
const log = eventLines(
  { resourcePreEvent: { metadata: { op: "update", urn: urnOf("app"), old, new: { inputs: size(2) } } } },
  { summaryEvent: { isPreview: true, result: "succeeded" } },
);
const document = digest([declaredAt(restarts, line)]);
const gitHub = "--annotations=github";
const plan = Buffer.from(JSON.stringify(planOf({ actions: "delete" })));
const cutOff = { "prod.ndjson": log, "prod.lines.json": document.subarray(0, 40) };
const withoutLines = { "prod.ndjson": log, "prod.lines.json": digest([step(restarts)]) };
const inFolder = { "previews/a.ndjson": log, "previews/a.lines.json": document };

const rows: readonly PreviewRow[] = [
  [
    "an annotation is a workflow command at the line of the program, below the project's folder",
    digest(kinds),
    ...[gitHub, "--folder=infra", "--fail-on=restart"],
  ],
  ["there are at most eight of a kind, and the last of them counts the rest", digest(many), gitHub],
  ["eight of a kind are all shown", digest(many.slice(0, 8)), gitHub],
  [
    "an annotation is an issue in GitLab's code quality report",
    digest([declaredAt(restarts, line), step(leaves)]),
    "--annotations=gitlab",
  ],
  [
    "a name cannot begin a command, and no file is outside the repository",
    digest([declaredAt({ name: "a\n::error::b", ...restarts }, "project:///../../etc/passwd#1,1")]),
    gitHub,
  ],
  [
    "the document beside the events tells the lines",
    { "prod.ndjson": log, "prod.lines.json": document },
    gitHub,
    "prod.ndjson",
  ],
  [
    "in a folder too, the document tells the lines, and it does not count as a stack",
    inFolder,
    gitHub,
    "previews",
  ],
  ["the same folder as text", inFolder, "previews"],
  [
    "the document is a preview if its events are missing",
    { "previews/a.lines.json": document },
    gitHub,
    "previews",
  ],
  [
    "a replacement that drops connections is an error, and a deletion that drops none is left out",
    digest([
      step({ ...leaves, old: { disabled: true } }),
      declaredAt({ op: "replace", new: { type: "read_only" } }, line),
    ]),
    gitHub,
  ],
  ["a plan has neither lines nor the name of a stack", plan, gitHub],
  ["the document may have no lines either", withoutLines, gitHub, "prod.ndjson"],
  ["a preview without lines and without events", digest([step(restarts)]), gitHub],
  ["a document that is cut off does not change the report", cutOff, gitHub, "prod.ndjson"],
];

it("prints the annotations that its row promises", () => {
  expectKept(goldenFile("annotations"), printed(rows));
});
