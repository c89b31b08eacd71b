/** The provider processes of a file's tests, at one control plane. */
import { startEmulator, type Emulator } from "../../emulator";
import { CallFailure } from "../support/pluginClient";
import type { Variant } from "../support/variants";
import { startProviderProcess, type ProcessOptions, type ProviderProcess } from "../support/providerProcess";

export interface Processes {
  /** A process of its own, which ends with the test. */
  start(variant: Variant, options: ProcessOptions): Promise<ProviderProcess>;
  /** The process that serves every test without an environment of its own, as the engine's serves every resource. */
  served(variant: Variant): Promise<ProviderProcess>;
  endTest(): Promise<void>;
  close(): Promise<void>;
}

export function processesAt({ apiKey, url }: Emulator): Processes {
  const own: ProviderProcess[] = [];
  const shared = new Map<Variant, ProviderProcess>();
  const environment = { COMPUTE_API_KEY: apiKey, COMPUTE_BASE_URL: url };
  const open = (variant: Variant, options: ProcessOptions): Promise<ProviderProcess> =>
    startProviderProcess({ variant, environment, ...options });
  const endTest = async (): Promise<void> => {
    await Promise.all(own.splice(0).map((one) => one.close()));
  };
  return {
    start: async (variant, options) => {
      const started = await open(variant, options);
      own.push(started);
      return started;
    },
    served: async (variant) => {
      const provider = shared.get(variant) ?? (await open(variant, {}));
      shared.set(variant, provider);
      return sinceNow(provider);
    },
    endTest,
    close: async () => {
      await endTest();
      await Promise.all([...shared.values()].map((one) => one.close()));
    },
  };
}

/** Without what others have had it say. */
function sinceNow(provider: ProviderProcess): ProviderProcess {
  const before = { said: provider.said.length, printed: provider.printed().length };
  return {
    ...provider,
    get said() {
      return provider.said.slice(before.said);
    },
    printed: () => provider.printed().slice(before.printed),
  };
}

/** The plugin's process of the test that runs, and a branch without a compute, in a file that calls `pluginForEachTest`. */
export let emulator: Emulator;
export let projectId: string;
export let branchId: string;
export let plugin: ProviderProcess;

export function pluginForEachTest(): void {
  beforeEach(async () => {
    emulator = await startEmulator({ operationMs: 10 });
    projectId = emulator.createProject().project.id;
    branchId = emulator.createBranch(projectId, { compute: false }).branch.id;
    plugin = await startProviderProcess({
      variant: "native",
      environment: { COMPUTE_API_KEY: emulator.apiKey },
      configuration: { "compute:baseUrl": emulator.url },
    });
  });
  afterEach(async () => {
    expect(plugin.printed()).toBe("");
    await plugin.close();
    await emulator.close();
  });
}

export async function failureOf(call: Promise<unknown>): Promise<CallFailure> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CallFailure) return error;
  throw new Error("the call did not fail", { cause: error });
}
