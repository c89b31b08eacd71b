/** Says what is going on now; cheap to call often. */
export type Update = (text: string) => void;

/**
 * Tells a waiting person how far a long task is, on stderr: stdout belongs to the command that was asked for. A terminal sees
 * one line that changes, anything else (a log) a line now and then.
 */
export async function withProgress(label: string, task: (update: Update) => Promise<void>): Promise<void> {
  const { isTTY } = process.stderr;
  const startedMs = Date.now();
  let shownMs = 0;
  const show = (text: string, end: string): void => {
    const line = `${label}: ${text}, ${elapsed(Date.now() - startedMs)}${end}`;
    process.stderr.write(isTTY ? `\r\x1b[2K${line}` : line);
  };
  await task((text) => {
    if (Date.now() - shownMs < (isTTY ? 100 : 10_000)) return;
    shownMs = Date.now();
    show(text, isTTY ? "" : "\n");
  });
  show("done", "\n");
}

/** `42 s`, `3 min 05 s`. */
function elapsed(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
