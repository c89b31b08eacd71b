import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Clock, startEmulator, type Emulator } from "../../../emulator";
import { connectLifecycle } from "../../../provider/connect";
import { createHandlers, type EndpointHandlers } from "../../../provider/host/dynamic/handlers";
import { createEngineLog } from "../../../provider/host/engineLog";
import { loadSdkStubs } from "../../../provider/host/dynamic/sdkStubs";
import { listsProveAbsenceAfterMs } from "../../../provider/timing";
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

const journal = (): string[] =>
  readdirSync(journalFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

/** Ids of the computes that the service has besides the default primary. */
const computes = (): string[] =>
  emulator
    .endpoints(projectId)
    .map(({ endpoint }) => endpoint.id)
    .slice(1);

describe("the handlers", () => {
  it("serve a whole life, and nothing that they answer is undefined", async () => {
    const handlers = configured();
    const { inputs, failures } = await handlers.check({}, declared(size(1)));
    expect(failures).toEqual([]);
    const { id, outs } = await handlers.create(inputs);
    expect(outs).toMatchObject({ endpointId: id, ...size(1) });
    expect(computes()).toEqual([id]);
    await expect(handlers.diff(id, outs, inputs)).resolves.toMatchObject({ changes: false, replaces: [] });
    const seen = await handlers.read(id, outs);
    expect(seen).toMatchObject({ id, props: outs, inputs });
    const next = (await handlers.check(inputs, declared(size(2)))).inputs;
    await expect(handlers.diff(id, outs, next)).resolves.toMatchObject({ changes: true, replaces: [] });
    const changed = (await handlers.update(id, outs, next)).outs;
    expect(changed).toMatchObject({ endpointId: id, ...size(2) });
    await handlers.delete(id, changed);
    expect(computes()).toEqual([]);
    clock.advance(listsProveAbsenceAfterMs);
    const gone = await handlers.read(id, changed);
    expect(gone.id).toBe("");
    expect(gone).not.toHaveProperty("inputs");
    for (const bag of [inputs, outs, seen.props, next, changed]) {
      expect(Object.values(bag)).not.toContain(undefined);
    }
  });

  it("send nothing for a check, nor for a diff without a change", async () => {
    const handlers = configured();
    const { inputs } = await handlers.check({}, declared());
    await handlers.diff("ep-a", stored(), { ...stored(), ...inputs });
    expect(emulator.requests()).toEqual([]);
  });

  it("refuse what cannot be right, with the property that it is about", async () => {
    const { failures } = await configured().check({}, declared({ autoscalingLimitMaxCu: 7.5 }));
    expect(failures).toMatchObject([{ property: "autoscalingLimitMaxCu" }]);
  });

  it("write a create down until the engine has its id in the state", async () => {
    const handlers = configured();
    const { inputs } = await handlers.check({}, declared());
    const { id, outs } = await handlers.create(inputs);
    expect(journal()).not.toEqual([]);
    await handlers.diff(id, outs, inputs);
    expect(journal()).toEqual([]);
    await handlers.delete(id, outs);
  });

  it("clear what was written down under the old name once a renamed resource is compared", async () => {
    const handlers = configured();
    const { inputs } = await handlers.check({}, declared());
    const { id, outs } = await handlers.create(inputs);
    expect(journal()).not.toEqual([]);
    await handlers.diff(id, outs, { ...inputs, __urn: `${urn}-renamed` });
    expect(journal()).toEqual([]);
  });

  it("make a new compute for a replacement, though the old one is still there", async () => {
    const handlers = configured();
    const replica = declared({ type: "read_only" });
    const old = await handlers.create((await handlers.check({}, replica)).inputs);
    const moved = (await handlers.check(old.outs, { ...replica, regionId: "local-2" })).inputs;
    await expect(handlers.diff(old.id, old.outs, moved)).resolves.toMatchObject({ replaces: ["regionId"] });
    const next = await handlers.create((await handlers.check({}, moved)).inputs);
    expect(computes()).toEqual(expect.arrayContaining([old.id, next.id]));
    expect(next.id).not.toBe(old.id);
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
