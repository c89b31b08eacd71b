/** Tells a waiting person how far a long task is, on stderr: stdout belongs to the command that was asked for. */
export interface Progress {
  /** What is going on now; cheap to call often. */
  update(text: string): void;
  /** The last word: stays on the screen. */
  finish(text: string): void;
}

/** A terminal sees one line that changes, anything else (a log) a line now and then. */
export function startProgress(label: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  const startedMs = Date.now();
  let shownMs = 0;
  const line = (text: string): string => `${label}: ${text}, ${elapsed(Date.now() - startedMs)}`;
  return {
    update(text) {
      if (Date.now() - shownMs < (stream.isTTY ? 100 : 10_000)) return;
      shownMs = Date.now();
      stream.write(stream.isTTY ? `\r\x1b[2K${line(text)}` : `${line(text)}\n`);
    },
    finish(text) {
      stream.write(stream.isTTY ? `\r\x1b[2K${line(text)}\n` : `${line(text)}\n`);
    },
  };
}

/** `42 s`, `3 min 05 s`. */
function elapsed(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
