/**
 * The inputs that a workflow gives to the Action, checked before anything is requested or written.
 */

/** When the comment is written. */
const commentModes = ["changes", "always", "never"] as const;

export interface ActionInputs {
  /** Files and folders. */
  readonly previews: readonly string[];
  readonly failOn: string;
  readonly comment: (typeof commentModes)[number];
  readonly marker: string | undefined;
  /** True to print each interruption as an annotation, at the line that declares the compute. */
  readonly annotates: boolean;
  /** The folder of Pulumi.yaml, as seen from the repository's root. */
  readonly folder: string;
  /** For runs whose event does not say which pull request the previews belong to. */
  readonly pullNumber: number | undefined;
  /** True if a check without a preview passes when GitHub gave it no secrets. */
  readonly passesWithoutSecrets: boolean;
  /** Asks for connections with these URLs; empty to ask nobody. */
  readonly connectionUrls: string;
  readonly token: string;
  /** True if the token is the workflow's own. */
  readonly isOwnToken: boolean;
}

/** An invalid input: the message says what it must be. */
export class InputError extends Error {}

/** @throws InputError */
export function readInputs(env: Readonly<Record<string, string | undefined>>): ActionInputs {
  const inputText = (name: string): string => (env[`INPUT_${name}`] ?? "").trim();
  const previews = inputText("PREVIEWS")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (previews.length === 0)
    throw new InputError("the input `previews` takes files or folders, one per line");
  return {
    previews,
    failOn: inputText("FAIL_ON"),
    comment: oneOf("comment", commentModes, inputText("COMMENT")),
    marker: inputText("MARKER") || undefined,
    annotates: oneOf("annotations", ["true", "false"], inputText("ANNOTATIONS")) === "true",
    folder: inputText("FOLDER"),
    pullNumber: pullNumberOf(inputText("PR_NUMBER")),
    passesWithoutSecrets: oneOf("without-secrets", ["fail", "pass"], inputText("WITHOUT_SECRETS")) === "pass",
    connectionUrls: inputText("CONNECTION_URLS"),
    token: inputText("TOKEN"),
    isOwnToken: inputText("IS_OWN_TOKEN") === "true",
  };
}

function oneOf<const T extends string>(input: string, known: readonly T[], text: string): T {
  const found = known.find((word) => word === text);
  if (found === undefined)
    throw new InputError(`the input \`${input}\` takes ${known.join(", ")}, not "${text}"`);
  return found;
}

function pullNumberOf(text: string): number | undefined {
  if (text === "") return undefined;
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new InputError(`the input \`pr-number\` takes a number such as 7, not "${text}"`);
  return Number(text);
}
