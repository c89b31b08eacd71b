import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { Clock } from "../../emulator";
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

/** A compute's whole life, on a real Postgres: what a client sees of each step (interface 3.1). */

afterEach(closePostgres);
afterAll(closeSharedPostgres);

const sized = (cu: number): object => ({ autoscaling_limit_min_cu: cu, autoscaling_limit_max_cu: cu });

async function change(bench: PostgresBench, endpoint: object): Promise<void> {
  bench.emulator.updateEndpoint(bench.id, { ...endpoint });
  await bench.rest();
}

describeOnPostgres("a compute", () => {
  describe("a change", () => {
    it("tells 57P01 to a query that is under way", async () => {
      const bench = await newPostgresBench();
      const open = await bench.connect();
      const asked = open.query("SELECT pg_sleep(600)");
      const answered = expect(asked).rejects.toMatchObject({ code: "57P01" });
      await change(bench, sized(1));
      await Promise.all([answered, open.closed]);
      expect(open.codes).toEqual(["57P01"]);
    });

    it("of the branch keeps the address, and shows that branch's rows", async () => {
      const bench = await newPostgresBench();
      const open = await bench.connect();
      await open.query("CREATE TABLE kept (of text); INSERT INTO kept VALUES ('both')");
      const projectId = bench.project.project.id;
      const { branch } = bench.emulator.createBranch(projectId, { compute: false });
      await bench.rest();
      await open.query("INSERT INTO kept VALUES ('the first alone')");
      const { uri } = bench.emulator.endpoint(bench.id).place!;
      await change(bench, { branch_id: branch.id });
      await open.closed;
      expect(open.codes).toEqual(["57P01"]);
      const moved = await bench.connect();
      expect(await moved.query("SELECT of FROM kept")).toEqual([{ of: "both" }]);
      expect(bench.emulator.endpoint(bench.id).place!.uri).toBe(uri);
      await change(bench, { branch_id: bench.project.branch.id });
      const back = await bench.connect();
      expect(await back.query("SELECT count(*)::int AS rows FROM kept")).toEqual([{ rows: 2 }]);
    });

    it("to disabled drops connections and refuses new ones in words; enabled, they are served again", async () => {
      const bench = await newPostgresBench();
      const open = await bench.connect();
      await change(bench, { disabled: true });
      await open.closed;
      expect(open.codes).toEqual(["57P01"]);
      await expect(bench.connect()).rejects.toThrow(`Endpoint ${bench.id} is disabled.`);
      await change(bench, { disabled: false });
      expect(await (await bench.connect()).query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    });

    it("to access with a password asks for it from then on, and drops nothing", async () => {
      const bench = await newPostgresBench();
      const place = bench.emulator.endpoint(bench.id).place!;
      const wrong = { ...place, password: "wrong" };
      const open = await connected(wrong);
      await change(bench, { passwordless_access: false });
      await until(async () => (await refusalOf(connected(wrong))) === "28P01");
      expect(await (await bench.connect()).query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
      expect(await open.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    });
  });

  it("a restart drops connections and keeps rows; a delete drops them for good", async () => {
    const bench = await newPostgresBench();
    const open = await bench.connect();
    await open.query("CREATE TABLE kept AS SELECT generate_series(1, 1000) AS one");
    bench.emulator.restartEndpoint(bench.id);
    await open.closed;
    const next = await bench.connect();
    expect(await next.query("SELECT count(*)::int AS rows FROM kept")).toEqual([{ rows: 1000 }]);
    const { port } = bench.emulator.endpoint(bench.id).place!;
    bench.emulator.deleteEndpoint(bench.id);
    await next.closed;
    expect([...open.codes, ...next.codes]).toEqual(["57P01", "57P01"]);
    await until(async () => (await refusalOf(connected({ host: "127.0.0.1", port }))) === "ECONNREFUSED");
  });

  describe("autosuspend", () => {
    it("ends an idle connection, and the next one wakes the compute with one operation", async () => {
      const clock = new Clock("manual");
      const bench = await newOwnBench({ clock });
      const idle = await bench.connect();
      clock.advance(299_000);
      expect(await idle.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
      clock.advance(299_000);
      expect(bench.emulator.endpoint(bench.id).endpoint.current_state).toBe("active");
      clock.advance(2_000);
      await idle.closed;
      expect(idle.codes).toEqual(["57P01"]);
      await bench.rest();
      expect(bench.emulator.endpoint(bench.id).endpoint.current_state).toBe("idle");
      const before = bench.emulator.operations(bench.project.project.id).length;
      await Promise.all(Array.from({ length: 20 }, () => bench.connect()));
      const made = bench.emulator.operations(bench.project.project.id).slice(0, -before);
      expect(made.map(({ action }) => action)).toEqual(["start_compute"]);
    });

    it("waits for a query that runs, and for an open transaction", async () => {
      const clock = new Clock("manual");
      const bench = await newOwnBench({ clock });
      const holder = await bench.connect();
      await holder.query("BEGIN");
      await holder.query("SELECT pg_advisory_lock(1)");
      const waiting = await bench.connect();
      const blocked = waiting.query("SELECT pg_advisory_lock(1)");
      clock.advance(86_400_000);
      expect(bench.emulator.endpoint(bench.id).endpoint.current_state).toBe("active");
      await holder.client.query("SELECT pg_advisory_unlock(1)");
      await blocked;
      await holder.query("COMMIT");
      clock.advance(301_000);
      await Promise.all([holder.closed, waiting.closed]);
      expect([...holder.codes, ...waiting.codes]).toEqual(["57P01", "57P01"]);
    });
  });

  describe("a replica", () => {
    it("streams what its primary writes, and refuses writes", async () => {
      const bench = await newPostgresBench();
      const primary = await bench.connect();
      await primary.query("CREATE TABLE kept (one int); INSERT INTO kept VALUES (1)");
      const made = bench.emulator.createEndpoint(bench.project.project.id, {
        branch_id: bench.project.branch.id,
        type: "read_only",
      });
      await bench.rest();
      const replica = await bench.connect(made.endpoint.id);
      await primary.query("INSERT INTO kept VALUES (2)");
      await until(
        async () => (await replica.query("SELECT count(*)::int AS rows FROM kept"))[0]!["rows"] === 2,
      );
      await expect(replica.query("INSERT INTO kept VALUES (3)")).rejects.toMatchObject({ code: "25006" });
      // Its primary may restart, and it goes on.
      await change(bench, sized(2));
      await (await bench.connect()).query("INSERT INTO kept VALUES (3)");
      await until(
        async () => (await replica.query("SELECT count(*)::int AS rows FROM kept"))[0]!["rows"] === 3,
      );
      expect(replica.codes).toEqual([]);
    });
  });

  it("branches made at once, while their parent is written to, have all rows up to a moment of their own", async () => {
    const bench = await newPostgresBench();
    const primary = await bench.connect();
    await primary.query("CREATE TABLE kept (one serial)");
    await primary.query("INSERT INTO kept DEFAULT VALUES");
    const projectId = bench.project.project.id;
    const made = Array.from({ length: 6 }, () => bench.emulator.createBranch(projectId));
    const copying = new AbortController();
    const copied = bench.rest().finally(() => {
      copying.abort();
    });
    while (!copying.signal.aborted) await primary.query("INSERT INTO kept DEFAULT VALUES");
    await copied;
    for (const { endpoint } of made) {
      const branch = await bench.connect(endpoint!.id);
      const [kept] = await branch.query("SELECT count(*)::int AS rows, max(one) AS last FROM kept");
      expect(kept!["rows"]).toBeGreaterThan(0);
      expect(kept!["rows"]).toBe(kept!["last"]);
    }
  });

  describe("connections beyond those of the size", () => {
    it("are refused by the server", async () => {
      const bench = await newPostgresBench();
      const most = 112 - 3;
      await Promise.all(Array.from({ length: most }, () => bench.connect()));
      expect(await refusalOf(bench.connect())).toBe("53300");
      expect(bench.emulator.endpoint(bench.id).activity!.connections).toBe(most);
    });
  });
});

describeOnPostgres("examples/reconnect", () => {
  it("goes on after a change of size and after an autosuspend", async () => {
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
