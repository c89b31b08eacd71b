/**
 * The SDK's own provider process, spoken to as the engine does: gRPC in, gRPC out, and an engine behind it
 * that takes down what it is told.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { remoteProvider } from "../../sdk/remote";

export type Bag = Record<string, unknown>;

/** What the engine shows of a call that failed. */
export class CallFailure extends Error {
  constructor(
    message: string,
    /** What it keeps of a resource that exists but is not as it should be. */
    readonly kept?: { readonly id: string; readonly properties: Bag; readonly reasons: readonly string[] },
  ) {
    super(message);
  }
}

export interface ProviderProcess {
  check(olds: Bag, news: Bag): Promise<{ inputs: Bag; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: Bag,
    news: Bag,
  ): Promise<{ changes: boolean; replaces: string[]; deletesFirst: boolean }>;
  create(inputs: Bag): Promise<{ id: string; outs: Bag }>;
  read(id: string, props: Bag): Promise<{ id: string; props: Bag; inputs: Bag | undefined }>;
  update(id: string, olds: Bag, news: Bag): Promise<Bag>;
  delete(id: string, props: Bag): Promise<void>;
  /** Messages that stay on rows: `warning urn:… text`. */
  readonly said: readonly string[];
  /** Everything that the process printed, without the port on its first line. */
  printed(): string;
  close(): Promise<void>;
}

export interface ProcessOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** The stack's configuration, by full key. */
  readonly configuration?: Readonly<Record<string, string>>;
  /** Where the package can be found: from the program's folder, or from the SDK's alone, as pnpm has it. */
  readonly packageIn?: "program" | "sdk";
}

const checkout = path.join(__dirname, "..", "..");

export async function startProviderProcess(options: ProcessOptions = {}): Promise<ProviderProcess> {
  const folder = mkdtempSync(path.join(tmpdir(), "compute-provider-"));
  const { program, sdk } = layFolders(folder, options.packageIn ?? "program");
  const engine = await startEngine();
  const child = spawn(
    process.execPath,
    [path.join(sdk, "cmd", "dynamic-provider", "index.js"), engine.address],
    {
      cwd: program,
      env: { PATH: process.env["PATH"], HOME: folder, XDG_STATE_HOME: folder, ...options.environment },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ended = new Promise((resolve) => child.once("close", resolve));
  let printed = "";
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<string>((resolve) => lines.once("line", resolve));
  lines.on("line", (line) => (printed += `${line}\n`));
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));

  const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  await ask((done) => {
    const request = new messages.ConfigureRequest();
    request.setArgs(toStruct({ ...options.configuration }));
    client.configure(request, done);
  });
  return {
    ...callsOf(client),
    said: engine.said,
    printed: () => printed,
    close: async () => {
      client.close();
      child.kill("SIGKILL");
      await ended;
      engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function callsOf(
  client: ResourceProviderClient,
): Pick<ProviderProcess, "check" | "diff" | "create" | "read" | "update" | "delete"> {
  return {
    check: async (olds, news) => {
      const request = new messages.CheckRequest();
      request.setOlds(toStruct(olds));
      request.setNews(toStruct(news));
      const answer = await ask<messages.CheckResponse>((done) => client.check(request, done));
      const failures = answer.getFailuresList().map((failure) => failure.toObject());
      return { inputs: fromStruct(answer.getInputs()), failures };
    },
    diff: async (id, olds, news) => {
      const request = new messages.DiffRequest();
      request.setId(id);
      request.setOlds(toStruct(olds));
      request.setNews(toStruct(news));
      const answer = await ask<messages.DiffResponse>((done) => client.diff(request, done));
      const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
      const said = answer.getChanges();
      if (said !== DIFF_SOME && said !== DIFF_NONE) throw new Error("diff says neither yes nor no");
      return {
        changes: said === DIFF_SOME,
        replaces: answer.getReplacesList(),
        deletesFirst: answer.getDeletebeforereplace(),
      };
    },
    create: async (inputs) => {
      const request = new messages.CreateRequest();
      request.setProperties(toStruct(inputs));
      const answer = await ask<messages.CreateResponse>((done) => client.create(request, done));
      return { id: answer.getId(), outs: fromStruct(answer.getProperties()) };
    },
    read: async (id, props) => {
      const request = new messages.ReadRequest();
      request.setId(id);
      request.setProperties(toStruct(props));
      const answer = await ask<messages.ReadResponse>((done) => client.read(request, done));
      const inputs = answer.hasInputs() ? fromStruct(answer.getInputs()) : undefined;
      return { id: answer.getId(), props: fromStruct(answer.getProperties()), inputs };
    },
    update: async (id, olds, news) => {
      const request = new messages.UpdateRequest();
      request.setId(id);
      request.setOlds(toStruct(olds));
      request.setNews(toStruct(news));
      const answer = await ask<messages.UpdateResponse>((done) => client.update(request, done));
      return fromStruct(answer.getProperties());
    },
    delete: async (id, props) => {
      const request = new messages.DeleteRequest();
      request.setId(id);
      request.setProperties(toStruct(props));
      await ask<Empty>((done) => client.delete(request, done));
    },
  };
}

/** A program's folder and the SDK's, with the package beside one of them. */
function layFolders(folder: string, packageIn: "program" | "sdk"): { program: string; sdk: string } {
  const program = path.join(folder, "program");
  const store = path.join(folder, "store");
  for (const place of [program, store]) mkdirSync(path.join(place, "node_modules"), { recursive: true });
  const home = packageIn === "program" ? program : store;
  symlinkSync(checkout, path.join(home, "node_modules", "pulumi-compute-endpoint"));
  symlinkSync(path.join(checkout, "node_modules", "@pulumi"), path.join(store, "node_modules", "@pulumi"));
  const sdk = packageIn === "program" ? checkout : store;
  return { program, sdk: path.join(sdk, "node_modules", "@pulumi", "pulumi") };
}

export interface Engine {
  readonly address: string;
  readonly said: string[];
  /** Messages that go when the step ends. */
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

function ask<T>(call: (done: (error: grpc.ServiceError | null, answer: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, answer) => {
      if (error === null) resolve(answer);
      else reject(toFailure(error));
    });
  });
}

/** A partial failure rides in the metadata: that is where the engine looks for the id. */
function toFailure(error: grpc.ServiceError): CallFailure {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  if (!(packed instanceof Uint8Array)) return new CallFailure(error.details);
  const [any] = Status.deserializeBinary(packed).getDetailsList();
  const detail = messages.ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() ?? new Uint8Array());
  return new CallFailure(error.details, {
    id: detail.getId(),
    properties: fromStruct(detail.getProperties()),
    reasons: detail.getReasonsList(),
  });
}

/** As the engine sends it: every resource's properties carry the provider's text. */
function toStruct(values: Bag): Struct {
  const plain = { __provider: remoteProvider, ...values } as Record<string, JavaScriptValue>;
  return Struct.fromJavaScript(plain);
}

function fromStruct(struct: Struct | undefined): Bag {
  return struct?.toJavaScript() ?? {};
}
