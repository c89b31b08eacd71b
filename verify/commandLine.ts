/**
 * Reads the options of `compute-verify`.
 */
import { projectIn, readCall, WrongCallError } from "../preview/read/call";

export interface VerifyOptions {
  readonly projectId: string;
  readonly branchId: string;
  /** A second branch, for a move. */
  readonly moveTo: string | undefined;
  /** The role and the database of a connection that is held open; undefined for none. */
  readonly login: { readonly role: string; readonly database: string } | undefined;
  /** File to write. */
  readonly out: string | undefined;
  readonly isConfirmed: boolean;
  /** Limit of each step, in seconds. */
  readonly timeoutSeconds: number;
}

export const verifyUsage = `Usage: compute-verify --project ID --branch br-… [options]

Creates two computes on a branch without computes, makes every change that the provider supports, and compares what
each preview announces with what happens. Deletes both at the end. Uses COMPUTE_API_KEY and COMPUTE_BASE_URL.

  --project ID          The project
  --branch br-…         A branch without computes
  --move-to br-…        A second branch without computes: the primary is moved there
  --role NAME, --database NAME
                        Holds a connection open, and reports when it is lost. Takes the password from PGPASSWORD,
                        and needs the package pg in this folder (npm install pg). Also uses PGHOST, PGPORT and
                        PGSSLMODE; without PGSSLMODE, the connection is encrypted
  --out FILE            Write the result to this new file, as JSON without keys, hosts and ids
  --timeout SECONDS     Limit of each step (300)
  --yes                 Do not ask for confirmation
  --version             Print the version of this package
  --help                Print this text

Exit codes: 0 no interruption was missed, and both computes are deleted; 1 it could not finish, or not write FILE; 2 invalid arguments, or
the branch has computes: nothing was created; 3 an interruption was missed; 4 a compute may be left over, and is named;
129, 130, 143 a signal stopped it (a closed terminal, Ctrl-C, kill), and both computes are deleted.
`;

const options = {
  project: { type: "string" },
  branch: { type: "string" },
  "move-to": { type: "string" },
  role: { type: "string" },
  database: { type: "string" },
  out: { type: "string" },
  timeout: { type: "string", default: "300" },
  yes: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", default: false },
} as const;

/** @returns the options, or the name of the text to print instead of running. @throws WrongCallError */
export function readVerifyOptions(args: readonly string[]): VerifyOptions | "help" | "version" {
  const values = parse(args);
  if (values.help) return "help";
  if (values.version) return "version";
  const branchId = branchOf("--branch", values.branch);
  const moveTo = values["move-to"] === undefined ? undefined : branchOf("--move-to", values["move-to"]);
  if (moveTo === branchId)
    throw new WrongCallError("--move-to names the same branch as --branch: name another one");
  return {
    projectId: projectIn(values.project, "the project of the branch"),
    branchId,
    moveTo,
    login: loginOf(values),
    out: values.out,
    isConfirmed: values.yes,
    timeoutSeconds: secondsOf(values.timeout),
  };
}

// No return type: TypeScript infers it from the table above.
function parse(args: readonly string[]) {
  return readCall({ args: [...args], options }).values;
}

function branchOf(option: string, id: string | undefined): string {
  if (id === undefined) throw new WrongCallError(`${option} is missing: name a branch without computes`);
  if (/^br-[A-Za-z0-9][\w-]*$/.test(id)) return id;
  throw new WrongCallError(`${option} takes the id of a branch such as br-odd-river-123456, not "${id}"`);
}

function loginOf({ role, database }: ReturnType<typeof parse>): VerifyOptions["login"] {
  if (role === undefined && database === undefined) return undefined;
  if (role !== undefined && database !== undefined) return { role, database };
  throw new WrongCallError("--role and --database belong together: a connection needs both");
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= 3600) return seconds;
  throw new WrongCallError(`--timeout takes a whole number of seconds from 1 to 3600, not "${text}"`);
}
