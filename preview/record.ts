/**
 * Runs a preview of Pulumi, and reads both of its forms: the document that it prints, and the events that it logs. The events
 * come through a pipe, so that nothing is on disk before it is filtered.
 */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { constants as systemConstants, tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";

/** A preview as Pulumi wrote it, secrets included. */
export interface Recorded {
  readonly events: Uint8Array;
  /** Undefined if the system has no named pipes: the events then replace the document. */
  readonly document: Uint8Array | undefined;
  /** The exit code of the command. */
  readonly code: number;
}

/** @throws if the command cannot be started. */
export async function recordPreview(
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Recorded> {
  if (process.platform === "win32") {
    const env = { ...environment, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
    const ended = await run([...command, "--json"], env);
    return { events: ended.printed, document: undefined, code: ended.code };
  }
  const pipe = openPipe();
  try {
    const logged = buffer(pipe.reader);
    const ended = await run([...command, "--json", "--event-log", pipe.path], {
      ...environment,
      // Makes the option --event-log available.
      PULUMI_DEBUG_COMMANDS: "true",
      // Without it, both forms would be the events.
      PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "",
    }).finally(pipe.end);
    return { events: await logged, document: ended.printed, code: ended.code };
  } finally {
    pipe.remove();
  }
}

interface NamedPipe {
  readonly path: string;
  readonly reader: Socket;
  /** Ends the reader, even if nobody has written to the pipe. */
  readonly end: () => void;
  readonly remove: () => void;
}

function openPipe(): NamedPipe {
  // Only this user can enter the folder.
  const folder = mkdtempSync(path.join(tmpdir(), "compute-preview-"));
  const file = path.join(folder, "events");
  execFileSync("mkfifo", [file]);
  const { O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
  // A pipe without a writer would end at once.
  const writer = openSync(file, O_RDWR | O_NONBLOCK);
  const reader = new Socket({ fd: openSync(file, O_RDONLY | O_NONBLOCK), readable: true, writable: false });
  return {
    path: file,
    reader,
    end: () => {
      closeSync(writer);
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a command until it ends; its messages go to stderr. A Ctrl-C on the terminal also reaches the command, which ends itself. */
async function run(
  [program = "", ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly printed: Uint8Array; readonly code: number }> {
  // npm's programs are scripts on Windows, which only a shell can start; `pulumi` is none.
  const child = spawn(program, words, { env, stdio: ["inherit", "pipe", "inherit"] });
  const pass = (signal: NodeJS.Signals): void => {
    if (signal !== "SIGINT") child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, pass);
  const ended = new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve(code ?? 128 + systemConstants.signals[signal ?? "SIGTERM"]);
    });
  });
  try {
    const [printed, code] = await Promise.all([buffer(child.stdout), ended]);
    return { printed, code };
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}
