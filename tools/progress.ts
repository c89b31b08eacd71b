/**
 * Shows on stderr that a long task is running: stdout belongs to the command that was asked for. A terminal shows one
 * line that changes; anything else, such as a log, gets a line now and then.
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
