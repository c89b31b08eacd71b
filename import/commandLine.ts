/**
 * Reads the options of `compute-import`.
 */
import { projectIn, readCall, WrongCallError } from "../preview/read/call";

const variants = ["plugin", "yaml", "dynamic"] as const;

type ImportVariant = (typeof variants)[number];

export interface ImportOptions {
  /** Empty if `help` or `version` is set. */
  readonly projectId: string;
  readonly variant: ImportVariant;
  /** File to write; undefined for stdout. */
  readonly out: string | undefined;
  /** File with the output of `pulumi stack export` for the stack that will manage the computes; `-` for stdin. */
  readonly stack: string | undefined;
  /** Only the computes of these branches; empty for all. */
  readonly branchIds: readonly string[];
  /** By branch id: the name that stands for the branch in resource names. */
  readonly branchNames: ReadonlyMap<string, string>;
  readonly help: boolean;
  readonly version: boolean;
}

export const importUsage = `Usage: compute-import --project ID [options]

Lists the computes of a project and writes what Pulumi needs to manage them without changing them. It only
reads: it sends one list request to COMPUTE_BASE_URL, with COMPUTE_API_KEY. A table of the computes goes to stderr.

  --project ID          The project
  --for VARIANT         plugin (default): the file for \`pulumi import --file\`, which then writes the program
                        in TypeScript, Python or Go. yaml: the same file for a YAML program. dynamic: a
                        TypeScript program with \`adopt\` lines
  --out FILE            Write to this new file instead of stdout
  --branch br-…[=NAME]  Only the computes of this branch; resource names contain NAME instead of the branch id.
                        May be repeated
  --stack FILE          Leave out the computes of a stack: the output of \`pulumi stack export\`, or - for stdin
  --version             Print the version of this package
  --help                Print this text

Example:
  export COMPUTE_BASE_URL=https://… COMPUTE_API_KEY=…
  npx -p pulumi-compute-endpoint compute-import --project shy-sun-123456 --out computes.json
  pulumi import --file computes.json --out index.ts

For YAML, add \`--for yaml\`, and import to a new file, because \`pulumi import\` would empty Pulumi.yaml:
\`pulumi import --file computes.json --out imported.yaml\`. Then append its resources to Pulumi.yaml by hand.

Exit codes: 0 written; 1 could not read the service or a file, or could not write; 2 invalid arguments; 3 nothing to import.
`;

const options = {
  project: { type: "string" },
  for: { type: "string", default: "plugin" },
  out: { type: "string" },
  branch: { type: "string", multiple: true, default: [] as string[] },
  stack: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", default: false },
} as const;

/** @throws WrongCallError */
export function readImportOptions(args: readonly string[]): ImportOptions {
  const values = parse(args);
  const { help, version, out, stack } = values;
  const branches = values.branch.map(branchOf);
  return {
    projectId: help || version ? "" : projectIn(values.project, "the project to import"),
    variant: variantOf(values.for),
    out,
    stack,
    branchIds: branches.map(([id]) => id),
    branchNames: new Map(branches.filter((branch): branch is [string, string] => branch[1] !== undefined)),
    help,
    version,
  };
}

// No return type: TypeScript infers it from the table above.
function parse(args: readonly string[]) {
  return readCall({ args: [...args], options }).values;
}

function variantOf(text: string): ImportVariant {
  const found = variants.find((name) => name === text);
  if (found === undefined) throw new WrongCallError(`--for takes plugin, yaml or dynamic, not "${text}"`);
  return found;
}

function branchOf(text: string): [id: string, name: string | undefined] {
  const [, id, name] = /^(br-[A-Za-z0-9][\w-]*)(?:=([A-Za-z][\w-]*))?$/.exec(text) ?? [];
  if (id === undefined)
    throw new WrongCallError(
      `--branch takes the id of a branch, optionally with a name of letters, digits and dashes (br-odd-river-123456=main), not "${text}"`,
    );
  return [id, name];
}
