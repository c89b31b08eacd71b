/**
 * A provider process whose engine is killed ends by itself, whatever it was doing: nobody else would end it, and it
 * would go on sending requests.
 */
import { startEmulator, type Emulator } from "../../emulator";
import { unknownValue } from "../../provider/pure/unknown";
import { variants, urnOf, type Variant } from "../support/variants";
import { startProviderProcess, type ProviderProcess } from "../support/providerProcess";

let emulator: Emulator;
const processes: ProviderProcess[] = [];

beforeEach(async () => {
  emulator = await startEmulator({ operationMs: 60_000 });
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((one) => one.close()));
  await emulator.close();
});

/** Each starts a process of its own: that is slow where the machine is busy. */
async function start(variant: Variant): Promise<ProviderProcess> {
  const environment = { COMPUTE_API_KEY: emulator.apiKey, COMPUTE_BASE_URL: emulator.url };
  const started = await startProviderProcess({ variant, environment });
  processes.push(started);
  return started;
}

describe.each(variants)("with the %s variant", (variant) => {
  const declared = (): Record<string, unknown> => {
    const projectId = emulator.createProject().project.id;
    const branchId = emulator.createBranch(projectId, { compute: false }).branch.id;
    return { __urn: urnOf(variant, "db"), projectId, branchId, type: "read_write" };
  };

  it("a process ends with its engine: before its first request, and in the middle of an update", async () => {
    const [planning, changing] = await Promise.all([start(variant), start(variant)]);
    // Of a branch that is not known yet nothing is asked.
    await planning.check({}, { ...declared(), branchId: unknownValue });
    const inputs = declared();
    expect(emulator.requests()).toEqual([]);
    // Its operation takes a minute.
    const cutOff = changing.create(inputs).catch(() => "cut off");
    while (!emulator.requests().some(({ route }) => route === "getOperation"))
      await new Promise((resolve) => setTimeout(resolve, 20));

    for (const each of [planning, changing]) each.killEngine();
    await Promise.all([planning.ended, changing.ended]);
    await expect(cutOff).resolves.toBe("cut off");
    for (const each of [planning, changing]) expect(each.printed()).toBe("");
  });
});

it("with the native variant, a process that was asked nothing at all ends with its engine", async () => {
  const idle = await start("native");
  idle.killEngine();
  await idle.ended;
  expect(idle.printed()).toBe("");
});
