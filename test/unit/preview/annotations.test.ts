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
    "an annotation is a workflow command that names the line of the program, with --folder in front of the file",
    digest(kinds),
    ...[gitHub, "--folder=infra", "--fail-on=restart"],
  ],
  ["at most eight annotations of a kind are printed, and the last one counts the rest", digest(many), gitHub],
  ["exactly eight annotations of a kind are all printed", digest(many.slice(0, 8)), gitHub],
  [
    "an annotation is an issue in GitLab's code quality report",
    digest([declaredAt(restarts, line), step(leaves)]),
    "--annotations=gitlab",
  ],
  [
    "a resource's name cannot begin a command, and a file outside the repository is not named",
    digest([declaredAt({ name: "a\n::error::b", ...restarts }, "project:///../../etc/passwd#1,1")]),
    gitHub,
  ],
  [
    "the JSON document beside the events provides the line numbers",
    { "prod.ndjson": log, "prod.lines.json": document },
    gitHub,
    "prod.ndjson",
  ],
  [
    "in a folder too, the document provides the line numbers, and does not count as another stack",
    inFolder,
    gitHub,
    "previews",
  ],
  ["the text report on the same folder", inFolder, "previews"],
  [
    "the document counts as a preview if the events are missing",
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
  ["the document beside the events has no line numbers either", withoutLines, gitHub, "prod.ndjson"],
  ["a document alone has no line numbers", digest([step(restarts)]), gitHub],
  ["a document that is cut off does not change the report", cutOff, gitHub, "prod.ndjson"],
];

it("compute-preview prints the annotations that each row promises", () => {
  expectKept(goldenFile("annotations"), printed(rows));
});
