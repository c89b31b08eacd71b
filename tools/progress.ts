/**
 * Tells a waiting person that a long task is at work, on stderr: stdout belongs to the command that was asked for. A terminal
 * sees one line that changes, anything else (a log) a line now and then.
 */
export async function withProgress(label: string, task: Promise<void>): Promise<void> {
  const { isTTY } = process.stderr;
  const startedMs = Date.now();
  const show = (end: string): void => {
    const seconds = Math.round((Date.now() - startedMs) / 1000);
    process.stderr.write(`${isTTY ? "\r" : ""}${label}: ${seconds} s${end}`);
  };
  const end = isTTY ? "" : "\n";
  show(end);
  const showing = setInterval(show, isTTY ? 1_000 : 10_000, end);
  try {
    await task;
    show(", done\n");
  } finally {
    clearInterval(showing);
  }
}
