import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporaryFolder";
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

/** Where computes on Postgres are found, what they keep from whom, and which settings they take. */

afterEach(closePostgres);
afterAll(closeSharedPostgres);

describeOnPostgres("access", () => {
  describe("an address", () => {
    const folder = temporaryFolder();
    // Root's servers run as another account, which has to get in.
    chmodSync(folder, 0o755);
    const stateFile = join(folder, "state.json");

    it("outlives the emulator, with the rows behind it", async () => {
      const first = await newOwnBench({ stateFile });
      await (await first.connect()).query("CREATE TABLE kept AS SELECT 7 AS seven");
      const { uri } = first.emulator.endpoint(first.id).place!;
      await closePostgres();
      await newOwnBench({ stateFile });
      expect(await (await connected({ connectionString: uri })).query("SELECT seven FROM kept")).toEqual([
        { seven: 7 },
      ]);
    });

    it("is also reached by the port that all share, in the service's own form", async () => {
      const bench = await newPostgresBench();
      const { sharedUri } = bench.emulator.endpoint(bench.id).place!;
      const open = await connected({ connectionString: sharedUri });
      expect(await open.query("SHOW cluster_name")).toEqual([{ cluster_name: bench.id }]);
      const nameless = sharedUri.split("?")[0]!;
      expect(await refusalOf(connected({ connectionString: nameless }))).toBe("08004");
    });
  });

  it("leaves nothing behind when it closes", async () => {
    const before = readdirSync(tmpdir());
    const bench = await newOwnBench({});
    const ours = (): string[] =>
      readdirSync(tmpdir()).filter(
        (name) => name.startsWith(`compute-postgres-${process.pid}-`) && !before.includes(name),
      );
    expect(ours()).toHaveLength(1);
    await bench.connect();
    await closePostgres();
    expect(ours()).toEqual([]);
  });

  describe("safety", () => {
    it("gives clients a role that reads no file, runs no program, and is nobody else", async () => {
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

    it("lets nobody in as the host, with whatever password", async () => {
      const bench = await newPostgresBench();
      const place = bench.emulator.endpoint(bench.id).place!;
      expect(await refusalOf(connected({ ...place, user: "compute_host" }))).toBe("28000");
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

    it("keeps data and sockets in folders of its own, and has no TCP port but the proxy's", async () => {
      const bench = await newPostgresBench();
      const { query } = await bench.connect();
      const [{ listen_addresses }] = (await query("SHOW listen_addresses")) as [{ listen_addresses: string }];
      expect(listen_addresses).toBe("");
      const [name] = readdirSync(tmpdir()).filter((one) =>
        one.startsWith(`compute-postgres-${process.pid}-`),
      );
      for (const folder of [join(tmpdir(), name!), join(tmpdir(), name!, "sockets")]) {
        expect(existsSync(folder)).toBe(true);
        // As root the servers' account enters the first one by its group.
        expect(statSync(folder).mode & (process.getuid?.() === 0 ? 0o067 : 0o077)).toBe(0);
      }
    });
  });
});

/** Settings that a program gives its computes: which a real Postgres takes, and which never reach it. */
async function change(bench: PostgresBench, pgSettings: object): Promise<void> {
  bench.emulator.updateEndpoint(bench.id, { settings: { pg_settings: pgSettings } });
  await bench.rest();
}

describeOnPostgres("a change of pg_settings", () => {
  it("is seen by the next transaction of an open connection", async () => {
    const bench = await newPostgresBench();
    const open = await bench.connect();
    await change(bench, { work_mem: "7MB" });
    await until(async () => (await open.query("SHOW work_mem"))[0]!["work_mem"] === "7MB");
    expect(open.codes).toEqual([]);
    expect(bench.emulator.counters(bench.id).connectionsDropped).toBe(0);
  });

  it.each([
    {
      name: "work_mem",
      value: "banana",
      words: /invalid value for parameter "work_mem"/,
      reason: "no value of it",
    },
    {
      name: "max_wal_size",
      value: "1",
      words: /1 MB is outside the valid range for parameter "max_wal_size"/,
      reason: "too small",
    },
  ])("to $name=$value ends apply_config as failed: $reason", async ({ name, value, words }) => {
    const bench = await newPostgresBench();
    const open = await bench.connect();
    await change(bench, { [name]: value });
    const [last] = bench.emulator.operations(bench.project.project.id);
    expect(last).toMatchObject({ action: "apply_config", status: "failed" });
    expect(bench.told.join()).toMatch(words);
    expect(await open.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it.each([
    ["jit_provider", "/tmp/x", "pg_settings.jit_provider is not for clients to set"],
    ["archive_library", "x", "archive_library is not for clients to set"],
    ["Session_Preload_Libraries", "x", "Session_Preload_Libraries is not for clients"],
    ["dynamic_library_path", "/tmp", "dynamic_library_path is not for clients"],
    ["plperl.on_init", "die", "plperl.on_init is not for clients to set"],
    ["archive_command", "id", "archive_command is not for clients to set"],
    ["max_connections", "9", "max_connections is not for clients to set"],
    ["no_such", "1", "no_such is not for clients to set"],
    ["work_mem\nfsync", "1", "work_mem\\nfsync is not for clients to set"],
    ["search_path", "a\nb", "search_path has a line break"],
    ["app.token", "a\u0000b", "app.token has a line break or another control character"],
    ["work_mem", null, "work_mem is a text, a number, true or false"],
  ])("to %s=%j is refused before it is made", async (name, value, words) => {
    const bench = await newPostgresBench();
    const settings = { pg_settings: { work_mem: "8MB", [name]: value } };
    expect(() => bench.emulator.updateEndpoint(bench.id, { settings })).toThrow(words);
    const replica = { branch_id: bench.project.branch.id, type: "read_only", settings };
    expect(() => bench.emulator.createEndpoint(bench.project.project.id, replica)).toThrow(words);
    expect(bench.emulator.endpoint(bench.id).endpoint.settings).toEqual({ pg_settings: {} });
  });

  it("to a name of a program's own is taken", async () => {
    const bench = await newPostgresBench();
    await change(bench, { "app.token": "it's", "plpgsql.check_asserts": "off" });
    const { query } = await bench.connect();
    await until(async () => (await query("SHOW app.token"))[0]!["app.token"] === "it's");
  });

  it("of an earlier release does not keep a compute from starting: what Postgres refuses is left out", async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const stateFile = join(folder, "state.json");
    const bench = await newOwnBench({ stateFile });
    await change(bench, { work_mem: "7MB" });
    await closePostgres();
    const text = readFileSync(stateFile, "utf8");
    writeFileSync(stateFile, text.replace('"work_mem":"7MB"', '"work_mem":"7\\nMB"'));
    const later = await newOwnBench({ stateFile });
    expect(await (await later.connect()).query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(later.told.join()).toContain(
      `${later.id} starts without its new settings: pg_settings.work_mem has a line break`,
    );
  });
});
