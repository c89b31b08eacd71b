import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import {
  closePostgres,
  closeSharedPostgres,
  describeOnPostgres,
  newPostgresBench,
  until,
} from "./postgresSupport";

afterEach(closePostgres);
afterAll(closeSharedPostgres);

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
