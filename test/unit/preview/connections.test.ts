/**
 * `--connections` without Postgres: whom it asks, and how it fails. test/engine/connections.test.ts asks a real Postgres.
 */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import * as pg from "pg";
import { createAsker, type Asking } from "../../../preview/connections/ask";
import { runProcess } from "../../../preview/save";
import type { Report, StacksReport } from "../../../preview/shape";
import type { Verdict } from "../../../provider/model/notice";
import {
  digest,
  eventLines,
  leaves,
  previewOf,
  restarts,
  settles,
  size,
  step,
  type StepParts,
} from "./previews";

const active: Partial<Verdict> = { effect: "restart", certain: true, now: "active" };
const running = (name = "app", host = `ep-${name}.example`): StepParts => ({
  ...{ ...restarts, name, verdict: active },
  outputs: { host },
});

interface Ran {
  readonly code: number;
  readonly printed: string;
  readonly told: string;
}

type Files = Readonly<Record<string, Uint8Array>>;

/** Runs the command on stdin, or on files. */
async function run(
  input: Uint8Array | Files,
  asking: Partial<Asking> = {},
  ...args: readonly string[]
): Promise<Ran> {
  const [printed, told]: [string[], string[]] = [[], []];
  const files = input instanceof Uint8Array ? {} : input;
  const code = await runProcess(["--connections", ...Object.keys(files), ...args], {
    read: (file) => (input instanceof Uint8Array ? input : files[file ?? ""]!),
    list: () => undefined,
    isTerminal: false,
    print: (text) => printed.push(text),
    complain: (text) => told.push(text),
    record: () => Promise.reject(new Error("There is no command.")),
    write: () => undefined,
    ask: createAsker({ pg, environment: {}, now: () => new Date("2026-11-28T07:02:11Z"), ...asking }),
  });
  return { code, printed: printed.join(""), told: told.join("") };
}

/** What the report says of the connections of each compute. */
async function found(
  input: Uint8Array | Files,
  asking: Partial<Asking>,
): Promise<readonly (readonly [string, string, string | null] | undefined)[]> {
  const { printed } = await run(input, asking, "--format", "json");
  const report = JSON.parse(printed) as Report | StacksReport;
  const reports = report.format === "compute-preview" ? [report] : report.stacks.map((one) => one.report);
  return reports
    .flatMap(({ computes }) => computes)
    .map(({ label, connections }) => connections && [label, connections.status, connections.reason]);
}

const servers: Server[] = [];
const sockets = new Set<Socket>();

/** A server that does with each connection what the test says. @returns its port */
async function serve(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    onConnection(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** A URL for hosts, which leads to a port of this machine. */
const urlTo = (port: number, host = "*.example"): Asking["environment"] => ({
  COMPUTE_CONNECTION_URLS: `postgresql://monitor:pass-4711@${host}/app?host=127.0.0.1&port=${port}&sslmode=disable`,
});

const unknown = "nobody knows whether it is active, and asking would wake an idle compute";
const old = "the preview is more than 5 minutes old, and asking would wake an idle compute";
const idle: Partial<Verdict> = { effect: "restart", certain: true, now: "idle" };
const noLogin = "there are no credentials for its host";

describe("nobody is asked", () => {
  it.each<[reason: string, steps: readonly StepParts[], expected: readonly (string | undefined)[]]>([
    ["about a compute that nothing interrupts", [settles], [undefined]],
    ["about an idle compute: it has no connections", [{ ...restarts, verdict: idle }], [undefined]],
    ["if the preview does not know whether the compute is active", [restarts], [unknown]],
    ["about a deleted compute, whose state a preview never knows", [leaves], [unknown]],
    ["without credentials", [running()], [noLogin]],
  ])("%s", async (_reason, steps, expected) => {
    const answers = await found(previewOf(...steps), {});
    expect(answers.map((answer) => answer?.[2])).toEqual(expected);
    expect(answers.every((answer) => answer === undefined || answer[1] === "not asked")).toBe(true);
  });

  it("if the events are more than five minutes old, as after a job was run again", async () => {
    const asked: number[] = [];
    const port = await serve((socket) => {
      asked.push(1);
      socket.destroy();
    });
    const made = Date.parse("2026-11-28T06:57:00Z") / 1_000;
    const { oldState, newState, ...rest } = step(running()) as Record<string, Record<string, unknown>>;
    const event = (timestamp: number): Buffer =>
      eventLines(
        {
          timestamp,
          resourcePreEvent: {
            metadata: { ...rest, diffs: rest["diffReasons"], type: "x", old: oldState, new: newState },
          },
        },
        { timestamp, summaryEvent: { resourceChanges: { update: 1 } } },
      );
    expect(await found(event(made), { environment: urlTo(port) })).toEqual([["app", "not asked", old]]);
    expect(asked).toEqual([]);
    expect(await found(event(made + 20), { environment: urlTo(port) })).toMatchObject([
      ["app", "failed", expect.anything()],
    ]);
    expect(asked).toEqual([1]);
  });

  it("without pg: one line on stderr says how to get it", async () => {
    const environment = { PGPASSWORD: "pass-4711" };
    const { code, printed, told } = await run(previewOf(running()), { pg: undefined, environment });
    expect([code, told]).toEqual([
      0,
      "compute-preview: --connections needs the package pg in this folder: run npm install pg\n",
    ]);
    expect(printed).toContain(
      "| Open connections drop<br>Whose connections: not asked, because the package pg is not installed",
    );
  });

  it("with --annotations or --save, which print no report", async () => {
    for (const other of ["--annotations=github", "--save=a.json"])
      expect(await run(previewOf(running()), {}, other)).toMatchObject({
        code: 2,
        told: expect.stringContaining("--connections needs a report") as unknown,
      });
  });
});

describe("a compute that cannot be asked", () => {
  it.each<[reason: string, error: string, act: (socket: Socket) => void]>([
    ["a server that hangs", "no answer within 0.2 s", () => undefined],
    ["a server that ends the connection", "Connection terminated unexpectedly", (socket) => socket.end()],
    [
      "a server that repeats the password",
      "no role [redacted] with [redacted]",
      (socket) => {
        let asks = 0;
        socket.on("data", (bytes) => {
          // First it asks for the password in plain text.
          if (asks++ === 0) socket.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3]));
          else {
            const text = `SFATAL\0C28000\0Mno role "monitor" with ${bytes.subarray(5, -1).toString()}\0\0`;
            const length = Buffer.alloc(4);
            length.writeInt32BE(text.length + 4);
            socket.end(Buffer.concat([Buffer.from("E"), length, Buffer.from(text)]));
          }
        });
      },
    ],
  ])("is a clause in its row: %s", async (_reason, error, act) => {
    const environment = urlTo(await serve(act));
    const asking = { environment, limitMs: 200 };
    const { code, printed, told } = await run(
      previewOf(running()),
      asking,
      "--format=text",
      "--fail-on=move",
    );
    expect([code, told]).toEqual([0, ""]);
    expect(printed).toContain(`  clients  whose connections: could not ask: ${error}\n`);
    expect(printed).not.toMatch(/4711|monitor/);
  });

  it("is a clause in its row: nothing listens there", async () => {
    const port = await serve(() => undefined);
    await new Promise((resolve) => servers.pop()!.close(resolve));
    expect(await found(previewOf(running()), { environment: urlTo(port) })).toEqual([
      ["app", "failed", `connect ECONNREFUSED 127.0.0.1:${port}`],
    ]);
  });

  it("of 200, at most eight are asked at the same time, and each gets its answer", async () => {
    let [open, most, all] = [0, 0, 0];
    const port = await serve((socket) => {
      most = Math.max(most, ++open);
      all++;
      socket.once("close", () => open--).resume();
      setTimeout(() => socket.destroy(), 10);
    });
    const names = Array.from({ length: 200 }, (_, index) => `app${index}`);
    const stacks = {
      "a.json": previewOf(...names.slice(0, 120).map((name) => running(name))),
      "b.json": previewOf(...names.slice(120).map((name) => running(name))),
    };
    const answers = await found(stacks, { environment: urlTo(port) });
    expect(new Set(answers.map((answer) => answer?.[1]))).toEqual(new Set(["failed"]));
    expect({ all, most, rows: answers.length }).toEqual({ all: 200, most: 8, rows: 200 });
  });
});

describe("COMPUTE_CONNECTION_URLS", () => {
  const reach = async (hostInUrl: string, host: string): Promise<boolean> => {
    const port = await serve((socket) => socket.destroy());
    const [answer] = await found(previewOf(running("app", host)), { environment: urlTo(port, hostInUrl) });
    return answer?.[2] !== noLogin;
  };

  it.each<[url: string, host: string, isUsed: boolean]>([
    ["ep-app.example", "ep-app.example", true],
    ["ep-app-pooler.example", "ep-app.example", true],
    ["ep-app.example", "EP-APP.example", true],
    ["ep-other.example", "ep-app.example", false],
    ["*.example", "ep-app.eu.example", true],
    ["*.example", "ep-app.example.evil", false],
    ["*.example", "evilexample", false],
  ])("a URL for %s: whether it is used for %s is %s", async (url, host, isUsed) => {
    expect(await reach(url, host)).toBe(isUsed);
  });

  it("leads to the compute itself, encrypted and checked, even if the URL is a pooler's and says nothing about encryption", async () => {
    const configs: pg.ClientConfig[] = [];
    class Client extends pg.Client {
      constructor(config: pg.ClientConfig) {
        super(config);
        configs.push(config);
      }

      override connect(): Promise<never> {
        return Promise.reject(new Error("not today"));
      }
    }
    const environment = {
      COMPUTE_CONNECTION_URLS: "postgres://m:p@ep-app-pooler.example/app?sslmode=require",
      ...{ PGPASSWORD: "x", PGHOST: "elsewhere.example" },
    };
    const asking = { pg: { Client } as unknown as typeof pg, environment };
    await found(previewOf(running()), asking);
    await found(previewOf(running()), { ...asking, environment: { PGPASSWORD: "x" } });
    await found(previewOf(running()), { ...asking, environment: { PGUSER: "m", PGHOST: "all.example" } });
    expect(configs).toMatchObject([
      { connectionString: "postgres://m:p@ep-app.example/app?sslmode=verify-full" },
      { host: "ep-app.example", ssl: true },
      { host: "all.example", options: "endpoint=ep-app", ssl: true },
    ]);
  });

  it("is not shown if it is not a URL", async () => {
    const environment = { COMPUTE_CONNECTION_URLS: "host=db password=pass-4711" };
    const { told, printed } = await run(previewOf(running()), { environment });
    expect(told).toBe(
      "compute-preview: COMPUTE_CONNECTION_URLS takes URLs such as postgresql://ROLE:PASSWORD@HOST/DATABASE, separated by spaces: 2 of its words are none\n",
    );
    expect(printed).not.toContain("4711");
  });
});

it("the report is the same as without --connections if nothing is interrupted", async () => {
  const preview = digest([step(settles), step({ name: "n", op: "create", new: size(1) })]);
  const { printed } = await run(preview, {}, "--format", "json");
  expect(printed).not.toContain('"connections"');
});
