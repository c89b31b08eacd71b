/** Starts an executable once, as the engine does. */
import { spawn } from "node:child_process";

import { ended } from "../children";

/** A start takes a fraction of a second; a busy machine may need longer. */
const limitMs = 60_000;

/** Whether the executable prints a port on its first line. */
export async function startsHere(file: string): Promise<boolean> {
  const child = spawn(file, { stdio: ["ignore", "pipe", "inherit"], timeout: limitMs });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    if (printed.includes("\n")) child.kill();
  });
  await ended(child).catch(() => undefined);
  return /^\d+\r?\n/.test(printed);
}
