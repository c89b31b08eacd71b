import { rmSync } from "node:fs";
import { join } from "node:path";
import { Clock, startEmulator, type EmulatorOptions } from "../../emulator";
import { temporaryFolder } from "../support/temporaryFolder";
import { newFakeHost, settled, type FakeHost } from "./fakeHost";
import { changed, closeBenches, newBench, stateOf, type Bench } from "./support";

afterEach(closeBenches);

interface Hosted extends Bench {
  readonly fake: FakeHost;
  readonly told: string[];
  /** Lets the host work and the clock run, until nothing is under way. */
  readonly rest: () => Promise<void>;
  /** Action and status of every operation, oldest first. */
  readonly statuses: () => string[];
}

/** A primary that is active, on a host that has forgotten how that came about. */
async function hosted(options: EmulatorOptions = {}): Promise<Hosted> {
  const fake = newFakeHost();
  const told: string[] = [];
  const bench = await newBench({ computes: fake.open, onNotice: (text) => told.push(text), ...options });
  const rest = async (): Promise<void> => {
    for (let turn = 0; turn < 6; turn += 1) {
      await settled();
      bench.emulator.clock.advance(1000);
    }
    await settled();
  };
  const statuses = (): string[] =>
    bench.emulator
      .operations(bench.project.project.id)
      .map(({ action, status }) => `${action} ${status}`)
      .reverse();
  await rest();
  fake.calls.length = 0;
  return { ...bench, fake, told, rest, statuses };
}

const sized = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };

describe("an operation", () => {
  it("stays running until the host has done its work, however long that takes", async () => {
    const bench = await hosted();
    const { carryOn } = bench.fake.holdBack("configure");
    await changed(bench, sized);
    await settled();
    bench.emulator.clock.advance(3_600_000);
    expect(bench.statuses().slice(-2)).toEqual(["apply_config running", "start_compute scheduling"]);
    carryOn();
    await bench.rest();
    expect(bench.statuses().slice(-2)).toEqual(["apply_config finished", "start_compute finished"]);
  });

  it("runs as long as its timeline says, where the host is done before", async () => {
    const bench = await hosted();
    await changed(bench, { suspend_timeout_seconds: 60 });
    await settled();
    bench.emulator.clock.advance(999);
    expect(bench.statuses().at(-1)).toBe("apply_config running");
    bench.emulator.clock.advance(1);
    expect(bench.statuses().at(-1)).toBe("apply_config finished");
  });

  it("ends as failed where the host could not do it, and a person is told why", async () => {
    const bench = await hosted();
    bench.fake.failNext("configure", "work_mem is no banana");
    await changed(bench, { settings: { pg_settings: { work_mem: "banana" } } });
    await bench.rest();
    expect(bench.statuses().at(-1)).toBe("apply_config failed");
    expect(bench.told).toEqual([`apply_config of ${bench.id} failed: work_mem is no banana`]);
  });

  it.each([
    { rule: { endStatus: "failed" }, reason: "it is to fail" },
    { rule: { stuck: "running" }, reason: "it is to hang" },
    { rule: { vanished: true }, reason: "it is to vanish" },
  ] as const)("does no work where $reason", async ({ rule }) => {
    const bench = await hosted();
    bench.emulator.setTimeline({ action: "suspend_compute", ...rule });
    await bench.send("POST", `${bench.primary}/restart`);
    await bench.rest();
    expect(bench.fake.calls).not.toContain(`stop ${bench.id}`);
  });

  it("that is ended by hand is not ended again by the host", async () => {
    const bench = await hosted();
    const { carryOn } = bench.fake.holdBack("configure");
    const { body } = await bench.send("PATCH", bench.primary, {
      suspend_timeout_seconds: 60,
    });
    bench.emulator.endOperation(body.operations[0]!.id, "cancelled");
    carryOn();
    await bench.rest();
    expect(bench.statuses().at(-1)).toBe("apply_config cancelled");
  });
});

describe("the host is asked", () => {
  it.each([
    { change: sized, asked: ["configure", "start"], reason: "a size restarts" },
    { change: { suspend_timeout_seconds: 60 }, asked: ["configure"], reason: "autosuspend restarts nothing" },
    { change: { disabled: true }, asked: ["configure", "stop"], reason: "a disabled compute stops" },
    {
      change: sized,
      asked: ["configure", "start"],
      switches: { restartedBy: "apply_config" },
      reason: "where apply_config alone restarts it",
    },
  ] as const)("for $asked: $reason", async ({ change, asked, ...row }) => {
    const bench = await hosted("switches" in row ? { switches: row.switches } : {});
    await changed(bench, change);
    await bench.rest();
    expect(bench.fake.calls).toEqual(asked.map((kind) => `${kind} ${bench.id}`));
  });
});

describe("a client that connects", () => {
  it("has its server back where that has died, without an operation", async () => {
    const bench = await hosted();
    const id = bench.id;
    bench.fake.running.delete(id);
    const before = bench.statuses().length;
    await Promise.all([bench.fake.service.wake(id), bench.fake.service.wake(id)]);
    expect(bench.fake.calls).toEqual([`start ${id}`]);
    expect(bench.statuses()).toHaveLength(before);
  });

  it("is told when the compute does not start", async () => {
    const bench = await hosted();
    bench.emulator.clock.advance(600_000);
    await bench.rest();
    bench.fake.failNext("start", "no memory");
    const woken = expect(bench.fake.service.wake(bench.id)).rejects.toThrow(/did not start/);
    await bench.rest();
    await woken;
  });
});

describe("a state with work that was not done", () => {
  const stateFile = join(temporaryFolder(), "state.json");
  const options = { stateFile, clock: new Clock("manual"), operationMs: 1000 };
  let operations: string[];

  beforeEach(async () => {
    const bench = await hosted({ stateFile });
    const { carryOn } = bench.fake.holdBack("configure");
    await changed(bench, sized);
    await settled();
    const closed = bench.emulator.close();
    await settled();
    carryOn();
    await closed;
    operations = [bench.project.project.id, bench.id];
  });

  afterEach(() => {
    rmSync(stateFile);
  });

  it("has it done by the next host", async () => {
    const fake = newFakeHost();
    const again = await startEmulator({ ...options, computes: fake.open });
    await settled();
    again.clock.advance(2000);
    await settled();
    again.clock.advance(2000);
    expect(fake.calls).toEqual([`configure ${operations[1]}`, `start ${operations[1]}`]);
    expect(again.operations(operations[0]!).map(({ status }) => status)).not.toContain("running");
    await again.close();
  });

  it("is let go where there is no host any more", async () => {
    const again = await startEmulator(options);
    again.clock.advance(2000);
    expect(again.operations(operations[0]!).map(({ status }) => status)).not.toContain("running");
    await again.close();
  });
});

it("says where clients find a compute, and nothing of that where computes are simulated", async () => {
  const bench = await hosted();
  expect(bench.emulator.computes).toEqual({ kind: "hosted", reason: "a fake one" });
  expect(bench.emulator.endpoint(bench.id)).toMatchObject({
    place: { uri: "uri" },
    activity: { connections: 0 },
  });
  const plain = await newBench();
  expect(plain.emulator.computes.kind).toBe("simulated");
  expect(plain.emulator.endpoint(plain.project.endpoint.id)).not.toHaveProperty("place");
});

it("is simulated, with the reason, where the host can't be opened", async () => {
  const bench = await newBench({ computes: () => Promise.reject(new Error("there is no Postgres")) });
  expect(bench.emulator.computes).toEqual({ kind: "simulated", reason: "there is no Postgres" });
  expect(stateOf(bench)).toBe("active");
});
