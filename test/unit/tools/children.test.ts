import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endChildren, runChild } from "../../../tools/children";
import { itUnlessWindows } from "../../support/systems";
import { temporaryFolder } from "../../support/temporaryFolder";

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) await sleep(20);
}

itUnlessWindows("it has no process groups", "ends what a detached child has started, too", async () => {
  const file = path.join(temporaryFolder(), "pid");
  const read = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  // As npm's shell does, this one waits for a child to which it passes no signal.
  const child = runChild("sh", ["-c", `sleep 60 & echo $! > '${file}'; wait`], { detached: true });
  await until(() => read().endsWith("\n"));
  const pid = Number(read());
  expect(runs(pid)).toBe(true);
  endChildren();
  expect(await child).toEqual({ code: null, signal: "SIGTERM" });
  await until(() => !runs(pid));
});
