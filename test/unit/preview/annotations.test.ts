/** Remarks at lines of the program. Each row is a promise, and `golden/annotations.txt` has what is printed. */
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

/** A step whose compute the program declares at this place. */
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
const cutOff = { "prod.ndjson": log, "prod.lines.json": document.subarray(0, 40) };
const inFolder = { "previews/a.ndjson": log, "previews/a.lines.json": document };

const rows: readonly PreviewRow[] = [
  [
    "a remark is a workflow command at the line of the program, below the project's folder",
    digest(kinds),
    ...[gitHub, "--folder=infra", "--fail-on=restart"],
  ],
  ["it is at most eight of a kind, the last of which counts the rest", digest(many), gitHub],
  [
    "it is an issue of GitLab's code quality report",
    digest([declaredAt(restarts, line), step(leaves)]),
    "--annotations=gitlab",
  ],
  [
    "it begins no command by a name, and has no file outside the repository",
    digest([declaredAt({ name: "a\n::error::b", ...restarts }, "project:///../../etc/passwd#1,1")]),
    gitHub,
  ],
  [
    "the document beside the events gives lines",
    { "prod.ndjson": log, "prod.lines.json": document },
    gitHub,
    "prod.ndjson",
  ],
  ["so it does in a folder, where it is no stack of its own", inFolder, gitHub, "previews"],
  ["the same as text", inFolder, "previews"],
  [
    "it is a preview where its events are not there",
    { "previews/a.lines.json": document },
    gitHub,
    "previews",
  ],
  ["one that is cut off takes nothing from the report", cutOff, gitHub, "prod.ndjson"],
];

it("prints at the lines of a program what its row promises", () => {
  expectKept(goldenFile("annotations"), printed(rows));
});
