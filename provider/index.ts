/**
 * The wiring root: what Pulumi's dynamic provider process loads.
 */
import { systemClock } from "./clock";
import { createHandlers, type EndpointHandlers } from "./host/dynamic";
import { onEngineEnd } from "./host/ending";
import { createEngineLog, engineAddressIn, isDynamicProvider } from "./host/engineLog";
import { loadSdkStubs } from "./host/sdkStubs";
import { watchEngine } from "./host/watchdog";

/** Where the engine listens: an argument of its provider process. */
const engineAddress = engineAddressIn(process.argv);

// At once, before anything is asked: an engine that is killed during a preview leaves this process behind as well.
if (isDynamicProvider(process.argv)) watchEngine(engineAddress, () => process.exit(1));

/** Loaded by name from stored states: `require("pulumi-compute-endpoint/provider").endpoint`. */
export const endpoint: EndpointHandlers = createHandlers({
  clock: systemClock,
  log: (redact) => createEngineLog(() => loadSdkStubs(engineAddress), redact),
  connect: async () => (await import("./connect.js")).connect,
  onEnd: onEngineEnd,
});
