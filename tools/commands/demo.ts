/**
 * `npm run demo`: what a preview announces, beside what an open connection to a real compute then sees.
 */
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import { Pool } from "pg";

import { startEmulator, type Emulator } from "../../emulator/index";
import { createWatcher, oneConnection, type Watcher } from "../../verify/watcher";
import { createDemoStack, type DemoStack, type Settings } from "../demo/stack";
import { ensureEngine } from "../engine/ensure";
import { ExpectedError, StoppedError } from "../expectedError";

export async function run(): Promise<number> {
  const engine = await ensureEngine();
  const stop = stopSignal();
  const emulator = await startEmulator({ computes: "postgres" });
  const closers: (() => unknown)[] = [() => emulator.close()];
  try {
    const { kind, reason } = emulator.computes;
    if (kind !== "hosted") {
      throw new ExpectedError(
        `Running the demo: it needs real computes, but they are simulated, because ${reason}. ` +
          "Install Postgres 15 or later, or unset COMPUTE_POSTGRES. `npm run doctor` shows what it finds.",
      );
    }
    console.log(`Pulumi ${engine.version}; computes are ${reason}. Everything here is removed at the end.\n`);
    const { project } = emulator.createProject({ name: "demo" });
    const { branch } = emulator.createBranch(project.id, { name: "shop", compute: false });
    const place = { projectId: project.id, branchId: branch.id };
    const stack = createDemoStack({ engine, emulator, place, stop });
    closers.unshift(stack.remove);
    const tell = teller();
    stack.write({ cu: 0.25, suspendTimeoutSeconds: 300 });
    await stack.pulumi("stack", "init", "demo");
    await stack.pulumi("up", "--yes", "--skip-preview");
    tell("pulumi", "pulumi up: created a compute of 0.25 CU");
    const compute = emulator.endpoints(project.id).find((one) => one.endpoint.branch_id === branch.id);
    const pool = new Pool({ connectionString: compute?.place?.uri ?? "", ...oneConnection });
    const watcher = createWatcher(pool, {
      retryMs: 20,
      tell: (text) => {
        tell("connection", text);
      },
    });
    closers.unshift(watcher.stop);
    await watcher.start();
    const results = await play({ emulator, stack, watcher, tell, stop, id: compute?.endpoint.id ?? "" });
    console.log(`\n${summary(results)}`);
    return 0;
  } finally {
    for (const close of closers) await close();
  }
}

/** Aborted by the first Ctrl-C. Everything open is then closed, which further presses do not interrupt. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      stop.abort(new StoppedError(signal, 128 + os.constants.signals[signal]));
    });
  return stop.signal;
}

/** What the steps of the demo share. */
interface Scene {
  readonly emulator: Emulator;
  readonly stack: DemoStack;
  readonly watcher: Watcher;
  readonly tell: (side: "pulumi" | "connection", text: string) => void;
  readonly stop: AbortSignal;
  /** The compute's id. */
  readonly id: string;
}

/** A step, what the preview announced for it, and what the open connection saw. */
type Result = readonly [step: string, foretold: string, seen: string];

async function play(scene: Scene): Promise<readonly Result[]> {
  return [
    await change(scene, "0.25 → 1 CU", { cu: 1, suspendTimeoutSeconds: 300 }),
    await change(scene, "suspend timeout 300 → 60 s", { cu: 1, suspendTimeoutSeconds: 60 }),
    ...(await fallAsleep(scene)),
  ];
}

/** Makes the change in a preview and then in an update, while the connection is open. */
async function change(scene: Scene, step: string, settings: Settings): Promise<Result> {
  const { stack, watcher, tell } = scene;
  stack.write(settings);
  const preview = await stack.pulumi("preview", "--diff");
  const notice = /warning: (.*)/.exec(preview)?.[1];
  tell("pulumi", `pulumi preview (${step}): ${notice ?? "no notice"}`);
  const [losses, startMs] = [watcher.losses.length, performance.now()];
  tell("pulumi", "pulumi up …");
  await stack.pulumi("up", "--yes", "--skip-preview");
  tell("pulumi", `pulumi up ended after ${Math.round(performance.now() - startMs)} ms`);
  await until(scene, () => watcher.losses.every(({ gapMs }) => gapMs !== undefined));
  const foretold = notice?.split(":")[0] ?? "no interruption";
  const loss = watcher.losses[losses];
  if (loss === undefined) return [step, foretold, "stayed open, every query answered"];
  const lostAfter = `${loss.words.split(" ")[0]} ${Math.round(loss.lostMs - startMs)} ms`;
  return [step, foretold, `${lostAfter} into pulumi up, back after ${loss.gapMs} ms`];
}

/** The connection stays open but sends no queries, and the control plane's clock is moved past the timeout. */
async function fallAsleep(scene: Scene): Promise<readonly Result[]> {
  const { emulator, watcher, tell, id } = scene;
  watcher.pause();
  await sleep(300);
  const [losses, startMs] = [watcher.losses.length, performance.now()];
  emulator.clock.advance(61_000);
  tell(
    "connection",
    "sends no query for 61 s (the control plane's clock is moved forward; the timeout is 60 s)",
  );
  await until(scene, () => emulator.endpoint(id).endpoint.current_state === "idle");
  await until(scene, () => watcher.losses.length > losses);
  tell("connection", "the compute is suspended; the next query wakes it");
  watcher.ask();
  await until(scene, () => watcher.losses[losses]?.gapMs !== undefined);
  const { lostMs = 0, words = "", gapMs } = watcher.losses[losses] ?? {};
  const seen = `${words.split(" ")[0]} ${Math.round(lostMs - startMs)} ms after the timeout`;
  return [
    ["autosuspend", "after 60 s without a query", seen],
    ["wake", "with the next query", `answered after ${gapMs} ms`],
  ];
}

/** Checks every few milliseconds, since the awaited event happens in another process. */
async function until({ stop }: Scene, isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!isSo()) {
    await sleep(5);
    stop.throwIfAborted();
    if (Date.now() > deadline) throw new ExpectedError("Running the demo: the connection did not come back.");
  }
}

const columnWidth = 52;

/** Prints events with the time since the start: pulumi's words on the left, the connection's on the right. */
function teller(): Scene["tell"] {
  const row = (time: string, left: string, right: string): void => {
    console.log(`${time.padStart(9)} │ ${left.padEnd(columnWidth)} │ ${right}`.trimEnd());
  };
  row("time", "what pulumi said", "what the connection saw");
  console.log("─".repeat(2 * columnWidth + 15));
  const startMs = performance.now();
  return (side, text) => {
    const time = `${((performance.now() - startMs) / 1000).toFixed(3)} s`;
    const lines = text.match(new RegExp(`\\S.{0,${columnWidth - 1}}(?=\\s|$)`, "gu")) ?? [];
    for (const [index, line] of lines.entries())
      row(index === 0 ? time : "", side === "pulumi" ? line : "", side === "pulumi" ? "" : line);
  };
}

/** A table whose columns are as wide as their content. */
function summary(results: readonly Result[]): string {
  const head: Result = ["step", "the preview", "the connection"];
  const widths = head.map((_, at) => Math.max(...[head, ...results].map((row) => row[at]?.length ?? 0)));
  const lines = [head, ...results].map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)));
  const [first = "", ...others] = lines.map((cells) => cells.join(" │ ").trimEnd());
  return [first, widths.map((width) => "─".repeat(width)).join("─┼─"), ...others].join("\n");
}
