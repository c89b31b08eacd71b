/**
 * What a workflow says to the action, checked before anything is asked or written.
 */
import { failureKinds, type FailureKind } from "../preview/judge/failureKinds";

/** When the comment is written. */
const commentModes = ["changes", "always", "never"] as const;

/** A label, or an environment, and what its setting or its approval allows. */
export interface Grant {
  readonly name: string;
  readonly kinds: readonly FailureKind[];
}

export interface ActionInputs {
  /** Files and folders. */
  readonly previews: readonly string[];
  /** Files and folders of what `pulumi up --json` printed; empty for the report of a preview. */
  readonly applied: readonly string[];
  readonly failOn: string;
  readonly labels: readonly Grant[];
  readonly environments: readonly Grant[];
  readonly comment: (typeof commentModes)[number];
  readonly marker: string | undefined;
  /** True to print each interruption as an annotation, at the line that declares the compute. */
  readonly annotates: boolean;
  /** The folder of Pulumi.yaml, as seen from the repository's root. */
  readonly folder: string;
  /** Context of the commit status; undefined for none. */
  readonly status: string | undefined;
  /** File of the workflow whose run made the previews; undefined where it is this run. */
  readonly workflow: string | undefined;
  /** True where the previews of that run came in part, or not at all. */
  readonly isDownloadBroken: boolean;
  /** Where the event does not say which pull request this run's own previews are of. */
  readonly pullNumber: number | undefined;
  readonly token: string;
  /** True where the token is the workflow's own. */
  readonly isOwnToken: boolean;
}

/** An input that is none: the message says what it must be. */
export class InputError extends Error {}

/** @throws InputError */
export function readInputs(env: Readonly<Record<string, string | undefined>>): ActionInputs {
  const textOf = (name: string): string => (env[`INPUT_${name}`] ?? "").trim();
  const linesOf = (name: string): readonly string[] =>
    textOf(name)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  const workflow = textOf("WORKFLOW") || undefined;
  const previews = linesOf("PREVIEWS");
  if (previews.length === 0) throw new InputError("previews takes files or folders, one per line");
  const applied = linesOf("APPLIED");
  if (applied.length > 0) refuseBesideApplied(textOf);
  const comment = oneOf("comment", commentModes, textOf("COMMENT"));
  return {
    previews,
    applied,
    failOn: textOf("FAIL_ON"),
    labels: linesOf("ALLOW_LABELS").map((line) => grantOf("allow-labels", line)),
    environments: linesOf("ALLOW_ENVIRONMENTS").map((line) => grantOf("allow-environments", line)),
    comment,
    marker: textOf("MARKER") || undefined,
    annotates: oneOf("annotations", ["true", "false"], textOf("ANNOTATIONS")) === "true",
    folder: textOf("FOLDER"),
    status: textOf("STATUS") || undefined,
    workflow,
    isDownloadBroken: textOf("DOWNLOAD") === "failure",
    pullNumber: pullNumberOf(textOf("PR_NUMBER"), applied.length > 0 ? undefined : workflow),
    token: textOf("TOKEN"),
    isOwnToken: textOf("IS_OWN_TOKEN") === "true",
  };
}

/** What has happened can be neither refused nor allowed. */
function refuseBesideApplied(textOf: (name: string) => string): void {
  for (const input of ["fail-on", "allow-labels", "allow-environments", "status"])
    if (textOf(input.toUpperCase().replaceAll("-", "_")) !== "")
      throw new InputError(`${input} is for previews, and applied for what an update did: leave one out`);
}

function oneOf<const T extends string>(input: string, known: readonly T[], text: string): T {
  const found = known.find((word) => word === text);
  if (found === undefined) throw new InputError(`${input} takes ${known.join(", ")}, not "${text}"`);
  return found;
}

function pullNumberOf(text: string, workflow: string | undefined): number | undefined {
  if (text === "") return undefined;
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InputError(`pr-number takes a number such as 7, not "${text}"`);
  if (workflow !== undefined)
    throw new InputError(
      "pr-number is for the previews of this run: with `workflow`, the previews say which pull request they are of; leave one of the two out",
    );
  return Number(text);
}

/** `allow-restart` says by its name what it allows; any other is `name=kind,kind`. */
function grantOf(input: string, line: string): Grant {
  const at = line.lastIndexOf("=");
  const name = at < 0 ? line : line.slice(0, at).trim();
  const words = at < 0 ? [line.replace(/^allow-/, "")] : line.slice(at + 1).split(",");
  const kinds = words.flatMap((word) => failureKinds.filter((kind) => kind === word.trim()));
  if (name === "" || kinds.length < words.length)
    throw new InputError(
      `${input} takes allow-KIND or NAME=KINDS, one per line, where kinds are ${failureKinds.join(", ")}; not "${line}"`,
    );
  return { name, kinds };
}
