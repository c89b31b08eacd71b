/**
 * A provider process, called as the engine calls it: gRPC in, gRPC out, and an engine behind it that records what it is told.
 * The dynamic provider runs in the SDK's own process; the native one is the plugin that `npm run build` bundles.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { remoteProvider } from "../../sdk/remote";
import type { Variant } from "./variants";
import { fromStruct, send } from "./pluginClient";
import type { Values } from "./pluginHandlers";
import { isWindows, linkFolder } from "./systems";

/** The engine's calls for one resource, whose URN is the member `__urn`. */
interface Calls {
  check(olds: Values, news: Values): Promise<{ inputs: Values; failures: object[] }>;
  diff(id: string, olds: Values, news: Values): Promise<unknown>;
  create(inputs: Values): Promise<unknown>;
  read(id: string, props: Values): Promise<{ id: string }>;
  update(id: string, olds: Values, news: Values): Promise<unknown>;
  delete(id: string, props: Values): Promise<unknown>;
}

export interface ProviderProcess extends Calls {
  /** Messages that stay on rows: `warning urn:… text`. */
  readonly said: readonly string[];
  /** For calls that belong to no resource. */
  readonly client: ResourceProviderClient;
  /** Everything that the process printed, without the port on its first line. */
  printed(): string;
  /** Ends the engine alone, as `kill -9` of the CLI does. */
  killEngine(): void;
  /** Settles when the process has ended. */
  readonly ended: Promise<unknown>;
  close(): Promise<void>;
}

export interface ProcessOptions {
  /** Default `dynamic`. */
  readonly variant?: Variant;
  readonly environment?: Readonly<Record<string, string>>;
  /** The stack's configuration, by full key. */
  readonly configuration?: Readonly<Record<string, string>>;
  /** Where the dynamic provider can find the package: from the program's folder, or, as with pnpm, from the SDK's. */
  readonly packageIn?: "program" | "sdk";
}

const checkout = path.join(__dirname, "..", "..");

export async function startProviderProcess(options: ProcessOptions = {}): Promise<ProviderProcess> {
  const { variant = "dynamic" } = options;
  const folder = mkdtempSync(path.join(tmpdir(), "compute-provider-"));
  const engine = await startEngine();
  const { command, words, cwd } = variant === "native" ? pluginIn(folder) : sdksProcessIn(folder, options);
  const child = spawn(command, [...words, engine.address], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: folder, XDG_STATE_HOME: folder, ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let printed = "";
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<string>((resolve) => lines.once("line", resolve));
  lines.on("line", (line) => (printed += `${line}\n`));
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));

  const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  await configure(client, { variant, ...options });
  return {
    ...callsOf(client, variant === "native" ? withoutHidden : withText),
    client,
    said: engine.said,
    printed: () => printed,
    killEngine: () => {
      engine.close();
    },
    ended,
    close: async () => {
      client.close();
      child.kill("SIGKILL");
      await ended;
      engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Command {
  readonly command: string;
  readonly words: readonly string[];
  /** The program's folder, as the engine passes it. */
  readonly cwd: string;
}

function sdksProcessIn(folder: string, { packageIn = "program" }: ProcessOptions): Command {
  const { program, sdk } = layFolders(folder, packageIn);
  const words = [path.join(sdk, "cmd", "dynamic-provider", "index.js")];
  return { command: process.execPath, words, cwd: program };
}

/** The plugin needs no package near it, because it is one file. */
function pluginIn(folder: string): Command {
  const plugin = path.join(checkout, "dist", "plugin");
  // Killing a `.cmd` would end only its shell.
  return isWindows
    ? { command: process.execPath, words: [path.join(plugin, "plugin.js")], cwd: folder }
    : { command: path.join(plugin, "pulumi-resource-compute"), words: [], cwd: folder };
}

/** A plugin gets its configuration under the names of its own schema. */
async function configure(
  client: ResourceProviderClient,
  { variant, configuration = {} }: ProcessOptions,
): Promise<void> {
  const args = Object.entries(configuration).map(([key, value]) => [key.replace("compute:", ""), value]);
  const own = variant === "native" ? (Object.fromEntries(args) as Values) : withText(configuration);
  await send(client, "configure", { args: own });
}

/** @param told - values as the engine sends them. */
function callsOf(client: ResourceProviderClient, told: (values: Values) => Values): Calls {
  const both = (olds: Values, news: Values) => ({
    urn: String(news["__urn"]),
    olds: told(olds),
    news: told(news),
  });
  const one = (properties: Values) => ({ urn: String(properties["__urn"]), properties: told(properties) });
  return {
    check: async (olds, news) => {
      const answer = await send(client, "check", both(olds, news));
      const failures = answer.getFailuresList().map((failure) => failure.toObject());
      return { inputs: fromStruct(answer.getInputs()), failures };
    },
    diff: (id, olds, news) => send(client, "diff", { id, ...both(olds, news) }),
    create: (inputs) => send(client, "create", one(inputs)),
    read: async (id, props) => ({ id: (await send(client, "read", { id, ...one(props) })).getId() }),
    update: (id, olds, news) => send(client, "update", { id, ...both(olds, news) }),
    delete: (id, props) => send(client, "delete", { id, ...one(props) }),
  };
}

/** The program's folder and the SDK's folder, with the package beside one of them. */
function layFolders(folder: string, packageIn: "program" | "sdk"): { program: string; sdk: string } {
  const program = path.join(folder, "program");
  const store = path.join(folder, "store");
  for (const place of [program, store]) mkdirSync(path.join(place, "node_modules"), { recursive: true });
  const home = packageIn === "program" ? program : store;
  linkFolder(checkout, path.join(home, "node_modules", "pulumi-compute-endpoint"));
  linkFolder(path.join(checkout, "node_modules", "@pulumi"), path.join(store, "node_modules", "@pulumi"));
  const sdk = packageIn === "program" ? checkout : store;
  return { program, sdk: path.join(sdk, "node_modules", "@pulumi", "pulumi") };
}

export interface Engine {
  readonly address: string;
  readonly said: string[];
  /** Messages that disappear when the step ends. */
  readonly shown: string[];
  close(): void;
}

const severities = ["debug", "info", "warning", "error"];

export async function startEngine(): Promise<Engine> {
  const server = new grpc.Server();
  const said: string[] = [];
  const shown: string[] = [];
  const log: grpc.handleUnaryCall<LogRequest, Empty> = ({ request }, done) => {
    const severity = severities[request.getSeverity()] ?? "?";
    const kept = request.getEphemeral() ? shown : said;
    kept.push(`${severity} ${request.getUrn()} ${request.getMessage()}`);
    done(null, new Empty());
  };
  const { log: logMethod } = EngineService;
  server.addService({ log: logMethod }, { log });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return {
    address: `127.0.0.1:${port}`,
    said,
    shown,
    close: () => {
      server.forceShutdown();
    },
  };
}

/** A request as the engine sends it to the dynamic provider: each resource's properties carry the provider's text. */
function withText(values: Values): Values {
  return { __provider: remoteProvider, ...values };
}

/** A request as the engine sends it to a plugin: the URN stands beside the values, and a member says whether it is a preview. */
function withoutHidden({ __urn: _, __dryRun: __, ...values }: Values): Values {
  return values;
}
