import type { Values } from "../../../../support/providerHandlers";
import { size } from "../../lifecycle/bench";
import { bench } from "../../lifecycle/eachTest";

/** What passes between the engine and a check: hidden members in, and which of them go on to the diff. */

/** The inputs of a compute that is there, of one CU and of two. */
let stored: Values;
let resized: Values;
let id: string;
/** The state of that compute. */
let state: Values;
const preview = { __dryRun: true };

beforeEach(async () => {
  const { __provider: _, ...inputs } = bench.declared();
  stored = { ...inputs, ...size(1) };
  resized = { ...inputs, ...size(2) };
  ({ id, outs: state } = await bench.create(size(1)));
});

interface Checked {
  readonly inputs: Values;
  readonly failures: readonly unknown[];
  /** What stands on the row of the resource, of any kind. */
  readonly said: readonly string[];
}

async function check(olds: Values, news: Values, environment: NodeJS.ProcessEnv = {}): Promise<Checked> {
  bench.rows.length = 0;
  const checked = await bench.process(environment).handlers.check(olds, news);
  return { ...checked, said: [...bench.rows] };
}

describe("the inputs after a check", () => {
  it("are the arguments, the defaults, the URN and the names of secrets, and nothing else", async () => {
    const { type: _, ...declared } = bench.declared({
      branchId: bench.emptyBranch(),
      __secrets: ["branchId"],
    });
    const { inputs } = await check({}, declared);
    const { __provider: __, ...rest } = declared;
    expect(inputs).toEqual({ ...rest, type: "read_write" });
  });

  it("have no mark of a preview", async () => {
    const { inputs } = await check(stored, { ...stored, ...preview });
    expect(inputs).toEqual(stored);
  });

  it("say in a preview what a change interrupts, for people and for the report", async () => {
    const { inputs, said } = await check(stored, { ...resized, ...preview });
    expect(inputs["interruption"]).toMatch(/^restart: size 1 → 2 CU drops open connections; max_connections/);
    const { projectId, branchId, type } = stored;
    expect(inputs["__verdict"]).toEqual({
      ...{ effect: "restart", service: "interface", certain: true, now: "active" },
      ...{ endpointId: id, projectId, branchId, type },
    });
    expect(inputs).not.toHaveProperty("__dryRun");
    // The diff says it there.
    expect(said).toEqual([]);
  });

  it("say nothing of it in an update, so that nothing of it is stored", async () => {
    const { inputs, said } = await check(stored, resized);
    expect([inputs, said]).toEqual([resized, []]);
    // This one asks the service, and passes.
    bench.emulator.suspendEndpoint(id);
    bench.clock.advance(5_000);
    const patient = { ...resized, onInterruption: "forbid-when-active" };
    const asked = await check({ ...stored, onInterruption: "forbid-when-active" }, patient);
    expect(asked).toEqual({ inputs: patient, failures: [], said: [] });
  });

  it("say nothing of it where they are refused", async () => {
    const { inputs, failures } = await check(stored, { ...resized, poolerMode: "x", ...preview });
    expect(failures).toHaveLength(1);
    expect(inputs).not.toHaveProperty("interruption");
    expect(inputs).not.toHaveProperty("__verdict");
  });

  it("forget the notice of an earlier version, which stayed in the state", async () => {
    const { inputs } = await check({ ...stored, interruption: "old" }, { ...stored, ...preview });
    expect(inputs).not.toHaveProperty("interruption");
  });
});

describe("a compute to be adopted", () => {
  const adopting = (): Values => ({ ...resized, adopt: id });

  it("has what bringing it along interrupts said on its row: no diff is asked for", async () => {
    const { inputs, said } = await check({}, { ...adopting(), ...preview });
    expect(inputs["interruption"]).toMatch(/^restart: size 1 → 2 CU drops open connections; max_connections/);
    expect(said.map((text) => text.replace(" (active now)", ""))).toEqual([
      `warning: ${String(inputs["interruption"])}`,
    ]);
    expect(said.join()).toContain("drops open connections (active now); max_connections");
  });

  it("has it said in previews alone", async () => {
    const { inputs, said } = await check({}, { ...adopting(), onInterruption: "forbid-when-active" });
    expect([inputs["interruption"], said]).toEqual([undefined, []]);
  });
});

it("sends nothing for a check, nor for a diff without a change", async () => {
  bench.takeRoutes();
  const { handlers } = bench.process();
  const { inputs } = await handlers.check({}, stored);
  await handlers.diff(id, state, inputs);
  expect(bench.takeRoutes()).toEqual([]);
});

it("asks and says nothing in the diff of a refresh, which has no check before it, and forbids nothing", async () => {
  bench.takeRoutes();
  const { handlers } = bench.process({ COMPUTE_ON_INTERRUPTION: "forbid-when-active" });
  await expect(handlers.diff(id, state, resized)).resolves.toMatchObject({ changes: true });
  expect(bench.takeRoutes()).toEqual([]);
  const { inputs } = await handlers.check(resized, resized);
  await expect(handlers.diff(id, state, inputs)).rejects.toThrow("This is forbidden here");
  expect(bench.said).toEqual([]);
});

it("fails where the stack's reader itself fails, until it can be read", async () => {
  const { handlers } = bench.process();
  const fails = (): never => {
    throw new Error("no such stack");
  };
  handlers.configure({ config: { get: fails } });
  await expect(handlers.diff(id, state, stored)).rejects.toThrow(
    "reading the configuration: no such stack. Correct the configuration.",
  );
  const { apiKey, url } = bench.emulator;
  const stack: Record<string, string> = {
    "compute:apiKey": apiKey,
    "compute:baseUrl": url,
  };
  handlers.configure({ config: { get: (key) => stack[key] } });
  await expect(handlers.diff(id, state, stored)).resolves.toMatchObject({ changes: false });
});

it.each([
  { reason: "without an organisation", more: {}, name: "organization/app/dev" },
  { reason: "with its organisation", more: { __organization: "acme" }, name: "acme/app/dev" },
])("the backend is asked for the stack by its whole name, $reason", async ({ more, name }) => {
  await bench.process().handlers.check({}, bench.declared({ type: "read_only", ...more }));
  expect(bench.backend.asked.at(-1)).toBe(name);
});
