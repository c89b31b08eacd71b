import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Lifecycle } from "../../../../../provider/connect";
import type { LiveRead } from "../../../../../provider/endpoint/planning/live";
import { createHandlers } from "../../../../../provider/host/dynamic/handlers";
import { createFakeClock } from "../../../../support/fakeClock";

/** What passes between the engine and a check: hidden members in, and which of them go on to the diff. */

const least = { projectId: "p", branchId: "br-a", type: "read_write" };
const stored = { ...least, __urn: "urn:a", autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 };
const resized = { ...stored, autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
const preview = { __dryRun: true };

const running = {
  kind: "found",
  endpoint: {
    id: "ep-a",
    project_id: "p",
    branch_id: "br-a",
    type: "read_write",
    autoscaling_limit_min_cu: 1,
    autoscaling_limit_max_cu: 1,
    current_state: "active",
  },
} as const satisfies LiveRead;
const idle: LiveRead = { ...running, endpoint: { ...running.endpoint, current_state: "idle" } };

let journalFolder: string;

beforeEach(() => {
  journalFolder = mkdtempSync(path.join(tmpdir(), "compute-check-"));
});

afterEach(() => {
  rmSync(journalFolder, { recursive: true, force: true });
});

interface Checked {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly failures: readonly unknown[];
  /** What stands on the row of the resource, of any kind. */
  readonly said: readonly string[];
}

/** @param more - of the stack's configuration. @param live - what the service says of the compute. */
// eslint-disable-next-line max-params -- as the engine passes them, and what it passes them in.
async function check(
  olds: Readonly<Record<string, unknown>>,
  news: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, string>> = {},
  live: LiveRead = running,
): Promise<Checked> {
  const stack: Readonly<Record<string, string>> = {
    "compute:apiKey": "k3y",
    "compute:baseUrl": "https://api.example.com",
    "compute:journalFolder": journalFolder,
    ...more,
  };
  const said: string[] = [];
  const handlers = createHandlers({
    clock: createFakeClock(),
    log: () => ({
      say: (urn, severity, message) => {
        said.push(`${severity} ${urn ?? ""} ${message}`);
        return Promise.resolve();
      },
      progress: () => undefined,
    }),
    loadLifecycle: () =>
      Promise.resolve(
        () =>
          ({
            readLive: () => Promise.resolve(live),
            serviceNow: () => 0,
            takeFailures: () => [],
          }) as unknown as Lifecycle,
      ),
    onEnd: () => undefined,
  });
  handlers.configure({ config: { get: (key) => stack[key] } });
  return { ...(await handlers.check({ ...olds }, { ...news })), said };
}

const plans = { "compute:updatePlans": "true" };

describe("the inputs after a check", () => {
  it("are the arguments, the defaults, the URN and the names of secrets, and nothing else", async () => {
    const { projectId, branchId } = least;
    const declared = { projectId, branchId, __urn: "urn:a", __secrets: ["branchId"], __provider: "text" };
    const { inputs } = await check({}, declared);
    expect(inputs).toEqual({ ...least, __urn: "urn:a", __secrets: ["branchId"] });
  });

  it("have no mark of a preview", async () => {
    const { inputs } = await check(stored, { ...stored, ...preview });
    expect(inputs).toEqual(stored);
  });

  it("say in a preview what a change interrupts, for people and for the report", async () => {
    const { inputs, said } = await check(stored, { ...resized, ...preview });
    expect(inputs["interruption"]).toMatch(/^restart: size 1 → 2 CU drops open connections; max_connections/);
    expect(inputs["__verdict"]).toEqual({
      effect: "restart",
      service: "interface",
      certain: true,
      now: "active",
      endpointId: "ep-a",
      ...least,
    });
    expect(inputs).not.toHaveProperty("__dryRun");
    // The diff says it there.
    expect(said).toEqual([]);
  });

  it("say nothing of it in an update, so that nothing of it is stored", async () => {
    const { inputs, said } = await check(stored, resized);
    expect([inputs, said]).toEqual([resized, []]);
    // This one asks the service, and passes.
    const patient = { ...resized, onInterruption: "forbid-when-active" };
    const asked = await check({ ...stored, onInterruption: "forbid-when-active" }, patient, {}, idle);
    expect(asked).toEqual({ inputs: patient, failures: [], said: [] });
  });

  it("say nothing of it where they are refused", async () => {
    const { inputs, failures } = await check(stored, { ...resized, poolerMode: "x", ...preview });
    expect(failures).toHaveLength(1);
    expect(inputs).not.toHaveProperty("interruption");
    expect(inputs).not.toHaveProperty("__verdict");
  });

  it("keep the notice through the update where saved plans need it, and no hidden member", async () => {
    const { inputs } = await check(stored, { ...resized, ...preview }, plans);
    expect(inputs["interruption"]).toMatch(/^restart: size 1 → 2 CU/);
    expect(inputs).not.toHaveProperty("__verdict");
    const update = await check(stored, resized, plans);
    expect(update.inputs).toEqual(inputs);
    const later = await check(inputs, resized, plans);
    expect(later.inputs["interruption"]).toBe(inputs["interruption"]);
  });

  it("forget an old notice where saved plans are not in use", async () => {
    const { inputs } = await check({ ...stored, interruption: "old" }, { ...stored, ...preview });
    expect(inputs).not.toHaveProperty("interruption");
  });
});

describe("a compute to be adopted", () => {
  const adopting = { ...resized, adopt: "ep-a" };

  it("has what bringing it along interrupts said on its row: no diff is asked for", async () => {
    const { inputs, said } = await check({}, { ...adopting, ...preview });
    expect(inputs["interruption"]).toMatch(/^restart: size 1 → 2 CU drops open connections; max_connections/);
    expect(said.map((text) => text.replace(" (active now)", ""))).toEqual([
      `warning urn:a ${String(inputs["interruption"])}`,
    ]);
    expect(said.join()).toContain("drops open connections (active now); max_connections");
  });

  it("has it said in previews alone", async () => {
    const { inputs, said } = await check({}, { ...adopting, onInterruption: "forbid-when-active" });
    expect([inputs["interruption"], said]).toEqual([undefined, []]);
  });
});
