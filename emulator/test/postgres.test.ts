import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import path from "node:path";
import { Clock } from "..";
import { temporaryFolder } from "../../test/support/temporaryFolder";
import {
  closePostgres,
  closeSharedPostgres,
  connected,
  describeOnPostgres,
  newOwnBench,
  newPostgresBench,
  refusalOf,
  until,
  type PostgresBench,
} from "./postgresSupport";

/** A compute's whole life, on a real Postgres: what a client sees at each step (interface 3.1). */

afterEach(closePostgres);
afterAll(closeSharedPostgres);

const sized = (cu: number): object => ({ autoscaling_limit_min_cu: cu, autoscaling_limit_max_cu: cu });

async function change(bench: PostgresBench, endpoint: object): Promise<void> {
  bench.emulator.updateEndpoint(bench.id, { ...endpoint });
  await bench.rest();
}

describeOnPostgres("a compute", () => {
  it("ends connections with 57P01 at each change that interrupts and at its deletion; until then, it keeps its rows and address", async () => {
    const bench = await newPostgresBench();
    const { emulator, projectId, id } = bench;
    const { uri, port } = emulator.endpoint(id).place!;
    const first = await bench.connect();
    await first.query("CREATE TABLE kept (of text); INSERT INTO kept VALUES ('both')");

    const asked = expect(first.query("SELECT pg_sleep(600)")).rejects.toMatchObject({ code: "57P01" });
    await change(bench, sized(1));
    await Promise.all([asked, first.closed]);

    const { branch } = emulator.createBranch(projectId, { compute: false });
    await bench.rest();
    const second = await bench.connect();
    await second.query("INSERT INTO kept VALUES ('the first alone')");
    await change(bench, { branch_id: branch.id });
    await second.closed;
    const moved = await bench.connect();
    expect(await moved.query("SELECT of FROM kept")).toEqual([{ of: "both" }]);
    expect(emulator.endpoint(id).place!.uri).toBe(uri);

    await change(bench, { disabled: true, branch_id: bench.defaultBranchId });
    await moved.closed;
    await expect(bench.connect()).rejects.toThrow(`Endpoint ${id} is disabled.`);
    await change(bench, { disabled: false });
    const back = await bench.connect();
    expect(await back.query("SELECT count(*)::int AS rows FROM kept")).toEqual([{ rows: 2 }]);

    emulator.deleteEndpoint(id);
    await back.closed;
    await until(async () => (await refusalOf(connected({ host: "127.0.0.1", port }))) === "ECONNREFUSED");
    expect([first, second, moved, back].map(({ codes }) => codes)).toEqual(Array(4).fill(["57P01"]));
  });

  it("suspends once nothing runs in it, and the next connections wake it with one operation", async () => {
    const clock = new Clock("manual");
    const bench = await newOwnBench({ clock });
    const open = await bench.connect();
    await open.query("BEGIN");
    clock.advance(86_400_000);
    expect(bench.emulator.endpoint(bench.id).endpoint.current_state).toBe("active");
    await open.query("COMMIT");
    clock.advance(301_000);
    await open.closed;
    expect(open.codes).toEqual(["57P01"]);
    await bench.rest();
    const before = bench.emulator.operations(bench.projectId).length;
    await Promise.all(Array.from({ length: 20 }, () => bench.connect()));
    const made = bench.emulator.operations(bench.projectId).slice(0, -before);
    expect(made.map(({ action }) => action)).toEqual(["start_compute"]);
  });

  it("has a replica that refuses writes and receives the primary's writes, even after the primary has restarted", async () => {
    const bench = await newPostgresBench();
    const made = bench.emulator.createEndpoint(bench.projectId, {
      branch_id: bench.defaultBranchId,
      type: "read_only",
    });
    await (await bench.connect()).query("CREATE TABLE kept (one int)");
    await bench.rest();
    const replica = await bench.connect(made.endpoint.id);
    await expect(replica.query("CREATE TABLE mine (one int)")).rejects.toMatchObject({ code: "25006" });
    await change(bench, sized(2));
    await (await bench.connect()).query("INSERT INTO kept VALUES (3)");
    await until(
      async () => (await replica.query("SELECT count(*)::int AS rows FROM kept"))[0]!["rows"] === 1,
    );
    expect(replica.codes).toEqual([]);
  });
});

describeOnPostgres("examples/reconnect", () => {
  it("reconnects after a change of size and after a suspend", async () => {
    const bench = await newPostgresBench();
    const { host, port, user, password, database } = bench.emulator.endpoint(bench.id).place!;
    const variables = {
      PGHOST: host,
      PGPORT: String(port),
      PGUSER: user,
      PGPASSWORD: password,
      PGDATABASE: database,
    };
    const child = spawn(process.execPath, [path.join(__dirname, "../../examples/reconnect/reconnect.mjs")], {
      env: { ...process.env, ...variables },
    });
    let said = "";
    child.stdout.on("data", (text: Buffer) => (said += text.toString()));
    child.stderr.on("data", (text: Buffer) => (said += text.toString()));
    const servers = (): number => said.match(/^connected: /gm)?.length ?? 0;
    await until(() => servers() === 1);
    bench.emulator.updateEndpoint(bench.id, { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 });
    await until(() => servers() === 2);
    bench.emulator.suspendEndpoint(bench.id);
    await until(() => servers() === 3);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(said).toMatch(/max_connections 112, [^]*max_connections 450, /);
    expect(said).toMatch(/57P01/);
  });
});

describeOnPostgres("access", () => {
  it("survives a restart of the emulator: the old address and the shared port lead to the same rows, with the change completed", async () => {
    const folder = temporaryFolder();
    // Servers of root run as another account, which needs access to the folder.
    chmodSync(folder, 0o755);
    const stateFile = path.join(folder, "state.json");
    const first = await newOwnBench({ stateFile });
    await (await first.connect()).query("CREATE TABLE kept AS SELECT 7 AS seven");
    const { uri } = first.emulator.endpoint(first.id).place!;
    // This change begins, and the emulator ends before the change does: the next emulator completes it.
    first.emulator.updateEndpoint(first.id, { ...sized(1) });
    await closePostgres();
    const again = await newOwnBench({ stateFile });
    const { sharedUri } = again.emulator.endpoint(again.id).place!;
    for (const connectionString of [uri, sharedUri])
      expect(
        await (
          await connected({ connectionString })
        ).query("SELECT seven, current_setting('max_connections') AS most FROM kept"),
      ).toEqual([{ seven: 7, most: "450" }]);
    expect(await refusalOf(connected({ connectionString: sharedUri.split("?")[0]! }))).toBe("08004");
  });

  it("gives clients a role that reads no file, runs no program, and becomes no other role", async () => {
    const { query } = await (await newPostgresBench()).connect();
    const [role] = await query(
      "SELECT rolsuper, rolreplication, rolbypassrls, rolcreaterole, current_setting('server_version_num')::int AS version FROM pg_roles WHERE rolname = current_user",
    );
    expect(role).toMatchObject({ rolsuper: false, rolreplication: false, rolbypassrls: false });
    expect(role!["rolcreaterole"]).toBe((role!["version"] as number) >= 160_000);
    for (const attempt of [
      "COPY (SELECT 1) TO PROGRAM 'id'",
      "SELECT pg_read_file('/etc/passwd')",
      "GRANT pg_execute_server_program TO app",
      "ALTER SYSTEM SET work_mem = '1MB'",
      "SET ROLE compute_host",
      "ALTER ROLE compute_host PASSWORD 'x'",
      "CREATE ROLE mine SUPERUSER",
    ]) {
      await expect(query(attempt)).rejects.toMatchObject({ code: "42501" });
    }
  });

  it("refuses the password of another project's compute", async () => {
    const bench = await newPostgresBench();
    const other = bench.emulator.createProject();
    await until(() => bench.emulator.endpoint(other.endpoint.id).endpoint.current_state === "active");
    bench.emulator.updateEndpoint(bench.id, { passwordless_access: false });
    await bench.rest();
    const { password } = bench.emulator.endpoint(other.endpoint.id).place!;
    const place = bench.emulator.endpoint(bench.id).place!;
    expect(password).not.toBe(place.password);
    await until(async () => (await refusalOf(connected({ ...place, password }))) === "28P01");
  });
});

/** Settings that a program gives its computes: which ones a real Postgres accepts, and which never reach it. */
describeOnPostgres("a change of pg_settings", () => {
  it("is seen by the next transaction of an open connection", async () => {
    const bench = await newPostgresBench();
    const open = await bench.connect();
    await change(bench, { settings: { pg_settings: { work_mem: "7MB" } } });
    await until(async () => (await open.query("SHOW work_mem"))[0]!["work_mem"] === "7MB");
    expect(open.codes).toEqual([]);
    expect(bench.emulator.counters(bench.id).connectionsDropped).toBe(0);
  });

  it("to a value that Postgres refuses makes apply_config fail, and says why", async () => {
    const bench = await newPostgresBench();
    const open = await bench.connect();
    await change(bench, { settings: { pg_settings: { work_mem: "banana" } } });
    const [last] = bench.emulator.operations(bench.projectId);
    expect(last).toMatchObject({ action: "apply_config", status: "failed" });
    expect(bench.told.join()).toMatch(/invalid value for parameter "work_mem"/);
    expect(await open.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it.each([
    ["jit_provider", "/tmp/x", "pg_settings.jit_provider cannot be set"],
    ["Session_Preload_Libraries", "x", "Session_Preload_Libraries cannot be set"],
    ["archive_command", "id", "archive_command cannot be set"],
    ["no_such", "1", "no_such cannot be set"],
    ["work_mem\nfsync", "1", "work_mem\\nfsync cannot be set"],
    ["search_path", "a\nb", "search_path has a line break"],
    ["work_mem", null, "work_mem must be a text, a number, true or false"],
  ])("to %s=%j is refused before it is made", async (name, value, words) => {
    const bench = await newPostgresBench();
    const settings = { pg_settings: { work_mem: "8MB", [name]: value } };
    expect(() => bench.emulator.updateEndpoint(bench.id, { settings })).toThrow(words);
    expect(bench.emulator.endpoint(bench.id).endpoint.settings).toEqual({ pg_settings: {} });
  });
});
