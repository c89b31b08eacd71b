/**
 * What the commands do with standard input, the text of what they read, and standard output.
 */
import { readSync } from "node:fs";

/** Windows PowerShell writes files in UTF-16; other programs may begin UTF-8 with a byte order mark. */
export function decoded(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** All of standard input. An empty pipe may return EAGAIN, for which readFileSync fails. */
export function readStandardInput(read: (chunk: Buffer) => number = (chunk) => readSync(0, chunk)): Buffer {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(64 * 1024);
  for (;;) {
    try {
      const length = read(chunk);
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(Buffer.from(chunk.subarray(0, length)));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // On Windows, the end of the input is this error.
      if (code === "EOF") return Buffer.concat(chunks);
      if (code !== "EAGAIN") throw error;
      // Waits 10 ms for the other end of the pipe to write.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** A reader such as `head` may close the pipe before the end: the exit code stays. */
export function allowClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
