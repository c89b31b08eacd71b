import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../support/temporaryFolder";
import {
  closePostgres,
  closeSharedPostgres,
  describeOnPostgres,
  newOwnBench,
  newPostgresBench,
  until,
  type PostgresBench,
} from "./postgresSupport";

/** Settings that a program gives its computes: which a real Postgres takes, and which never reach it. */

afterEach(closePostgres);
afterAll(closeSharedPostgres);

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
    const stateFile = path.join(folder, "state.json");
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
