/**
 * Connects the parts of the dynamic provider: Pulumi's dynamic provider process loads this file.
 */
import { systemClock } from "./clock";
import { createHandlers, type EndpointHandlers } from "./host/dynamic/handlers";
import { exportStack } from "./run/exportStack";
import { createEngineLog, loadSdkStubs } from "./host/log";
import { engineAddressIn, isDynamicProvider, watchEngine } from "./host/watchdog";

/** The engine's address: an argument of its provider process. */
const engineAddress = engineAddressIn(process.argv);

// The watch starts before the first call, so that this process ends even if the engine is killed during a preview.
if (isDynamicProvider(process.argv)) watchEngine(engineAddress, () => process.exit(1));

/** Stored states load it by name: `require("pulumi-compute-endpoint/provider").endpoint`. */
export const endpoint: EndpointHandlers = createHandlers({
  clock: systemClock,
  log: (redact) => createEngineLog(() => loadSdkStubs(engineAddress), redact),
  loadLifecycle: async () => (await import("./wiring.js")).wireLifecycle,
  exportStack,
});
