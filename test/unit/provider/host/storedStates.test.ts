/**
 * States and a journal entry as commit c4f696f wrote them. Users' stacks may hold such: both variants read them without
 * a change.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmulator, type Emulator } from "../../../../emulator";
import { readConfig } from "../../../../provider/settings/config";
import { openJournal } from "../../../../provider/writes/openJournal";
import { remoteProvider } from "../../../../sdk/remote";
import { createFakeClock } from "../../../support/fakeClock";
import { formerProvider } from "../../../support/formerProvider";
import { openHandlers, type Handlers, type Values } from "../../../support/providerHandlers";
import { urnOf, variants, type Variant } from "../../../support/variants";

const args = {
  projectId: "PROJECT",
  branchId: "BRANCH",
  type: "read_only",
  autoscalingLimitMinCu: 1,
  autoscalingLimitMaxCu: 2,
  suspendTimeoutSeconds: 60,
  settings: { pgSettings: { jit: "off" } },
};

/** The state without what only one variant stores. */
const outputs = {
  ...args,
  endpointId: "ENDPOINT",
  host: "ENDPOINT.local-1.compute.localhost",
  proxyHost: "local-1.compute.localhost",
  createdAt: "CREATED",
  regionId: "local-1",
  disabled: false,
  poolerEnabled: false,
  poolerMode: "transaction",
  passwordlessAccess: true,
  __managed: [
    "projectId",
    "type",
    "branchId",
    "autoscalingLimitMinCu",
    "autoscalingLimitMaxCu",
    "settings",
    "suspendTimeoutSeconds",
    "settings.pgSettings.jit",
  ],
};
const dynamicHidden = { __urn: urnOf("dynamic", "db"), __organization: "acme", __secrets: ["settings"] };

/** Each variant's state and inputs. */
const stored = {
  dynamic: {
    inputs: { ...args, ...dynamicHidden },
    state: { ...outputs, __provider: formerProvider, ...dynamicHidden },
  },
  // The engine tells a plugin the URN beside the inputs.
  native: {
    inputs: { ...args, __urn: urnOf("native", "db") },
    state: { ...outputs, __urn: urnOf("native", "db") },
  },
};

/** Of a create by the dynamic variant in that stack, whose answer was lost. */
const journalEntry = {
  stack: "e784094201acb9bab0ae72da1fe47e5e",
  title: "db",
  projectId: "PROJECT",
  branchId: "BRANCH",
  type: "read_only",
  baseline: [],
  intentAtMs: 0,
  window: { fromMs: -60_000, toMs: 600_000 },
};

let emulator: Emulator;
let folder: string;
let real: Record<"PROJECT" | "BRANCH" | "ENDPOINT" | "CREATED", string>;
const clock = createFakeClock();

beforeEach(async () => {
  emulator = await startEmulator({ operationMs: 0 });
  folder = mkdtempSync(path.join(tmpdir(), "compute-stored-"));
  const { project, branch } = emulator.createProject();
  const { endpoint } = emulator.createEndpoint(project.id, {
    branch_id: branch.id,
    type: "read_only",
    autoscaling_limit_min_cu: 1,
    autoscaling_limit_max_cu: 2,
    suspend_timeout_seconds: 60,
    settings: { pg_settings: { jit: "off" } },
  });
  real = { PROJECT: project.id, BRANCH: branch.id, ENDPOINT: endpoint.id, CREATED: endpoint.created_at };
});
afterEach(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What was stored, with the ids of this test's service. */
function filledIn(values: unknown): Values {
  const text = JSON.stringify(values).replaceAll(
    /PROJECT|BRANCH|ENDPOINT|CREATED/g,
    (name) => real[name as keyof typeof real],
  );
  return JSON.parse(text) as Values;
}

const configuration = (): Record<string, string> => ({
  "compute:apiKey": emulator.apiKey,
  "compute:baseUrl": emulator.url,
  "compute:journalFolder": folder,
});

/** The provider in a process of its own. */
const processOf = (variant: Variant): Handlers => openHandlers({ variant, clock, stack: configuration() });

const writes = (): readonly string[] =>
  emulator.requests().flatMap(({ method }) => (method === "GET" ? [] : [method]));

describe.each(variants)("a state that commit c4f696f wrote with the %s variant", (variant) => {
  it("is read without a change, and deleted", async () => {
    const inputs = filledIn(stored[variant].inputs);
    const state = filledIn(stored[variant].state);
    const [id, urn] = [real.ENDPOINT, urnOf(variant, "db")];
    const read = await processOf(variant).read(id, state, { urn, inputs });
    expect(read.props).toEqual(state);
    const run = processOf(variant);
    const news = variant === "dynamic" ? { ...inputs, __provider: remoteProvider } : inputs;
    const checked = await run.check(inputs, news);
    expect(checked).toEqual({ inputs, failures: [] });
    expect((await run.diff(id, state, checked.inputs)).changes).toBe(false);
    expect(writes()).toEqual([]);
    await processOf(variant).delete(id, state);
    expect(writes()).toEqual(["DELETE"]);
  });
});

describe("a journal entry that commit c4f696f wrote", () => {
  const write = (entry: object): void => {
    const config = readConfig((key) => configuration()[key]);
    const owner = String(openJournal(config, clock).ownerOf(`acme/${urnOf("dynamic", "db")}`));
    const atMs = Date.parse(real.CREATED);
    const window = { fromMs: atMs - 60_000, toMs: atMs + 600_000 };
    const written = { owner, ...filledIn(journalEntry), intentAtMs: atMs, window, ...entry };
    writeFileSync(path.join(folder, `${owner}.json`), JSON.stringify(written), { mode: 0o600 });
  };

  it("names what may be the compute of the lost answer, and creates nothing", async () => {
    write({});
    const made = processOf("dynamic").create(filledIn(stored.dynamic.inputs));
    await expect(made).rejects.toThrow(`got no answer, and the branch has ${real.ENDPOINT}`);
    expect(writes()).not.toContain("POST");
  });

  it("leads the next create to the compute that it names", async () => {
    write({ endpointId: real.ENDPOINT });
    const made = await processOf("dynamic").create(filledIn(stored.dynamic.inputs));
    expect(made.id).toBe(real.ENDPOINT);
    expect(writes()).not.toContain("POST");
  });
});
