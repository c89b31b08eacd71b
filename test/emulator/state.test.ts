import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type * as promisesModule from "node:fs/promises";
import { Clock, startEmulator } from "../../emulator";
import { replace } from "../../emulator/service/persistence/replace";
import { isWindows } from "../support/systems";
import { temporaryFolder } from "../support/temporaryFolder";
import { closeBenches, newBench } from "./support";

type Promises = typeof promisesModule;

jest.mock("node:fs/promises", () => ({ ...jest.requireActual<Promises>("node:fs/promises") }));

let folder: string;
let stateFile: string;

beforeEach(() => {
  folder = temporaryFolder();
  stateFile = join(folder, "state.json");
});

afterEach(closeBenches);
afterEach(() => jest.restoreAllMocks());

describe("the state file", () => {
  it("brings back endpoints, operations, counters, the clock and the sequence of ids", async () => {
    const first = await newBench({ stateFile });
    await first.send("POST", `${first.at}/endpoints/${first.project.endpoint.id}/restart`);
    const counters = first.emulator.counters(first.project.endpoint.id);
    const operations = first.emulator.operations(first.project.project.id);
    const endpoints = first.emulator.endpoints(first.project.project.id);
    await first.emulator.close();

    const again = await startEmulator({ stateFile, clock: new Clock("manual"), operationMs: 1000 });
    const { id } = first.project.project;
    expect(again.operations(id)).toEqual(operations);
    expect(again.endpoints(id)).toEqual(endpoints);
    expect(again.counters(first.project.endpoint.id)).toEqual(counters);
    again.clock.advance(2000);
    expect(again.endpoints(id)[0]!.endpoint.current_state).toBe("active");
    expect(again.createProject().project.id).not.toBe(id);
    await again.close();
  });

  it("of an earlier release is read: counters, attributes, and operations under way", async () => {
    copyFileSync(join(__dirname, "state.v1.json"), stateFile);
    const emulator = await startEmulator({ stateFile, clock: new Clock("manual") });
    const [found] = emulator.endpoints("shop-1");
    expect(found).toMatchObject({
      endpoint: { autoscaling_limit_max_cu: 2, pooler_enabled: true, pending_state: "active" },
      counters: { restarts: 1, causes: { size: 1 } },
    });
    emulator.clock.advance(2000);
    expect(emulator.operations("shop-1").map(({ action, status }) => `${action} ${status}`)).toEqual([
      "start_compute finished",
      "apply_config finished",
      "start_compute finished",
      "create_timeline finished",
    ]);
    await emulator.close();
  });

  it("that is older than an attribute is read with the attribute's initial value", async () => {
    const text = readFileSync(join(__dirname, "state.v1.json"), "utf8");
    writeFileSync(stateFile, text.replace(/"poolerMode": .*|"passwordlessAccess": .*/g, ""));
    const emulator = await startEmulator({ stateFile, clock: new Clock("manual") });
    expect(emulator.endpoints("shop-1")[0]!.endpoint).toMatchObject({
      pooler_enabled: true,
      pooler_mode: "transaction",
      passwordless_access: true,
    });
    await emulator.close();
  });

  it("holds what was changed soon after, closed to other users and with nothing left beside it", async () => {
    const { emulator, project } = await newBench({ stateFile });
    await emulator.close();
    expect(readdirSync(folder)).toEqual(["state.json"]);
    expect(readFileSync(stateFile, "utf8")).toContain(project.project.id);
    // Windows has no such modes.
    if (!isWindows) expect(statSync(stateFile).mode & 0o777).toBe(0o600);
  });

  it("that can't be written is an error when the emulator closes", async () => {
    writeFileSync(join(folder, "file"), "");
    const emulator = await startEmulator({ stateFile: join(folder, "file", "state.json") });
    emulator.createProject();
    await expect(emulator.close()).rejects.toThrow(/EEXIST|ENOTDIR/);
  });

  it.each(["{", "null", '{"version":2}'])(
    "that can't be read is an error that names it: %s",
    async (text) => {
      writeFileSync(stateFile, text);
      await expect(startEmulator({ stateFile })).rejects.toThrow(
        `The state file ${stateFile} can't be read.`,
      );
      expect(readFileSync(stateFile, "utf8")).toBe(text);
    },
  );
});

it("gives the same ids for the same seed, and others for another", async () => {
  const [one, same, other] = await Promise.all([1, 1, 2].map((seed) => newBench({ seed })));
  expect(same!.project).toEqual(one!.project);
  expect(other!.project.project.id).not.toBe(one!.project.project.id);
});

it("runs with the real clock too, which can be advanced", async () => {
  const { emulator, id } = await newBench({ clock: new Clock(), operationMs: 60_000 });
  expect(emulator.endpoint(id).endpoint.current_state).toBe("init");
  emulator.clock.advance(120_000);
  expect(emulator.endpoint(id).endpoint.current_state).toBe("active");
});

it("frees its port when it is closed, at once, whatever connections are kept alive", async () => {
  const { emulator, send, at } = await newBench();
  await send("GET", `${at}/endpoints`);
  await emulator.close();
  const next = await startEmulator({ port: emulator.port });
  expect(next.url).toBe(emulator.url);
  await next.close();
});

/** As a system answers while another process has the file open. */
function refuse(times: number, code: string): void {
  const { rename } = jest.requireActual<Promises>("node:fs/promises");
  let left = times;
  jest
    .spyOn(jest.requireMock<Promises>("node:fs/promises"), "rename")
    .mockImplementation((from, to) =>
      left-- > 0 ? Promise.reject(Object.assign(new Error(code), { code })) : rename(from, to),
    );
}

describe("a file that is open elsewhere", () => {
  beforeEach(() => {
    for (const name of ["new", "old"]) writeFileSync(join(folder, name), name);
  });

  it.each(["EPERM", "EACCES", "EBUSY"])("is replaced a moment later on Windows: %s", async (code) => {
    refuse(2, code);
    await replace(join(folder, "new"), join(folder, "old"), "win32");
    expect(readFileSync(join(folder, "old"), "utf8")).toBe("new");
  });

  it.each([
    { platform: "win32", code: "ENOSPC" },
    { platform: "linux", code: "EACCES" },
  ] as const)("is an error at once where waiting changes nothing: $code on $platform", async (row) => {
    refuse(1, row.code);
    await expect(replace(join(folder, "new"), join(folder, "old"), row.platform)).rejects.toThrow(row.code);
    expect(readFileSync(join(folder, "old"), "utf8")).toBe("old");
  });
});
