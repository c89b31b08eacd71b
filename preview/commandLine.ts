/**
 * Reads the options of `compute-preview`.
 */
import { failureKinds, type FailureKind } from "./shape";
import { readCall, WrongCallError } from "./read/call";
import { annotationHosts, type AnnotationHost } from "./render/annotations";
import { commentLength } from "./render/markdown";

const formats = ["markdown", "json", "text"] as const;

export interface Options extends Readonly<
  Pick<OptionValues, "connections" | "details" | "folder" | "help" | "plain" | "save" | "version">
> {
  /** Files and folders; empty for stdin. */
  readonly inputs: readonly string[];
  /** With `save`: the command of Pulumi whose preview is saved; empty to save the input. */
  readonly command: readonly string[];
  readonly format: (typeof formats)[number];
  /** Prints annotations at lines of the program instead of a report. */
  readonly annotations: AnnotationHost | undefined;
  readonly failOn: readonly FailureKind[];
  readonly marker: string | undefined;
  readonly maxLength: number;
}

export const usage = `Usage: compute-preview [FILE | FOLDER]... [options]

Reads \`pulumi preview --json\` or \`terraform show -json PLAN\` from FILE or stdin, and prints which computes drop
their connections, as a comment for a pull request. Several files, or a FOLDER of *.json, make one comment with a
section for each stack.

       compute-preview --save FILE -- pulumi preview [options of pulumi]

Runs a preview and saves it as FILE and FILE.lines.json, without what no report reads: the engine's debug messages
have the secrets of every resource. Ends with the exit code of pulumi. Without a command, saves the input instead,
such as a plan: terraform show -json PLAN | compute-preview --save plan.json

  --format markdown|json|text   What to print (markdown)
  --fail-on KINDS               Exit with the code in brackets if a change to a compute is of that kind:
                                delete (20), replace (21), move (22), suspend (23), restart (24),
                                may (25: only the update can tell), drop (26: open connections
                                drop; not for idle or disabled computes), drift (27: changed or
                                deleted outside the program, or not checked: run the preview with
                                --refresh).
                                Separate several kinds with commas: drop,replace,delete
  --annotations github|gitlab   Print each interruption as an annotation at the line that declares
                                the compute: workflow commands (github), or a code quality report
                                (gitlab). The default output of pulumi preview --json has line
                                numbers; its events have none. Pass the default output, or save it
                                as FILE.lines.json beside FILE.ndjson (the events)
  --folder PATH                 Path from the repository's root to the folder of Pulumi.yaml, for
                                --annotations
  --connections                 Also report whose connections drop. Asks interrupted computes that are
                                active, with PGUSER, PGPASSWORD, PGDATABASE, PGSSLMODE or a password
                                file, or with the URLs in COMPUTE_CONNECTION_URLS, separated by
                                spaces. Needs the package pg in this folder (npm install pg)
  --plain                       Markdown without HTML, for hosts other than GitHub
  --details                     With --plain: keep <details>, which GitLab, Gitea and Azure DevOps fold
  --save FILE                   Save the input, or the preview of the command after --, without secrets
  --marker ID                   Distinguishes several comments on one pull request
  --max-length N                Maximum length of the Markdown, in characters (${commentLength}, GitHub's limit)
  --version                     Print the version of this package
  --help                        Print this text

Exit codes: 0 nothing refused; 2 invalid arguments; 3 an input is not a preview; 4 the preview itself failed;
5 the preview could not ask the service; 6 with --fail-on, a change cannot be judged.
`;

const options = {
  format: { type: "string", default: "markdown" },
  "fail-on": { type: "string", multiple: true, default: [] as string[] },
  annotations: { type: "string" },
  folder: { type: "string", default: "" },
  connections: { type: "boolean", default: false },
  plain: { type: "boolean", default: false },
  details: { type: "boolean", default: false },
  save: { type: "string" },
  marker: { type: "string" },
  "max-length": { type: "string", default: String(commentLength) },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", default: false },
} as const;

/** @throws WrongCallError */
export function readCommandLine(args: readonly string[]): Options {
  // Without --save, files may follow two dashes, as with any command.
  const [own, command] = savesIn(args) ? splitAt(args, "--") : [args, []];
  const { values, positionals } = parse(own);
  if (positionals.length > 1 && positionals.includes("-"))
    throw new WrongCallError("reads either stdin (-) or files, not both");
  const { annotations, connections, save } = values;
  if (connections && (annotations !== undefined || save !== undefined))
    throw new WrongCallError("--connections needs a report: leave out --annotations and --save");
  if (save !== undefined && positionals.length > (command.length > 0 ? 0 : 1))
    throw new WrongCallError("--save takes one preview: a file, stdin, or a command after --");
  return {
    ...values,
    inputs: positionals.filter((input) => input !== "-"),
    command,
    format: formatOf(values),
    annotations: annotations === undefined ? undefined : oneOf(annotationHosts, "--annotations", annotations),
    failOn: kindsOf("--fail-on", values["fail-on"]),
    marker: marker(values.marker),
    maxLength: maxLength(values["max-length"]),
  };
}

function savesIn(args: readonly string[]): boolean {
  return parse(splitAt(args, "--")[0]).values.save !== undefined;
}

/** The words before and after a separator. */
function splitAt(
  words: readonly string[],
  separator: string,
): readonly [before: readonly string[], after: readonly string[]] {
  const at = words.indexOf(separator);
  return at < 0 ? [words, []] : [words.slice(0, at), words.slice(at + 1)];
}

type OptionValues = ReturnType<typeof parse>["values"];

// No return type: TypeScript infers it from the table above.
function parse(args: readonly string[]) {
  return readCall({ args: [...args], options, allowPositionals: true });
}

function formatOf({ format, plain, details }: OptionValues): Options["format"] {
  const found = oneOf(formats, "--format", format);
  if (details && !plain) throw new WrongCallError("--details needs --plain");
  if (plain && found !== "markdown") throw new WrongCallError("--plain needs --format markdown");
  return found;
}

/** An option without any kind is an error. Otherwise, `--fail-on "$KINDS"` with an unset variable would pass everything. */
function kindsOf(option: string, lists: readonly string[]): readonly FailureKind[] {
  const words = lists.flatMap((list) => list.split(","));
  const names = words.filter((word) => word !== "");
  return [...new Set((names.length > 0 ? names : words).map((name) => oneOf(failureKinds, option, name)))];
}

function oneOf<T extends string>(known: readonly T[], option: string, value: string): T {
  const found = known.find((name) => name === value.trim());
  if (found === undefined) throw new WrongCallError(`${option} takes ${known.join(", ")}, not "${value}"`);
  return found;
}

/** The marker is part of an HTML comment, and two dashes would end that comment. */
function marker(id: string | undefined): string | undefined {
  if (id === undefined || (/^[\w./ -]{1,100}$/.test(id) && !id.includes("--") && id.trim() === id)) return id;
  throw new WrongCallError(
    "--marker takes up to 100 letters, digits, spaces and . _ / -, but not two dashes in a row",
  );
}

/** The heading and the errors of a failed preview need this many characters. */
const shortestLength = 10_000;

function maxLength(text: string): number {
  const length = Number(text);
  if (Number.isInteger(length) && length >= shortestLength) return length;
  throw new WrongCallError(`--max-length takes a whole number of at least ${shortestLength}, not "${text}"`);
}
