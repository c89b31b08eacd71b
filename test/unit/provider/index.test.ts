import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Clock, startEmulator, type Emulator } from "../../../emulator";
import { connectLifecycle } from "../../../provider/connect";
import { createHandlers, type EndpointHandlers } from "../../../provider/host/dynamic/handlers";
import { createEngineLog } from "../../../provider/host/engineLog";
import { loadSdkStubs } from "../../../provider/host/dynamic/sdkStubs";
import { createFakeClock, type FakeClock } from "../../support/fakeClock";
import { startEngine, type Engine } from "../../support/providerProcess";

type Bag = Record<string, unknown>;

const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::db";

let clock: FakeClock;
let emulator: Emulator;
let engine: Engine;
let projectId: string;
let branchId: string;
let journalFolder: string;

beforeEach(async () => {
  const emulatorClock = new Clock("manual");
  emulator = await startEmulator({ clock: emulatorClock, operationMs: 1_000 });
  clock = createFakeClock(emulatorClock);
  engine = await startEngine();
  projectId = emulator.createProject().project.id;
  branchId = emulator.createBranch(projectId, { compute: false }).branch.id;
  clock.advance(5_000);
  journalFolder = mkdtempSync(path.join(tmpdir(), "compute-handlers-"));
});

afterEach(async () => {
  await emulator.close();
  engine.close();
  rmSync(journalFolder, { recursive: true, force: true });
});

/** Handlers that speak on the rows of an engine. */
function unconfigured(engineAddress?: string): EndpointHandlers {
  return createHandlers({
    clock,
    loadLifecycle: () => Promise.resolve(connectLifecycle),
    onEnd: () => undefined,
    log: (redact) => createEngineLog(() => loadSdkStubs(engineAddress), redact),
  });
}

/** @param more - of the stack's configuration. */
function configured(more: Readonly<Record<string, string>> = {}, engineAddress?: string): EndpointHandlers {
  const stack: Readonly<Record<string, string>> = {
    "compute:apiKey": emulator.apiKey,
    "compute:baseUrl": emulator.url,
    "compute:journalFolder": journalFolder,
    ...more,
  };
  const handlers = unconfigured(engineAddress);
  handlers.configure({ config: { get: (key) => stack[key] } });
  return handlers;
}

const declared = (more: Bag = {}): Bag => ({ __urn: urn, projectId, branchId, type: "read_write", ...more });

const size = (cu: number): Bag => ({ autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu });

/** State of a compute that is not asked for. */
const stored = (more: Bag = {}): Bag => ({
  ...declared(size(1)),
  endpointId: "ep-a",
  __managed: [],
  ...more,
});

describe("the handlers", () => {
  it("send nothing for a check, nor for a diff without a change", async () => {
    const handlers = configured();
    const { inputs } = await handlers.check({}, declared());
    await handlers.diff("ep-a", stored(), { ...stored(), ...inputs });
    expect(emulator.requests()).toEqual([]);
  });
});

describe("a notice", () => {
  it("is said on the row by diff, once", async () => {
    const handlers = configured({}, engine.address);
    const { inputs } = await handlers.check(declared(size(1)), declared(size(2)));
    await handlers.diff("ep-a", stored(), inputs);
    expect(engine.said).toHaveLength(1);
    expect(engine.said[0]).toMatch(`warning ${urn} restart: size 1 → 2 CU drops open connections`);
  });

  it("is not said by the diff of a refresh, which has no check before it, and forbids nothing", async () => {
    const handlers = configured({ "compute:onInterruption": "forbid" }, engine.address);
    await expect(handlers.diff("ep-a", stored(), declared(size(2)))).resolves.toMatchObject({
      changes: true,
    });
    expect(engine.said).toEqual([]);
    const { inputs } = await handlers.check(declared(size(2)), declared(size(2)));
    await expect(handlers.diff("ep-a", stored(), inputs)).rejects.toThrow("This is forbidden here");
    expect(engine.said).toEqual([]);
  });

  it("is not said where nothing is interrupted", async () => {
    const handlers = configured({}, engine.address);
    await handlers.diff("ep-a", stored(), stored());
    await handlers.check({}, declared());
    expect(engine.said).toEqual([]);
  });
});

describe("a configuration that cannot be read", () => {
  it("fails every call alike, with a sentence and no stack, and sends nothing", async () => {
    const handlers = configured({ "compute:liveFacts": "perhaps" });
    const calls = [
      handlers.check({}, declared()),
      handlers.diff("ep-a", stored(), stored()),
      handlers.create(declared()),
      handlers.read("ep-a", stored()),
      handlers.update("ep-a", stored(), declared()),
      handlers.delete("ep-a", stored()),
    ];
    const reasons = (await Promise.allSettled(calls)).map((call) =>
      call.status === "rejected" ? (call.reason as Error) : undefined,
    );
    for (const error of reasons) {
      expect(error?.message).toMatch(/^reading the configuration compute:liveFacts: it is "perhaps"\./);
      expect(error?.stack).not.toMatch(/\bat /);
    }
    expect(emulator.requests()).toEqual([]);
  });

  it("is a failure of the calls also where the stack's reader itself fails", async () => {
    const handlers = unconfigured();
    handlers.configure({
      config: {
        get: () => {
          throw new Error("no such stack");
        },
      },
    });
    await expect(handlers.create(declared())).rejects.toThrow(
      "reading the configuration: no such stack. Correct the configuration.",
    );
  });

  it("is replaced by one that can be", async () => {
    const handlers = configured({ "compute:liveFacts": "perhaps" });
    const stack: Record<string, string> = {
      "compute:apiKey": emulator.apiKey,
      "compute:baseUrl": emulator.url,
      "compute:journalFolder": journalFolder,
    };
    handlers.configure({ config: { get: (key) => stack[key] } });
    await expect(handlers.diff("ep-a", stored(), stored())).resolves.toMatchObject({ changes: false });
  });
});
