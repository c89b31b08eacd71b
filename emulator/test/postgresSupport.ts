import { spawnSync } from "node:child_process";
import path from "node:path";
import { Client, type ClientConfig, type DatabaseError } from "pg";
import { startEmulator, type Emulator, type EmulatorOptions } from "..";

const probe = `
  require("./emulator/extras/postgres/open").lookForPostgres(process.env).then(
    ({ reason }) => console.log(JSON.stringify({ isThere: true, reason })),
    ({ message }) => console.log(JSON.stringify({ isThere: false, reason: message })),
  );
`;

/**
 * Looks for Postgres on this machine and in the cache. Another process does the search, because Jest does not await promises while
 * it collects tests.
 */
function lookForPostgres(): { readonly isThere: boolean; readonly reason: string } {
  const asked = spawnSync(process.execPath, ["-r", "ts-node/register", "-e", probe], {
    cwd: path.join(__dirname, "../.."),
    encoding: "utf8",
  });
  if (asked.status !== 0) throw new Error(asked.stderr);
  return JSON.parse(asked.stdout) as { isThere: boolean; reason: string };
}

/** Tests on a real Postgres. Without one they are skipped, and their name says why. These tests do not install Postgres. */
export function describeOnPostgres(name: string, tests: () => void): void {
  const { isThere, reason } = lookForPostgres();
  if (isThere) describe(`${name} (${reason})`, tests);
  else describe.skip(`${name} (skipped: ${reason})`, tests);
}

/** An emulator with one project, whose primary is a running Postgres, and functions that connect to it. */
export interface PostgresBench {
  readonly emulator: Emulator;
  readonly projectId: string;
  readonly defaultBranchId: string;
  /** The project's primary. */
  readonly id: string;
  readonly told: string[];
  /** Waits until no operation is under way. */
  readonly rest: () => Promise<void>;
  /** Connects to a compute; by default to the primary. */
  readonly connect: (id?: string, config?: ClientConfig) => Promise<Connected>;
}

/** A client, and how its connection ended. */
export interface Connected {
  readonly client: Client;
  /** The code of the error that ended the connection. */
  readonly codes: string[];
  readonly closed: Promise<void>;
  readonly query: (text: string) => Promise<Record<string, unknown>[]>;
}

const emulators: Emulator[] = [];
const clients: Client[] = [];
let shared: { emulator: Emulator; told: string[] } | undefined;

/** Creates a project on an emulator that the tests of a file share, because an emulator's first data folder takes a second. */
export async function newPostgresBench(): Promise<PostgresBench> {
  shared ??= await startOnPostgres({});
  const { emulator, told } = shared;
  return benchOf(emulator, emulator.createProject().project.id, told);
}

/** Starts another emulator, and uses the first project in its state file, or creates one. */
export async function newOwnBench(options: EmulatorOptions): Promise<PostgresBench> {
  const { emulator, told } = await startOnPostgres(options);
  emulators.push(emulator);
  const [project = emulator.createProject().project] = emulator.projects();
  return benchOf(emulator, project.id, told);
}

async function startOnPostgres(options: EmulatorOptions): Promise<{ emulator: Emulator; told: string[] }> {
  const told: string[] = [];
  const emulator = await startEmulator({
    computes: "postgres",
    onNotice: (text) => told.push(text),
    ...options,
  });
  if (emulator.computes.kind !== "hosted") throw new Error(emulator.computes.reason);
  return { emulator, told };
}

async function benchOf(emulator: Emulator, projectId: string, told: string[]): Promise<PostgresBench> {
  const { id, branch_id: defaultBranchId } = emulator.endpoints(projectId)[0]!.endpoint;
  const isBusy = (): boolean =>
    emulator.operations(projectId).some(({ status }) => ["running", "scheduling"].includes(status));
  const rest = (): Promise<void> => until(() => !isBusy());
  await rest();
  return {
    ...{ emulator, projectId, defaultBranchId, id, told, rest },
    connect: async (to = id, config = {}) => {
      await emulator.addressed();
      return connected({ connectionString: emulator.endpoint(to).place!.uri, ...config });
    },
  };
}

export async function connected(config: ClientConfig): Promise<Connected> {
  const client = new Client(config);
  const codes: string[] = [];
  client.on("error", (error: Error & { code?: string }) => {
    if (error.code !== undefined) codes.push(error.code);
  });
  const closed = new Promise<void>((resolve) => client.once("end", resolve));
  await client.connect();
  clients.push(client);
  const query = async (text: string): Promise<Record<string, unknown>[]> => {
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } catch (error) {
      // The client gives the server's last message to a running query, not to the listener above.
      const { severity, code } = error as Partial<DatabaseError>;
      if (severity === "FATAL" && code !== undefined && codes.length === 0) codes.push(code);
      throw error;
    }
  };
  return { client, codes, closed, query };
}

/** The code of the error with which a connection is refused. */
export async function refusalOf(attempt: Promise<Connected>): Promise<string | undefined> {
  return attempt.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
}

/** For `afterEach`. */
export async function closePostgres(): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined)));
  await Promise.all(emulators.splice(0).map((emulator) => emulator.close()));
}

/** For `afterAll`. */
export async function closeSharedPostgres(): Promise<void> {
  await closePostgres();
  await shared?.emulator.close();
  shared = undefined;
}

/**
 * Polls every few milliseconds, because the awaited event happens in another process. A wait that hangs ends before Jest's
 * time limit, with an error that says what it waited for.
 */
export async function until(isSo: () => boolean | Promise<boolean>, limitMs = 100_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`It is not so after ${limitMs} ms: ${isSo.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
