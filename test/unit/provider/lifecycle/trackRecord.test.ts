import { readPreview } from "../../../../preview/read/preview";
import { reportOf } from "../../../../preview/judge/report";
import { openHandlers, type Handlers, type Values } from "../../../support/providerHandlers";
import { createPluginHandlers } from "../../../../provider/host/native";
import { processOf } from "../../../support/providerHandlers";
import { urnOf } from "../../../support/variants";
import { closeBenches, created, openBench, size, type Bench, type StateValues } from "./bench";

afterEach(closeBenches);

const record = "here: its last 2 changes restarted it for 2.3 s (longest 2.3 s)";

/** A compute whose size was changed twice before. */
async function worn(): Promise<{ readonly bench: Bench; readonly state: StateValues }> {
  const bench = await openBench();
  const state = await created(bench);
  for (const cu of [2, 1]) {
    const { autoscalingLimitMinCu: min } = size(cu);
    bench.emulator.updateEndpoint(state.endpointId, {
      autoscaling_limit_min_cu: min,
      autoscaling_limit_max_cu: min,
    });
    bench.clock.advance(5_000);
  }
  bench.takeRoutes();
  bench.said.length = 0;
  return { bench, state };
}

const stackOf = ({ emulator, journalFolder }: Bench): Record<string, string> => ({
  "compute:apiKey": emulator.apiKey,
  "compute:baseUrl": emulator.url,
  "compute:journalFolder": journalFolder,
});

async function previewed(
  { bench, state }: Awaited<ReturnType<typeof worn>>,
  provider: Handlers,
  news: Values,
): Promise<Values> {
  const { inputs } = await provider.check(bench.declared(size(1)), news);
  await provider.diff(state.endpointId, { ...state }, inputs);
  return inputs;
}

describe("a preview of the dynamic provider", () => {
  const open = (bench: Bench): Handlers =>
    openHandlers({ clock: bench.clock, stack: stackOf(bench), onSaid: (text) => bench.said.push(text) });

  it("says in the warning what earlier changes did, and not in the property", async () => {
    const world = await worn();
    const news = { ...world.bench.declared(size(4)), __dryRun: true };
    const inputs = await previewed(world, open(world.bench), news);
    expect(world.bench.said).toEqual([expect.stringMatching(/^warning: restart: size 1 → 4 CU/)]);
    expect(world.bench.said[0]?.endsWith(`; ${record}`)).toBe(true);
    expect(inputs["interruption"]).not.toContain("here:");
    const step = {
      op: "update",
      urn: urnOf("dynamic", "db"),
      oldState: { id: world.state.endpointId, inputs: world.bench.declared(size(1)), outputs: world.state },
      newState: { inputs },
    };
    const preview = { steps: [step], changeSummary: { update: 1 } };
    const [compute] = reportOf(readPreview(Buffer.from(JSON.stringify(preview)))).computes;
    expect(compute?.outcome).toBe("restart");
    expect(compute?.record).toEqual({
      of: "compute",
      count: 2,
      restarted: 2,
      medianMs: 2_251,
      longestMs: 2_251,
    });
    expect(compute?.clients).toContainEqual({ text: record });
  });

  it("asks once for each project and process, and an update does not ask", async () => {
    const world = await worn();
    const provider = open(world.bench);
    const news = { ...world.bench.declared(size(4)), __dryRun: true };
    for (let resource = 1; resource <= 3; resource++) await previewed(world, provider, news);
    expect(world.bench.takeRoutes().filter((route) => route === "listOperations")).toHaveLength(1);
    await previewed(world, open(world.bench), world.bench.declared(size(4)));
    expect(world.bench.takeRoutes()).toEqual([]);
  });

  it("asks nothing for a change that restarts nothing, or without live facts", async () => {
    const world = await worn();
    const quiet = { ...world.bench.declared({ ...size(1), suspendTimeoutSeconds: 900 }), __dryRun: true };
    await previewed(world, open(world.bench), quiet);
    const stack = { ...stackOf(world.bench), "compute:liveFacts": "false" };
    const without = openHandlers({ clock: world.bench.clock, stack });
    await previewed(world, without, { ...world.bench.declared(size(4)), __dryRun: true });
    expect(world.bench.takeRoutes()).toEqual([]);
  });

  it("is complete where the service does not tell", async () => {
    const world = await worn();
    const { bench } = world;
    bench.emulator.addFault({ kind: "status", status: 404, route: "listOperations" });
    await previewed(world, open(bench), { ...bench.declared(size(4)), __dryRun: true });
    expect(bench.said).toEqual([expect.stringMatching(/^warning: restart: size 1 → 4 CU/)]);
    expect(bench.said[0]).not.toContain("here:");
  });
});

describe("a preview of the plugin", () => {
  it("says it on the row once the engine tells that this is a preview, and an update sends no request for it", async () => {
    const { bench, state } = await worn();
    const options = { clock: bench.clock, onSaid: (text: string) => bench.said.push(text) };
    const urn = urnOf("native", "db");
    const { __provider, __urn, ...old } = bench.declared(size(1));
    const olds = { ...state, __provider: undefined };
    for (const preview of [true, false]) {
      const plugin = createPluginHandlers(processOf(options));
      plugin.configure(
        Object.fromEntries(
          Object.entries(stackOf(bench)).map(([key, value]) => [key.replace("compute:", ""), value]),
        ),
      );
      bench.said.length = 0;
      bench.takeRoutes();
      const { inputs } = await plugin.check({ urn, olds: old, news: { ...old, ...size(4) } });
      await plugin.diff({ urn, olds, news: inputs });
      expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
      const { properties } = await plugin.update({ urn, olds, news: inputs, preview, timeout: 0 });
      expect(bench.takeRoutes().filter((route) => route === "listOperations")).toHaveLength(preview ? 1 : 0);
      expect(bench.said.filter((text) => text === `info: ${record}`)).toHaveLength(preview ? 1 : 0);
      expect(properties["__record"]).toEqual(
        preview ? { of: "compute", count: 2, restarted: 2, medianMs: 2_251, longestMs: 2_251 } : undefined,
      );
    }
  });
});
