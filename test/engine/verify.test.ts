/** The built `compute-verify` as a process, against an emulator of each service, with real Postgres if this machine has it. */
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
  /** Its exit code, and what it wrote. */
  readonly ended: Promise<{ code: number | null; report: Verification | undefined }>;
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
    // The package pg is found from this folder.
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
  const told: string[] = [];
  child.stderr.on("data", (data: Buffer) => told.push(data.toString()));
  const ended = once(child, "close").then(([code]: (number | null)[]) => ({
    code: code ?? null,
    report: existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Verification) : undefined,
  }));
  const left = (): readonly string[] =>
    emulator
      .endpoints(project.id)
      .map((one) => one.endpoint.id)
      .filter((id) => id !== endpoint.id);
  return { emulator, child, told: () => told.join(""), ended, left };
}

it("compute-verify prints plain lines without a terminal, and deletes what it made after Ctrl-C, even if Ctrl-C is pressed twice", async () => {
  const { child, ended, told, left, emulator } = await start({ switches: { service: "neon" } });
  await until(() => /1\/\d+ size up/.test(told()));
  expect(left()).toHaveLength(2);
  // The deletion takes a while, so that the second Ctrl-C comes during it.
  emulator.setTimeline({ action: "suspend_compute", runningMs: 1_500 });
  for (const says of ["Stopping:", "Still deleting."]) {
    child.kill("SIGINT");
    await until(() => told().includes(says));
  }
  const { code, report } = await ended;
  expect({ code, left: left(), ended: report?.ended }).toEqual({ code: 130, left: [], ended: "stopped" });
  expect(told()).not.toContain("\u001b");
});

it("compute-verify deletes what it made even if nobody reads its output any more, as when a terminal is closed", async () => {
  const { child, ended, told, left } = await start({ switches: { service: "neon" } });
  await until(() => /1\/\d+ size up/.test(told()));
  child.stdout!.destroy();
  child.stderr!.destroy();
  child.kill("SIGHUP");
  const { code, report } = await ended;
  expect({ code, left: left(), ended: report?.ended }).toEqual({ code: 129, left: [], ended: "stopped" });
});

describeOnPostgres("with a connection that is held open", () => {
  it("the emulator prints an address for the connection", async () => {
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
    { service: "interface", changes: 12 },
    { service: "neon", changes: 10 },
  ] as const)(
    "compute-verify finds all $changes announcements true on the service $service",
    async ({ service, changes }) => {
      const { ended, told, left } = await start({ switches: { service }, computes: "postgres" }, true);
      const { code, report } = await ended;
      expect(told()).not.toMatch(/no connection|cannot connect/);
      const counts = { true: changes, "false alarm": 0, missed: 0, "cannot tell": 0 };
      expect({ counts: report?.counts, code, left: left() }).toEqual({ counts, code: 0, left: [] });
      const changeOf = (title: string) => report?.changes.find(({ change }) => change === title)?.connection;
      expect(changeOf("suspend timeout")).toEqual({});
      for (const title of ["size up", "disable"]) expect(changeOf(title)).toMatchObject({ lost: "57P01" });
    },
  );
});
