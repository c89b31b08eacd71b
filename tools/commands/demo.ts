/**
 * `npm run demo`: what a preview foretells beside what an open connection to a real compute then sees.
 */
import { setTimeout as sleep } from "node:timers/promises";

import { startEmulator, type Emulator, type EndpointView } from "../../emulator/index";
import { createDemoStack, type DemoStack, type Settings } from "../demo/stack";
import { summaryTable, timelineHead, timelineRows, type Happening, type StepResult } from "../demo/timeline";
import { createWatcher, type Watcher } from "../demo/watcher";
import { ensureEngine } from "../engine/ensure";
import { ExpectedError, StoppedError } from "../expectedError";

export async function run(): Promise<number> {
  const stopped = untilStopped();
  const engine = await Promise.race([ensureEngine(), stopped]);
  const emulator = await startEmulator({ computes: "postgres" });
  const closers: (() => Promise<void>)[] = [() => emulator.close()];
  try {
    const { kind, reason } = emulator.computes;
    if (kind !== "hosted") {
      throw new ExpectedError(
        `Running the demo: computes must be real here, and are simulated, because ${reason}. ` +
          "Install Postgres 15 or later, or unset COMPUTE_POSTGRES; `npm run doctor` says what is found.",
      );
    }
    console.log(`Pulumi ${engine.version}; computes are ${reason}. Everything here is removed at the end.\n`);
    const { project } = emulator.createProject({ name: "demo" });
    const { branch } = emulator.createBranch(project.id, { name: "shop", compute: false });
    const place = { projectId: project.id, branchId: branch.id };
    const stack = createDemoStack(engine, emulator, place);
    closers.unshift(() => stack.close());
    const scene = { emulator, stack, results: [], tell: teller() };
    await Promise.race([play(scene, place, (closer) => closers.unshift(closer)), stopped]);
    return 0;
  } finally {
    for (const close of closers) await close();
  }
}

/** Rejects with the first Ctrl-C; what is open is then closed, which further ones do not cut short. */
function untilStopped(): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
    for (const [signal, code] of Object.entries(codes)) {
      process.on(signal, () => {
        reject(new StoppedError(signal as keyof typeof codes, code));
      });
    }
  });
  stopped.catch(() => undefined);
  return stopped;
}

/** What the steps of the demo share. */
interface Scene {
  readonly emulator: Emulator;
  readonly stack: DemoStack;
  readonly results: StepResult[];
  readonly tell: (side: Happening["side"], text: string) => void;
}

async function play(
  scene: Scene,
  { projectId, branchId }: Readonly<Record<"projectId" | "branchId", string>>,
  onClose: (closer: () => Promise<void>) => void,
): Promise<void> {
  const { emulator, stack, results, tell } = scene;
  for (const line of timelineHead()) console.log(line);
  stack.write({ cu: 0.25, suspendTimeoutSeconds: 300 });
  await stack.pulumi("stack", "init", "demo");
  await stack.pulumi("up", "--yes", "--skip-preview");
  tell("pulumi", "pulumi up: made a compute of 0.25 CU");
  const compute = emulator.endpoints(projectId).find((one) => one.endpoint.branch_id === branchId);
  const watcher = createWatcher(compute?.place?.uri ?? "", (text) => {
    tell("connection", text);
  });
  onClose(() => watcher.stop());
  await watcher.start();
  await change(scene, watcher, { step: "0.25 → 1 CU", cu: 1, suspendTimeoutSeconds: 300 });
  await change(scene, watcher, { step: "suspend timeout 300 → 60 s", cu: 1, suspendTimeoutSeconds: 60 });
  await fallAsleep(scene, watcher, compute);
  await watcher.stop();
  console.log(`\n${summaryTable(results).join("\n")}`);
}

/** The change in a preview, then in an update, with the connection open. */
async function change(
  { stack, results, tell }: Scene,
  watcher: Watcher,
  { step, ...settings }: Settings & { readonly step: string },
): Promise<void> {
  stack.write(settings);
  const preview = await stack.pulumi("preview", "--diff");
  const notice = /warning: (.*)/.exec(preview)?.[1];
  tell("pulumi", `pulumi preview (${step}): ${notice ?? "no notice"}`);
  const [losses, startMs] = [watcher.losses.length, performance.now()];
  tell("pulumi", "pulumi up …");
  await stack.pulumi("up", "--yes", "--skip-preview");
  tell("pulumi", `pulumi up has ended, after ${Math.round(performance.now() - startMs)} ms`);
  await until(() => watcher.losses.every(({ gapMs }) => gapMs !== undefined));
  const foretold = notice?.split(":")[0] ?? "no interruption";
  results.push({ step, foretold, seen: seenSince(watcher, losses, startMs) });
}

/** The connection stays open and asks nothing, and the control plane's clock is moved past the timeout. */
async function fallAsleep(
  { emulator, results, tell }: Scene,
  watcher: Watcher,
  compute: EndpointView | undefined,
): Promise<void> {
  const id = compute?.endpoint.id ?? "";
  watcher.pause();
  await sleep(300);
  const [losses, startMs] = [watcher.losses.length, performance.now()];
  emulator.clock.advance(61_000);
  tell("connection", "asks nothing for 61 s (the control plane's clock is moved on: timeout 60 s)");
  await until(() => emulator.endpoint(id).endpoint.current_state === "idle");
  await until(() => watcher.losses.length > losses);
  tell("connection", "the compute sleeps; the next query wakes it");
  const { lostMs = 0, words = "" } = watcher.losses[losses] ?? {};
  results.push({
    ...{ step: "autosuspend", foretold: "after 60 s without a query" },
    seen: `${words.split(" ")[0]} ${Math.round(lostMs - startMs)} ms after it was due`,
  });
  watcher.ask();
  await until(() => watcher.losses[losses]?.gapMs !== undefined);
  const seen = `answered after ${watcher.losses[losses]?.gapMs} ms`;
  results.push({ step: "wake", foretold: "with the next query", seen });
}

/** Prints what happens beside the time since the start. */
function teller(): Scene["tell"] {
  const startMs = performance.now();
  return (side, text) => {
    console.log(timelineRows({ atMs: performance.now() - startMs, side, text }).join("\n"));
  };
}

function seenSince(watcher: Watcher, first: number, startMs: number): string {
  const loss = watcher.losses[first];
  if (loss === undefined) return "stood, every query answered";
  const { words, lostMs, gapMs } = loss;
  return `${words.split(" ")[0]} ${Math.round(lostMs - startMs)} ms into pulumi up, back after ${gapMs} ms`;
}

/** Looks every few milliseconds: what is awaited happens elsewhere. */
async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!isSo()) {
    await sleep(5);
    if (Date.now() > deadline) throw new ExpectedError("Running the demo: the connection did not come back.");
  }
}
