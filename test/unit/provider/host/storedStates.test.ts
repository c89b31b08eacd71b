/**
 * States and a journal entry as commit c4f696f wrote them. Users' stacks may hold such: both variants read them without
 * a change.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmulator, type Emulator } from "../../../../emulator";
import { connectLifecycle } from "../../../../provider/connect";
import { readConfig } from "../../../../provider/settings/config";
import { createHandlers } from "../../../../provider/host/dynamic/handlers";
import { createPluginHandlers } from "../../../../provider/host/plugin/handlers";
import { openJournal } from "../../../../provider/writes/openJournal";
import { remoteProvider } from "../../../../sdk/remote";
import { createFakeClock } from "../../../support/fakeClock";
import { formerProvider } from "../../../support/formerProvider";

type Values = Record<string, unknown>;

const dynamicUrn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::db";
const pluginUrn = "urn:pulumi:dev::app::compute:index:Endpoint::db";

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
const dynamicHidden = { __urn: dynamicUrn, __organization: "acme", __secrets: ["settings"] };

/** Each variant's state and inputs. */
const stored = {
  dynamic: {
    inputs: { ...args, ...dynamicHidden },
    state: { ...outputs, __provider: formerProvider, ...dynamicHidden },
  },
  plugin: { inputs: args, state: { ...outputs, __urn: pluginUrn } },
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

const surroundings = {
  clock,
  loadLifecycle: () => Promise.resolve(connectLifecycle),
  onConnected: () => undefined,
  onEnd: () => undefined,
  log: () => ({ say: () => Promise.resolve(), progress: () => undefined }),
};
const configuration = (): Record<string, string> => ({
  apiKey: emulator.apiKey,
  baseUrl: emulator.url,
  journalFolder: folder,
});

const setting = (key: string): string | undefined => configuration()[key.replace(/^compute:/, "")];

function dynamic() {
  const handlers = createHandlers(surroundings);
  handlers.configure({ config: { get: setting } });
  return handlers;
}

function plugin() {
  const handlers = createPluginHandlers({
    ...surroundings,
    lookups: () => Promise.reject(new Error("none")),
  });
  handlers.configure(configuration());
  return handlers;
}

const writes = (): readonly string[] =>
  emulator.requests().flatMap(({ method }) => (method === "GET" ? [] : [method]));

describe("a state that commit c4f696f wrote", () => {
  it("is read by the dynamic variant without a change, and deleted", async () => {
    const inputs = filledIn(stored.dynamic.inputs);
    const state = filledIn(stored.dynamic.state);
    const id = real.ENDPOINT;
    const read = await dynamic().read(id, state);
    expect(read.props).toEqual(state);
    const run = dynamic();
    const checked = await run.check(inputs, { ...inputs, __provider: remoteProvider });
    expect(checked).toEqual({ inputs, failures: [] });
    expect((await run.diff(id, state, checked.inputs)).changes).toBe(false);
    expect(writes()).toEqual([]);
    await dynamic().delete(id, state);
    expect(writes()).toEqual(["DELETE"]);
  });

  it("is read by the plugin without a change, and deleted", async () => {
    const inputs = filledIn(stored.plugin.inputs);
    const state = filledIn(stored.plugin.state);
    const id = real.ENDPOINT;
    const read = await plugin().read({ urn: pluginUrn, id, properties: state, inputs });
    expect(read.properties).toEqual(state);
    const run = plugin();
    const checked = await run.check({ urn: pluginUrn, olds: inputs, news: inputs });
    expect(checked.inputs).toEqual(inputs);
    expect((await run.diff({ urn: pluginUrn, olds: state, news: checked.inputs })).changes).toBe(false);
    expect(writes()).toEqual([]);
    await plugin().delete({ urn: pluginUrn, properties: state, timeout: 0 });
    expect(writes()).toEqual(["DELETE"]);
  });
});

describe("a journal entry that commit c4f696f wrote", () => {
  const write = (entry: object): void => {
    const owner = String(openJournal(readConfig(setting), clock).ownerOf(`acme/${dynamicUrn}`));
    const atMs = Date.parse(real.CREATED);
    const window = { fromMs: atMs - 60_000, toMs: atMs + 600_000 };
    const written = { owner, ...filledIn(journalEntry), intentAtMs: atMs, window, ...entry };
    writeFileSync(path.join(folder, `${owner}.json`), JSON.stringify(written), { mode: 0o600 });
  };

  it("names what may be the compute of the lost answer, and creates nothing", async () => {
    write({});
    const made = dynamic().create(filledIn(stored.dynamic.inputs));
    await expect(made).rejects.toThrow(`got no answer, and the branch has ${real.ENDPOINT}`);
    expect(writes()).not.toContain("POST");
  });

  it("leads the next create to the compute that it names", async () => {
    write({ endpointId: real.ENDPOINT });
    const made = await dynamic().create(filledIn(stored.dynamic.inputs));
    expect(made.id).toBe(real.ENDPOINT);
    expect(writes()).not.toContain("POST");
  });
});
