/**
 * The provider in a process of its own, with either variant: how it answers the engine, and what it must not print.
 */
import { startEmulator, type Emulator } from "../../emulator";
import { variants, urnOf, type Variant } from "../support/variants";
import type { Values } from "../support/pluginHandlers";
import { failureOf } from "../support/pluginClient";
import { startProviderProcess, type ProcessOptions, type ProviderProcess } from "../support/providerProcess";

const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

let emulator: Emulator;
let projectId: string;
let branchId: string;
let variant: Variant;
/** Each test has its own resource, so that a journal's entries for one do not affect the next. */
let name = "db0";

let count = 0;
const own: ProviderProcess[] = [];

async function start(options: ProcessOptions): Promise<ProviderProcess> {
  const environment = { COMPUTE_API_KEY: emulator.apiKey, COMPUTE_BASE_URL: emulator.url };
  const started = await startProviderProcess({ variant, environment, ...options });
  own.push(started);
  return started;
}

beforeAll(async () => {
  emulator = await startEmulator({ operationMs: 10 });
});
beforeEach(() => {
  name = `db${(count += 1)}`;
  projectId = emulator.createProject().project.id;
  branchId = emulator.createBranch(projectId, { compute: false }).branch.id;
  emulator.clearRequests();
});
afterEach(async () => {
  await Promise.all(own.splice(0).map((one) => one.close()));
  emulator.clearFaults();
  emulator.clearTimelines();
});
afterAll(async () => {
  await emulator.close();
});

const declared = (more: object = {}): Values => ({
  __urn: urnOf(variant, name),
  projectId,
  branchId,
  type: "read_write",
  ...more,
});

describe("with the dynamic variant, the SDK's own process", () => {
  beforeEach(() => {
    variant = "dynamic";
  });

  it("finds the package from the SDK's folder if the program's folder does not have it", async () => {
    const provider = await start({ packageIn: "sdk" });
    await expect(provider.check({}, declared())).resolves.toMatchObject({ failures: [] });
    expect(provider.printed()).toBe("");
  });
});

describe.each(variants)("with the %s variant", (each) => {
  beforeEach(() => {
    variant = each;
  });

  describe("the configuration", () => {
    it("is available to a hundred first calls at once, including calls that send requests", async () => {
      const configuration = { "compute:apiKey": emulator.apiKey, "compute:baseUrl": emulator.url };
      const provider = await start({ environment: {}, configuration });
      const { endpoint } = emulator.endpoints(projectId)[0]!;
      const calls = Array.from({ length: 50 }, async () => {
        const [{ failures }, { id }] = await Promise.all([
          provider.check({}, declared()),
          provider.read(endpoint.id, { __urn: urnOf(each, name), projectId }),
        ]);
        return { failures, id };
      });
      expect(await Promise.all(calls)).toEqual(Array(50).fill({ failures: [], id: endpoint.id }));
      expect(emulator.requests().length).toBeLessThan(10);
    });

    it("makes every call fail with the same error if it cannot be read, and nothing printed has a stack trace or the key", async () => {
      const configuration = {
        "compute:apiKey": "s3cret-key",
        "compute:baseUrl": emulator.url,
        "compute:liveFacts": "perhaps",
      };
      const provider = await start({ environment: {}, configuration });
      const state = { ...declared(), endpointId: "ep-a", __managed: [] };
      const failures = await Promise.all([
        ...Array.from({ length: 95 }, () => failureOf(provider.check({}, declared()))),
        failureOf(provider.diff("ep-a", state, declared())),
        failureOf(provider.create(declared())),
        failureOf(provider.read("ep-a", state)),
        failureOf(provider.update("ep-a", state, declared())),
        failureOf(provider.delete("ep-a", state)),
      ]);
      const said = new Set(failures.map(({ message }) => message));
      expect([...said]).toEqual([
        'reading the configuration compute:liveFacts: "perhaps" is not a valid value. Set it to true or false: ' +
          "`pulumi config set compute:liveFacts true`.",
      ]);
      expect(provider.printed()).not.toMatch(/\n\s+at |s3cret/);
      expect(emulator.requests()).toEqual([]);
    });
  });

  it("the process ends when its engine ends, whatever it is doing: otherwise it would go on sending requests", async () => {
    // The SDK loads the dynamic provider with the first call.
    const idle = each === "native" ? [await start({})] : [];
    const [planning, changing] = await Promise.all([start({}), start({})]);
    // The provider sends no request about a branch that is not known yet.
    await planning.check({}, declared({ branchId: unknownValue }));
    expect(emulator.requests()).toEqual([]);
    emulator.setTimeline({ runningMs: 60_000, times: 1 });
    const cutOff = changing.create(declared()).catch(() => "cut off");
    while (!emulator.requests().some(({ route }) => route === "getOperation"))
      await new Promise((resolve) => setTimeout(resolve, 20));

    const loaded = [...idle, planning, changing];
    for (const one of loaded) one.killEngine();
    await Promise.all(loaded.map(({ ended }) => ended));
    await expect(cutOff).resolves.toBe("cut off");
    for (const one of loaded) expect(one.printed()).toBe("");
  });
});
