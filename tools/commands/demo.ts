/**
 * `npm run demo`: what a preview foretells beside what an open connection to a real compute then sees.
 */
import { setTimeout as sleep } from "node:timers/promises";

import { startEmulator, type Emulator, type EndpointView } from "../../emulator/index";
import { DemoStack, type Settings } from "../demo/stack";
import { summaryTable, timelineHead, timelineRows, type Happening, type StepResult } from "../demo/timeline";
import { Watcher } from "../demo/watcher";
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
    const stack = new DemoStack(engine, emulator, { projectId: project.id, branchId: branch.id });
    closers.unshift(() => stack.close());
    const demo = new Demo(emulator, stack, (closer) => closers.unshift(closer));
    await Promise.race([demo.play(project.id, branch.id), stopped]);
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

class Demo {
  readonly #startMs = performance.now();
  readonly #results: StepResult[] = [];

  constructor(
    private readonly emulator: Emulator,
    private readonly stack: DemoStack,
    private readonly onClose: (closer: () => Promise<void>) => void,
  ) {}

  async play(projectId: string, branchId: string): Promise<void> {
    for (const line of timelineHead()) console.log(line);
    this.stack.write({ cu: 0.25, suspendTimeoutSeconds: 300 });
    await this.stack.pulumi("stack", "init", "demo");
    await this.stack.pulumi("up", "--yes", "--skip-preview");
    this.#tell("pulumi", "pulumi up: made a compute of 0.25 CU");
    const compute = this.emulator.endpoints(projectId).find((one) => one.endpoint.branch_id === branchId);
    const watcher = new Watcher(compute?.place?.uri ?? "", (text) => {
      this.#tell("connection", text);
    });
    this.onClose(() => watcher.stop());
    await watcher.start();
    await this.#change("0.25 → 1 CU", { cu: 1, suspendTimeoutSeconds: 300 }, watcher);
    await this.#change("suspend timeout 300 → 60 s", { cu: 1, suspendTimeoutSeconds: 60 }, watcher);
    await this.#fallAsleep(compute, watcher);
    await watcher.stop();
    console.log(`\n${summaryTable(this.#results).join("\n")}`);
  }

  /** The change in a preview, then in an update, with the connection open. */
  async #change(step: string, settings: Settings, watcher: Watcher): Promise<void> {
    this.stack.write(settings);
    const preview = await this.stack.pulumi("preview", "--diff");
    const notice = /warning: (.*)/.exec(preview)?.[1];
    this.#tell("pulumi", `pulumi preview (${step}): ${notice ?? "no notice"}`);
    const [losses, startMs] = [watcher.losses.length, performance.now()];
    this.#tell("pulumi", "pulumi up …");
    await this.stack.pulumi("up", "--yes", "--skip-preview");
    this.#tell("pulumi", `pulumi up has ended, after ${Math.round(performance.now() - startMs)} ms`);
    await until(() => watcher.losses.every(({ gapMs }) => gapMs !== undefined));
    const foretold = notice?.split(":")[0] ?? "no interruption";
    this.#results.push({ step, foretold, seen: seenSince(watcher, losses, startMs) });
  }

  /** The connection stays open and asks nothing, and the control plane's clock is moved past the timeout. */
  async #fallAsleep(compute: EndpointView | undefined, watcher: Watcher): Promise<void> {
    const id = compute?.endpoint.id ?? "";
    watcher.pause();
    await sleep(300);
    const [losses, startMs] = [watcher.losses.length, performance.now()];
    this.emulator.clock.advance(61_000);
    this.#tell("connection", "asks nothing for 61 s (the control plane's clock is moved on: timeout 60 s)");
    await until(() => this.emulator.endpoint(id).endpoint.current_state === "idle");
    await until(() => watcher.losses.length > losses);
    this.#tell("connection", "the compute sleeps; the next query wakes it");
    const { lostMs = 0, words = "" } = watcher.losses[losses] ?? {};
    this.#results.push({
      ...{ step: "autosuspend", foretold: "after 60 s without a query" },
      seen: `${words.split(" ")[0]} ${Math.round(lostMs - startMs)} ms after it was due`,
    });
    watcher.ask();
    await until(() => watcher.losses[losses]?.gapMs !== undefined);
    const seen = `answered after ${watcher.losses[losses]?.gapMs} ms`;
    this.#results.push({ step: "wake", foretold: "with the next query", seen });
  }

  #tell(side: Happening["side"], text: string): void {
    const rows = timelineRows({ atMs: performance.now() - this.#startMs, side, text });
    console.log(rows.join("\n"));
  }
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
