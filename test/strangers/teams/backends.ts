/**
 * Where a team keeps its states: a folder that is shared, a Postgres, a store that speaks S3. Each is a real one, started
 * for the test.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { startEmulator } from "../../../emulator";
import { describeOnPostgres, until } from "../../emulator/postgresSupport";
import { preparedBy } from "../../support/preparing";

export interface Backend {
  /** For `pulumi login`. */
  readonly url: string;
  /** What a runner needs to be let in, besides. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Tests on one kind of backend; where it cannot be had they are skipped, and their name says why. */
type DescribeOn = (tests: (open: () => Promise<Backend>) => void) => void;

export const onFile: DescribeOn = (tests) => {
  describe("with the state in a folder", () => {
    tests(() => {
      const folder = mkdtempSync(path.join(tmpdir(), "compute-states-"));
      return Promise.resolve({
        url: `file://${folder}`,
        environment: {},
        close: () => {
          rmSync(folder, { recursive: true, force: true });
          return Promise.resolve();
        },
      });
    });
  });
};

export const onPostgres: DescribeOn = (tests) => {
  describeOnPostgres("with the state on PostgreSQL", () => {
    tests(openPostgres);
  });
};

/** The database of a compute that is real: it is there to be connected to. */
async function openPostgres(): Promise<Backend> {
  const emulator = await startEmulator({
    computes: "postgres",
    switches: { suspendDefaultSeconds: 604_800 },
  });
  const { endpoint } = emulator.createProject();
  await emulator.addressed();
  await until(() => emulator.endpoint(endpoint.id).endpoint.current_state === "active");
  const { user, password, host, port, database } = emulator.endpoint(endpoint.id).place!;
  return {
    url: `postgres://${user}:${password}@${host}:${port}/${database}?sslmode=disable`,
    environment: {},
    close: () => emulator.close(),
  };
}

export const onS3: DescribeOn = (tests) => {
  const prepared = prepareS3();
  if ("missing" in prepared) {
    describe.skip(`with the state on S3 (skipped: ${prepared.missing})`, () => {
      tests(() => Promise.reject(new Error(prepared.missing)));
    });
    return;
  }
  describe("with the state on S3", () => {
    tests(() => openS3(prepared.python));
  });
};

/** Asked in a process of its own: Jest collects tests without waiting. The first time takes half a minute. */
function prepareS3(): { readonly python: string } | { readonly missing: string } {
  return preparedBy(path.join(__dirname, "prepareS3.ts")) as ReturnType<typeof prepareS3>;
}

async function openS3(python: string): Promise<Backend> {
  const server = spawn(python, ["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => server.once("close", resolve));
  const lines = createInterface({ input: server.stderr });
  const address = await new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      const found = /Running on http:\/\/(\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    lines.once("close", () => {
      reject(new Error("The S3 server ended before it was there."));
    });
  });
  await fetch(`http://${address}/states`, { method: "PUT" });
  return {
    url: `s3://states?endpoint=${address}&disableSSL=true&s3ForcePathStyle=true&region=us-east-1`,
    environment: { AWS_ACCESS_KEY_ID: "team", AWS_SECRET_ACCESS_KEY: "of-tests" },
    close: async () => {
      server.kill("SIGKILL");
      await ended;
    },
  };
}
