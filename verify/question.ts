/**
 * Asks the user a question on the terminal.
 */
import { once } from "node:events";
import { createInterface } from "node:readline/promises";

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** @returns true for yes. @throws if the signal aborts */
export async function askOn(terminal: Terminal, question: string, stop: AbortSignal): Promise<boolean> {
  // With `terminal: true`, the reader would handle Ctrl-C itself.
  const reader = createInterface({ ...terminal, terminal: false });
  // After Ctrl-D, the question is never answered.
  const ended = once(reader, "close").then(() => "");
  try {
    const answer = await Promise.race([reader.question(question, { signal: stop }), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}
