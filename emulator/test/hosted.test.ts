/** Computes that a host runs: a fake one, which writes down what it is told, and does it when the test says so. */
import { join } from "node:path";
import { Clock, startEmulator, type ComputeHost, type EmulatorOptions, type OpenHost } from "..";
import { temporaryFolder } from "../../test/support/temporaryFolder";
import { changed, closeBenches, newBench, type Bench } from "./support";

afterEach(closeBenches);

interface FakeHost {
  readonly open: OpenHost;
  /** Every call so far: what was asked, of whom. */
  readonly calls: string[];
  /** Until the test says so, configurations wait. */
  readonly holdBack: () => { carryOn: () => void };
  /** Makes the next configuration fail. */
  readonly failNext: (words: string) => void;
}

function newFakeHost(): FakeHost {
  const calls: string[] = [];
  const running = new Set<string>();
  let held: Promise<void> | undefined;
  let failure: string | undefined;
  const work = (kind: string, id: string): Promise<void> => Promise.resolve(void calls.push(`${kind} ${id}`));
  const client = { host: "127.0.0.1", port: 1, user: "u", password: "p", database: "d" };
  const host: ComputeHost = {
    description: "a fake one",
    admit: () => Promise.resolve(),
    makeBranch: ({ id }) => work("makeBranch", id),
    start: ({ id }) => work("start", id).then(() => void running.add(id)),
    isRunning: (id) => running.has(id),
    configure: async ({ id }) => {
      await work("configure", id);
      await held;
      const words = failure;
      failure = undefined;
      if (words !== undefined) throw new Error(words);
    },
    stop: (id) => work("stop", id).then(() => void running.delete(id)),
    remove: (id) => work("remove", id),
    activity: () => ({ connections: 0 }),
    place: () => ({ ...client, uri: "uri", sharedUri: "shared" }),
    close: () => work("close", "everything"),
  };
  return {
    open: () => Promise.resolve(host),
    calls,
    holdBack: () => {
      let carryOn = (): void => undefined;
      held = new Promise((resolve) => (carryOn = resolve));
      return { carryOn };
    },
    failNext: (words) => (failure = words),
  };
}

/** Lets everything that is ready run; no timer has to fire for it. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets the host work and the clock run, until nothing is under way. */
async function rest({ emulator: { clock } }: Pick<Bench, "emulator">): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) {
    await settled();
    clock.advance(1000);
  }
  await settled();
}

interface Hosted extends Bench {
  readonly fake: FakeHost;
  readonly told: string[];
  /** Action and status of every operation, oldest first. */
  readonly statuses: () => string[];
}

/** A primary that is active, on a host that has forgotten how that came about. */
async function hosted(options: EmulatorOptions = {}): Promise<Hosted> {
  const fake = newFakeHost();
  const told: string[] = [];
  const bench = await newBench({ computes: fake.open, onNotice: (text) => told.push(text), ...options });
  await rest(bench);
  fake.calls.length = 0;
  const statuses = (): string[] =>
    bench.emulator
      .operations(bench.project.project.id)
      .map(({ action, status }) => `${action} ${status}`)
      .reverse();
  return { ...bench, fake, told, statuses };
}

const sized = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };

it("an operation stays running until the host has done its work, however long that takes", async () => {
  const bench = await hosted();
  const { carryOn } = bench.fake.holdBack();
  await changed(bench, sized);
  await settled();
  bench.emulator.clock.advance(3_600_000);
  expect(bench.statuses().slice(-2)).toEqual(["apply_config running", "start_compute scheduling"]);
  carryOn();
  await rest(bench);
  expect(bench.statuses().slice(-2)).toEqual(["apply_config finished", "start_compute finished"]);
});

it("an operation ends as failed where the host could not do it, and a person is told why", async () => {
  const bench = await hosted();
  bench.fake.failNext("work_mem is no banana");
  await changed(bench, { settings: { pg_settings: { work_mem: "banana" } } });
  await rest(bench);
  expect(bench.statuses().at(-1)).toBe("apply_config failed");
  expect(bench.told).toEqual([`apply_config of ${bench.id} failed: work_mem is no banana`]);
});

it.each([
  { change: sized, asked: ["configure", "start"], reason: "a size restarts" },
  { change: { suspend_timeout_seconds: 60 }, asked: ["configure"], reason: "autosuspend restarts nothing" },
  { change: { disabled: true }, asked: ["configure", "stop"], reason: "a disabled compute stops" },
] as const)("the host is asked for $asked: $reason", async ({ change, asked }) => {
  const bench = await hosted();
  await changed(bench, change);
  await rest(bench);
  expect(bench.fake.calls).toEqual(asked.map((kind) => `${kind} ${bench.id}`));
});

it("work that a host has begun and not ended is done by the next one", async () => {
  const stateFile = join(temporaryFolder(), "state.json");
  const bench = await hosted({ stateFile });
  const { carryOn } = bench.fake.holdBack();
  await changed(bench, sized);
  await settled();
  const closed = bench.emulator.close();
  await settled();
  carryOn();
  await closed;
  const fake = newFakeHost();
  const options = { stateFile, clock: new Clock("manual"), operationMs: 1000 };
  const again = await startEmulator({ ...options, computes: fake.open });
  await rest({ emulator: again });
  expect(fake.calls).toEqual([`configure ${bench.id}`, `start ${bench.id}`]);
  expect(again.operations(bench.project.project.id).map(({ status }) => status)).not.toContain("running");
  await again.close();
});

it("says where clients find a compute; computes are simulated, with the reason, where no host can be opened", async () => {
  const bench = await hosted();
  expect(bench.emulator.computes).toEqual({ kind: "hosted", reason: "a fake one" });
  expect(bench.emulator.endpoint(bench.id)).toMatchObject({
    place: { uri: "uri" },
    activity: { connections: 0 },
  });
  const plain = await newBench({ computes: () => Promise.reject(new Error("there is no Postgres")) });
  expect(plain.emulator.computes).toEqual({ kind: "simulated", reason: "there is no Postgres" });
  for (const name of ["place", "activity"])
    expect(plain.emulator.endpoint(plain.id)).not.toHaveProperty(name);
});
