/** The built `compute-verify` as a process, against an emulator of each form, with real Postgres where there is one. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import type { Verification } from "../../verify/report";
import { describeOnPostgres, until } from "../../emulator/test/postgresSupport";
import { temporaryFolder } from "../support/temporaryFolder";

const checkout = path.join(__dirname, "..", "..");
const main = path.join(checkout, "dist/verify/main.js");

const emulators: Emulator[] = [];
afterEach(async () => {
  await Promise.all(emulators.splice(0).map((emulator) => emulator.close()));
});

interface Started {
  readonly emulator: Emulator;
  readonly child: ChildProcess;
  readonly told: () => string;
  /** Its exit code, what it printed, and what it wrote. */
  readonly ended: Promise<{ code: number | null; printed: string; report: Verification | undefined }>;
  /** Ids of computes on the branch. */
  readonly left: () => readonly string[];
}

async function start(options: EmulatorOptions, isWatched = false): Promise<Started> {
  const emulator = await startEmulator(options);
  emulators.push(emulator);
  const { project, endpoint } = emulator.createProject();
  const [branch, other] = [0, 1].map(() => emulator.createBranch(project.id, { compute: false }).branch);
  await emulator.addressed();
  const place = emulator.endpoint(endpoint.id).place;
  const shared = place && new URL(place.sharedUri);
  const file = path.join(temporaryFolder(), "out.json");
  const places = ["--project", project.id, "--branch", branch!.id, "--move-to", other!.id];
  const login = isWatched ? ["--role", place!.user, "--database", place!.database] : [];
  const child = spawn(process.execPath, [main, ...places, ...login, "--yes", "--out", file], {
    // Where pg is found.
    cwd: checkout,
    env: {
      ...process.env,
      COMPUTE_API_KEY: emulator.apiKey,
      COMPUTE_BASE_URL: emulator.url,
      COMPUTE_SERVICE: emulator.switches.service,
      ...(shared && { PGHOST: shared.hostname, PGPORT: shared.port, PGPASSWORD: place.password }),
      PGSSLMODE: "disable",
    },
  });
  const [printed, told]: [string[], string[]] = [[], []];
  child.stdout.on("data", (data: Buffer) => printed.push(data.toString()));
  child.stderr.on("data", (data: Buffer) => told.push(data.toString()));
  const ended = once(child, "close").then(([code]: (number | null)[]) => ({
    code: code ?? null,
    printed: printed.join(""),
    report: existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Verification) : undefined,
  }));
  const left = (): readonly string[] =>
    emulator
      .endpoints(project.id)
      .map((one) => one.endpoint.id)
      .filter((id) => id !== endpoint.id);
  return { emulator, child, told: () => told.join(""), ended, left };
}

const allTrue = (changes: number) => ({ true: changes, "false alarm": 0, missed: 0, "cannot tell": 0 });

it("says of Neon's form that all is true, and prints plain lines where there is no terminal", async () => {
  const { ended, told, left } = await start({ switches: { service: "neon" }, operationMs: 100 });
  const { code, printed, report } = await ended;
  expect({ code, counts: report?.counts, left: left() }).toEqual({ code: 0, counts: allTrue(10), left: [] });
  expect(printed).toContain("10 true, 0 false alarm, 0 missed, 0 cannot tell.");
  expect(told()).toMatch(/^10\/10 enable \(replica\): true$/m);
  expect(told()).not.toContain("\u001b");
});

it.each([1, 2])("deletes what it made after Ctrl-C, %s time(s)", async (times) => {
  const { child, ended, told, left, emulator } = await start({ switches: { service: "neon" } });
  await until(() => told().includes("1/10 size up"));
  const seen = left();
  expect(seen).toHaveLength(2);
  // A deletion that takes a while, so that the second one falls into it.
  emulator.setTimeline({ action: "suspend_compute", runningMs: 1_500 });
  for (let time = 0; time < times; time++) {
    child.kill("SIGINT");
    await until(() => told().includes(time === 0 ? "Stopping:" : "Still deleting."));
  }
  const { code, report } = await ended;
  expect({ code, left: left(), ended: report?.ended }).toEqual({ code: 130, left: [], ended: "stopped" });
});

it("names what it made after the third Ctrl-C, and ends at once", async () => {
  const { child, ended, told, left, emulator } = await start({ switches: { service: "neon" } });
  await until(() => told().includes("1/10 size up"));
  emulator.addFault({ kind: "delay", delayMs: 20_000, method: "DELETE", times: 9 });
  for (const text of ["Stopping:", "Still deleting.", "LEFT: "]) {
    child.kill("SIGINT");
    await until(() => told().includes(text));
  }
  const { code } = await ended;
  const named = [...told().matchAll(/^LEFT: compute (ep-[\w-]+)/gm)].map(([, id]) => id);
  expect([code, named.sort()]).toEqual([4, [...left()].sort()]);
});

describeOnPostgres("with a connection that is held open", () => {
  it("the emulator prints an address for it", async () => {
    const args = [path.join(checkout, "dist/emulator/main.js"), "--project", "--port", "0"];
    const child = spawn(process.execPath, args);
    let told = "";
    child.stderr.on("data", (data: Buffer) => (told += data.toString()));
    try {
      await until(() => told.includes("any compute: "));
      expect(told).toMatch(
        /^any compute: postgresql:\/\/app:\w+@127\.0\.0\.1:\d+\/app\?options=endpoint%3Dep-…$/m,
      );
    } finally {
      child.kill();
      await once(child, "close");
    }
  });

  it.each([
    { switches: { service: "interface" }, counts: allTrue(12) },
    { switches: { service: "neon" }, counts: allTrue(10) },
    {
      switches: { service: "interface", resize: "live" },
      counts: { ...allTrue(9), "false alarm": 3 },
    },
  ] as const)("sees that $counts of $switches", async ({ switches, counts }) => {
    const { ended, told, left } = await start({ switches, computes: "postgres" }, true);
    const { code, report } = await ended;
    expect(told()).not.toContain("no connection");
    expect({ counts: report?.counts, code, left: left() }).toEqual({ counts, code: 0, left: [] });
    const changeOf = (title: string) => report?.changes.find(({ change }) => change === title)?.connection;
    expect(changeOf("suspend timeout")).toEqual({});
    if (counts["false alarm"] === 0) expect(changeOf("size up")).toMatchObject({ lost: "57P01" });
    expect(changeOf("disable")).toMatchObject({ lost: "57P01" });
  });
});
