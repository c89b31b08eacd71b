import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
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
} from "./postgresSupport";

/** Where computes on Postgres are found, and what they keep from whom. */

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
