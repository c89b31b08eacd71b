import type { Receipt } from "../../../../provider/endpoint/receipt";
import { runCommand } from "../../../../preview/command";
import { createMiniEngine } from "../../../support/miniEngine";
import { variants, type Variant } from "../../../support/variants";
import { events, preview } from "../../preview/updates";
import { closeBenches, created, openBench, partialFailureOf, size, type Bench } from "./bench";

afterEach(closeBenches);

const stack = { "compute:liveFacts": "true" };
/** Shorter than the operations of the first run. */
const short = { ...size(2), timeouts: { update: 1 } };
const begunBefore =
  "info: started or restarted: not active for at most 6.3 s (start_compute); an earlier or another run began it";

interface World {
  readonly bench: Bench;
  /** @returns what the row was told of what happened. */
  readonly up: (
    args: Record<string, unknown>,
    how?: { readonly isKilled: boolean },
  ) => Promise<readonly string[]>;
  /** In the state. */
  readonly receipt: () => Receipt | undefined;
}

/** A compute of one CU that runs, and whose next change takes longer than a run waits. */
async function open(variant: Variant, { isLocked = false } = {}): Promise<World> {
  const bench = await openBench({ switches: { lock: isLocked ? "project" : "off" } });
  const { emulator, clock, projectId, branchId } = bench;
  // A plugin that reads first finds the new size, and has nothing to send.
  const options = { variant, baseUrl: emulator.url, apiKey: emulator.apiKey, clock, readsFirst: false };
  const engine = createMiniEngine(options);
  const up: World["up"] = async (args, how) => {
    const before = engine.said.length;
    await engine.up({ db: { args: { projectId, branchId, ...args } } }, { stack, ...how });
    return engine.said.slice(before).filter((text) => !/^warning: (may )?\w+: .* drops/.test(text));
  };
  await up(size(1));
  emulator.connect(engine.stored("db")?.id ?? "");
  clock.advance(60_000);
  emulator.setTimeline({ action: "apply_config", runningMs: 5_000, times: 1 });
  return { bench, up, receipt: () => engine.stored("db")?.outs["__receipt"] as Receipt | undefined };
}

/** What the report after the update prints. */
function reported(receipt: Receipt | undefined, announcing?: string): string {
  const files: Readonly<Record<string, string>> = {
    up: events({ db: receipt }),
    ...(announcing === undefined ? {} : { preview: announcing }),
  };
  let printed = "";
  runCommand(["--applied", ...Object.keys(files)], {
    read: (file) => Buffer.from(files[file ?? ""] ?? ""),
    list: () => undefined,
    isTerminal: false,
    print: (text) => void (printed += text),
    complain: () => undefined,
  });
  return printed;
}

describe.each(variants)("a restart that an earlier run began, with the %s variant", (variant) => {
  it.each([{ isLocked: false }, { isLocked: true }])(
    "is seen by the update that sends its change again: %p",
    async (how) => {
      const { up, receipt } = await open(variant, how);
      await up(short, { isKilled: true });
      expect(await up(size(2))).toEqual([begunBefore]);
      expect(receipt()).toMatchObject({ happened: "restarted", action: "start_compute", by: "earlier" });
      const report = reported(receipt(), preview(["db"]));
      expect(report).toContain("**1 compute was interrupted, as announced.** Not active for at most 6.3 s.");
      expect(reported(receipt())).not.toMatch(/no compute was interrupted/i);
    },
  );

  it("is seen by the update that sends its move again", async () => {
    const { bench, up, receipt } = await open(variant, { isLocked: true });
    const branchId = bench.emptyBranch();
    await up({ ...size(1), branchId, timeouts: { update: 1 } }, { isKilled: true });
    expect(await up({ ...size(1), branchId })).toEqual([
      expect.stringMatching(/^info: suspended \(suspend_compute\): .*; an earlier or another run began it$/),
    ]);
    expect(receipt()).toMatchObject({ happened: "suspended", by: "earlier" });
  });

  it("is none where a compute without clients suspends itself while the update waits", async () => {
    const { bench, up, receipt } = await open(variant, { isLocked: true });
    const [id = ""] = bench.computes();
    bench.emulator.setTimeline({ action: "suspend_compute", runningMs: 5_000, times: 1 });
    bench.emulator.suspendEndpoint(id);
    bench.takeRoutes();
    await up(size(2));
    expect(receipt()).toMatchObject({ happened: "idle", announced: "restart" });
  });

  it("is none where an idle compute moves, and no request more", async () => {
    const { bench, up, receipt } = await open(variant);
    bench.clock.advance(600_000);
    const branchId = bench.emptyBranch();
    bench.takeRoutes();
    await up({ ...size(1), branchId });
    expect(receipt()).toMatchObject({ happened: "idle", announced: "move" });
    expect(bench.takeRoutes()).not.toContain("listOperations");
  });

  it("is seen by the update that only waits for it, and not called a start", async () => {
    const { up, receipt } = await open(variant);
    await up(short);
    expect(await up(size(2))).toEqual([begunBefore]);
    expect(receipt()).toMatchObject({ happened: "restarted", by: "earlier" });
    const report = reported(receipt(), preview(["db"]));
    expect(report).toContain("**1 compute was interrupted, as announced.** Not active for at most 6.3 s.");
    expect(reported(receipt())).toContain("**Whether 1 compute was interrupted is not known.**");
  });

  it("is seen by the update that waits for it and then changes something else", async () => {
    const { up, receipt } = await open(variant);
    await up(short);
    expect(await up({ ...size(2), suspendTimeoutSeconds: 900 })).toEqual([begunBefore]);
    expect(receipt()).toMatchObject({ happened: "restarted", by: "earlier" });
  });
});

describe("what an earlier run did", () => {
  it("is no interruption where it was the first start of a compute", async () => {
    const bench = await openBench();
    bench.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
    const { state } = await partialFailureOf(
      bench.process().create(bench.declared({ timeouts: { create: 10 } })),
    );
    const outs = await bench.process().update(state, bench.declared());
    expect(outs["__receipt"]).toEqual({ happened: "idle", action: undefined, by: "earlier" });
    expect(bench.said.filter((text) => /started/.test(text))).toEqual([]);
  });

  it("is not known where the operations that it left have no names", async () => {
    const bench = await openBench();
    const state = await created(bench);
    bench.clock.advance(60_000);
    bench.emulator.restartEndpoint(state.endpointId);
    const outs = await bench
      .process()
      .update({ ...state, __operations: ["unlisted"] }, bench.declared(size(1)));
    expect(outs["__receipt"]).toMatchObject({ happened: "unknown", by: "earlier" });
  });

  it("does not count where it ended before this update began", async () => {
    const bench = await openBench();
    const state = await created(bench, { poolerEnabled: false });
    bench.clock.advance(60_000);
    bench.emulator.connect(state.endpointId);
    bench.emulator.restartEndpoint(state.endpointId);
    bench.clock.advance(10_000);
    const outs = await bench.process().update(state, bench.declared({ ...size(1), poolerEnabled: true }));
    expect(outs["__receipt"]).toMatchObject({ happened: "none" });
    expect(bench.takeRoutes().filter((route) => route === "listOperations")).toHaveLength(1);
  });

  it("is not known where the operations cannot be listed", async () => {
    const bench = await openBench();
    const state = await created(bench, { poolerEnabled: false });
    bench.emulator.addFault({ kind: "status", status: 500, route: "listOperations", times: 100 });
    const outs = await bench.process().update(state, bench.declared({ ...size(1), poolerEnabled: true }));
    expect(outs["__receipt"]).toMatchObject({ happened: "unknown" });
  });
});
