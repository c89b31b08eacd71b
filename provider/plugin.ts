/**
 * Connects the parts of the plugin: the engine starts this file as `pulumi-resource-compute`.
 */
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { systemClock } from "./clock";
import { exportStack } from "./run/exportStack";
import { createEngineLog } from "./host/log";
import { engineAddressIn, watchEngine } from "./host/watchdog";
import { schemaFor } from "./host/plugin/engineSchema";
import { createPluginHandlers } from "./host/plugin/handlers";
import { servePlugin } from "./host/plugin/server";
import { packageVersion } from "./version";

const interruption = new AbortController();
/** The address of the engine that started this process; undefined if a person started it, to debug. */
const ownEngine = engineAddressIn(process.argv);
let engineAddress = ownEngine;
const watch = (address: string | undefined): void => {
  watchEngine(address, () => process.exit(1));
};
// The watch starts before the first call, so that this process ends even if the engine is killed before it calls anything.
watch(ownEngine);

const handlers = createPluginHandlers({
  clock: systemClock,
  log: (redact) =>
    createEngineLog(
      () =>
        engineAddress === undefined
          ? undefined
          : { client: new EngineClient(engineAddress, grpc.credentials.createInsecure()), LogRequest },
      redact,
    ),
  loadLifecycle: async () => (await import("./wiring.js")).wireLifecycle,
  lookups: async () => import("./lookups.js"),
  interrupted: interruption.signal,
  exportStack,
});

void servePlugin({
  handlers,
  schema: () =>
    schemaFor(readFileSync(join(__dirname, "schema.json"), "utf8"), {
      // eslint-disable-next-line no-restricted-properties -- the engine's own variable, and no setting.
      project: process.env["PULUMI_PROJECT"],
      folders: [process.cwd(), __dirname],
    }),
  version: packageVersion(),
  onCancel: () => {
    interruption.abort();
  },
  onEngine: (address) => {
    // Another user of the machine could pass another address, and so divert this run's warnings.
    if (ownEngine !== undefined || address === "") return;
    engineAddress = address;
    watch(address);
  },
}).then((port) => {
  // The engine reads the port from the first line. Code that NODE_OPTIONS preloads may have printed lines before it. So the
  // plugin's script makes file descriptor 3 the stream that the engine reads, and redirects the standard output to the standard
  // error, which the engine shows as messages.
  writeSync(process.argv.includes("--port-to=3") ? 3 : 1, `${port}\n`);
});
