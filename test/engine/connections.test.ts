/**
 * `compute-preview --connections` as a process, after a preview of the real engine, on a real Postgres: whose connections
 * an update would drop.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { closePostgres, connected, describeOnPostgres, until } from "../../emulator/test/postgresSupport";
import type { ComputeReport, Report } from "../../preview/shape";
import { useStack, type StackOptions, type TestStack } from "../support/stack";
import { linkFolder } from "../support/systems";

const checkout = path.join(__dirname, "../..");
const computePreview = path.join(checkout, "dist/preview/main.js");

/** Tries to end the cell, to mention somebody, to give the runner a command, and to hide text. */
const hostile = "|<b>@all::error::`x`](http://evil.example)##[group]\u202e";

interface Ran {
  readonly code: number | null;
  readonly printed: string;
  readonly told: string;
}

async function run(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ran> {
  const child = spawn(process.execPath, [computePreview, ...words], { cwd, env });
  const [printed, told]: [string[], string[]] = [[], []];
  child.stdout.on("data", (data: Buffer) => printed.push(data.toString()));
  child.stderr.on("data", (data: Buffer) => told.push(data.toString()));
  child.stdin.end();
  const [code] = (await once(child, "close")) as [number | null];
  return { code, printed: printed.join(""), told: told.join("") };
}

/** Runs statements as the server's superuser: clients of the emulator may not create roles on every version of Postgres. */
async function asSuperuser(folder: string, statements: readonly string[]): Promise<void> {
  const home = path.join(folder, "postgres");
  const { hostPassword } = JSON.parse(readFileSync(path.join(home, "facts.json"), "utf8")) as {
    hostPassword: string;
  };
  const sockets = path.join(home, "sockets");
  const login = { host: sockets, user: "compute_host", password: hostPassword, database: "app" };
  for (const name of readdirSync(sockets).filter((file) => !file.endsWith(".lock"))) {
    const client = new Client({ ...login, port: Number(name.split(".").at(-1)) });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }
}

describeOnPostgres("--connections", () => {
  const state = mkdtempSync(path.join(tmpdir(), "compute-connections-"));
  // Servers of root run as another account, which needs access to the folder.
  chmodSync(state, 0o755);
  const ids: Record<string, string> = {};

  const declare = (stack: TestStack, branches: readonly string[], cu: number): void => {
    const names = ["app", "asleep", "gone"];
    const all = names.map((name, index) => {
      const size = { autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu };
      return [name, { args: { projectId: stack.projectId, branchId: branches[index]!, ...size } }] as const;
    });
    stack.declare(Object.fromEntries(cu === 1 ? all : all.slice(0, 2)));
  };

  const options: StackOptions = {
    ...{ computes: "postgres", stateFile: path.join(state, "state.json") },
    // This service shows when a compute was suspended.
    ...{ switches: { service: "neon" }, environment: { COMPUTE_SERVICE: "neon" } },
  };
  const stack = useStack(options, async (made) => {
    const branches = [made.emptyBranch(), made.emptyBranch(), made.emptyBranch()];
    declare(made, branches, 1);
    await made.up();
    for (const [index, name] of ["app", "asleep", "gone"].entries())
      ids[name] = made.computes(branches[index])[0]!;
    // The command finds the package pg from this folder.
    linkFolder(path.join(checkout, "node_modules/pg"), path.join(made.folder, "node_modules/pg"));
    await asSuperuser(state, [
      "CREATE ROLE monitor LOGIN PASSWORD 'pass-4711'",
      "GRANT pg_monitor TO monitor",
      "CREATE ROLE weak LOGIN PASSWORD 'pass-4712'",
    ]);
    made.emulator.suspendEndpoint(ids["asleep"]!);
    await until(() => made.emulator.endpoint(ids["asleep"]!).endpoint.current_state === "idle");
    declare(made, branches, 2);
    const saved = await run(
      ["--save", "preview.ndjson", "--", "pulumi", "preview", "--stack", "test"],
      made.folder,
      made.environment,
    );
    if (saved.code !== 0) throw new Error(saved.told);
  });

  afterAll(() => {
    rmSync(state, { recursive: true, force: true });
  });

  /** Reports on the preview, with these variables instead of a password of our own. */
  const report = async (words: readonly string[], login: Readonly<Record<string, string>>): Promise<Ran> => {
    const ran = await run(["preview.ndjson", "--connections", ...words], stack.folder, {
      PATH: process.env["PATH"],
      PGSSLMODE: "disable",
      ...login,
    });
    expect(ran.printed + ran.told).not.toMatch(/pass-47/);
    return ran;
  };

  /** The emulator's computes share one port, and have hosts that lead nowhere. */
  const shared = (user: string, password: string): Record<string, string> => {
    const { hostname, port } = new URL(stack.emulator.endpoint(ids["app"]!).place!.sharedUri);
    return { PGHOST: hostname, PGPORT: port, PGUSER: user, PGPASSWORD: password, PGDATABASE: "app" };
  };

  const facts = (name: string): unknown => stack.emulator.endpoint(ids[name]!).endpoint;

  beforeEach(async () => {
    const { uri, sharedUri } = stack.emulator.endpoint(ids["app"]!).place!;
    const pooled = sharedUri.replace(ids["app"]!, `${ids["app"]!}-pooler`);
    const clients = await Promise.all([
      connected({ connectionString: uri, application_name: "checkout" }),
      connected({ connectionString: uri, application_name: "checkout" }),
      connected({ connectionString: pooled, application_name: "metabase" }),
      connected({ connectionString: uri, application_name: hostile }),
      connected({ connectionString: uri }),
    ]);
    await clients[0].query("BEGIN");
  });
  afterEach(closePostgres);

  it("names the clients of an interrupted compute that is active, and asks no other", async () => {
    const before = [facts("asleep"), facts("gone")];
    const login = shared("monitor", "pass-4711");
    const markdown = await report([], login);
    const text = await report(["--format", "text"], login);
    const json = await report(["--format", "json"], login);
    expect([markdown.code, text.code, json.code]).toEqual([0, 0, 0]);
    expect([markdown.told, text.told, json.told]).toEqual(["", "", ""]);
    expect(text.printed.replaceAll(/\n {11}/g, " ")).toMatch(
      /clients {2}5 open connections at \d\d:\d\d UTC: checkout 2 \(1 in a transaction for \d+ s\), without a name 1, metabase 1, \|<b>@all.* 1\n/,
    );
    expect(markdown.printed).toMatch(
      /\| Open connections drop;[^|]*<br>5 open connections at \d\d:\d\d UTC: `checkout` 2 \(1 in a transaction for \d+ s\), without a name 1, `metabase` 1, <code>[^<|`@]*(<wbr>[^<|`@]*)*<\/code> 1 \|/,
    );
    expect(text.printed).not.toMatch(/^\s*::|##\[|\u202e/m);
    const { computes } = JSON.parse(json.printed) as Report;
    const of = (name: string): ComputeReport => computes.find((compute) => compute.name === name)!;
    expect(of("app").connections).toMatchObject({ status: "answered", open: 5, hidden: 0, reason: null });
    expect(of("app").connections!.applications[0]).toEqual({
      ...{ name: "checkout", open: 2, inTransaction: 1 },
      oldestSeconds: expect.any(Number) as number,
    });
    expect([of("asleep").now, of("asleep").connections]).toEqual(["idle", undefined]);
    expect(of("gone").connections).toMatchObject({
      status: "not asked",
      reason: "nobody knows whether it is active, and asking would wake an idle compute",
    });
    // Neither was woken.
    expect(before[0]).toMatchObject({ current_state: "idle", suspended_at: expect.any(String) as string });
    expect([facts("asleep"), facts("gone")]).toEqual(before);
  });

  it("says none at a time if nobody is connected", async () => {
    await closePostgres();
    const ran = await report(["--format", "text"], shared("monitor", "pass-4711"));
    expect(ran.printed).toMatch(/clients {2}open connections: none at \d\d:\d\d UTC\n/);
  });

  it("names clients for a role without rights too, and says what their transactions need", async () => {
    const { printed } = await report(["--format", "text"], shared("weak", "pass-4712"));
    expect(printed.replaceAll(/\n {11}/g, " ")).toMatch(
      /clients {2}5 open connections at \d\d:\d\d UTC: checkout 2, .* 1; to show their transactions, the role needs pg_monitor\n/,
    );
  });

  it.each<[reason: string, login: () => Record<string, string>, said: RegExp]>([
    [
      "a wrong password",
      () => shared("monitor", "pass-4799"),
      /could not ask: password authentication failed for user \[redacted\]/,
    ],
    [
      "no route",
      () => ({ ...shared("monitor", "pass-4711"), PGHOST: "nowhere.invalid" }),
      /could not ask: getaddrinfo \w+ nowhere\.invalid/,
    ],
    [
      "a server that does not encrypt",
      () => ({ ...shared("monitor", "pass-4711"), PGSSLMODE: "" }),
      /could not ask: The server does not support SSL connections/,
    ],
    ["no credentials", () => ({}), /not asked, because there are no credentials for its host/],
  ])("%s is a clause in the row, and the exit code stays", async (_reason, login, said) => {
    const { code, told, printed } = await report(["--format", "text"], login());
    expect([code, told]).toEqual([0, ""]);
    expect(printed.replaceAll(/\n {11}/g, " ")).toMatch(said);
  });

  it("says how to get pg if this folder has none", async () => {
    const file = path.join(stack.folder, "preview.ndjson");
    const ran = await run([file, "--connections"], state, shared("monitor", "pass-4711"));
    expect([ran.code, ran.told]).toEqual([
      0,
      "compute-preview: --connections needs the package pg in this folder: run npm install pg\n",
    ]);
    expect(ran.printed).toContain("not asked, because the package pg is not installed");
  });

  it("takes the password from a password file, and a URL for a host", async () => {
    const { PGPASSWORD, ...login } = shared("monitor", "pass-4711");
    const file = path.join(stack.folder, "pgpass");
    writeFileSync(file, `*:*:*:*:${PGPASSWORD!}\n`, { mode: 0o600 });
    const { printed } = await report(["--format", "text"], { ...login, PGPASSFILE: file });
    const { port } = new URL(stack.emulator.endpoint(ids["app"]!).place!.uri);
    const url = `postgresql://monitor:pass-4711@*.compute.localhost/app?host=127.0.0.1&port=${port}&sslmode=disable`;
    const other = "postgresql://someone:else@other.example/app";
    const byUrl = await report(["--format", "text"], { COMPUTE_CONNECTION_URLS: `${other}\n${url}` });
    for (const text of [printed, byUrl.printed]) expect(text).toContain("5 open connections at ");
  });
});
