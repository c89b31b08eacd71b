/**
 * Reads standard input, decodes what the commands read, and handles standard output.
 */
import { fstatSync, readSync } from "node:fs";

/**
 * Windows PowerShell writes files in UTF-16, with a byte order mark or, through a pipe, without one; other programs may
 * begin UTF-8 with a mark.
 */
export function decoded(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): string {
  // JSON begins with an ASCII character: in UTF-16, the other byte of this character is 0.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? "utf-16be" : "utf-8";
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

/**
 * True if readers see both streams together, as on a terminal and in a job's log. A report in a file is not in the log.
 */
export function areSeenTogether(): boolean {
  try {
    const [out, errors] = [fstatSync(1), fstatSync(2)];
    return !out.isFile() || (out.dev === errors.dev && out.ino === errors.ino);
  } catch {
    return true;
  }
}

/**
 * A reader such as `head` may close the pipe before the end, Ctrl-C also ends a `tee`, and a terminal may be closed. The
 * command goes on, and the exit code stays the same.
 */
export function allowClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && !stream.isTTY) throw error;
    });
}
