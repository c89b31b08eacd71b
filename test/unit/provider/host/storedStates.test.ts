/**
 * A whole state as a stack holds it: it stays as it is here, since every later version reads it without a change.
 */
import { startEmulator, type Emulator } from "../../../../emulator";
import { remoteProvider } from "../../../../sdk/remote";
import { createFakeClock } from "../../../support/fakeClock";
import { openHandlers, type Handlers, type Values } from "../../../support/providerHandlers";
import { argumentsOf } from "../../../support/wireArguments";
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
    state: { ...outputs, __provider: remoteProvider, ...dynamicHidden },
  },
  // The engine tells a plugin the URN beside the inputs.
  native: {
    inputs: { ...args, __urn: urnOf("native", "db") },
    state: { ...outputs, __urn: urnOf("native", "db") },
  },
};

let emulator: Emulator;
let real: Record<"PROJECT" | "BRANCH" | "ENDPOINT" | "CREATED", string>;
const clock = createFakeClock();

beforeEach(async () => {
  emulator = await startEmulator({ operationMs: 0 });
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
afterEach(() => emulator.close());

/** What was stored, with the ids of this test's service. */
function filledIn(values: unknown): Values {
  const text = JSON.stringify(values).replaceAll(
    /PROJECT|BRANCH|ENDPOINT|CREATED/g,
    (name) => real[name as keyof typeof real],
  );
  return JSON.parse(text) as Values;
}

/** The provider in a process of its own. */
const processOf = (variant: Variant): Handlers =>
  openHandlers({
    variant,
    clock,
    stack: { "compute:apiKey": emulator.apiKey, "compute:baseUrl": emulator.url },
  });

const writes = (): readonly string[] =>
  emulator.requests().flatMap(({ method }) => (method === "GET" ? [] : [method]));

describe.each(variants)("a state that the %s variant wrote", (variant) => {
  it("is read without a change, and deleted", async () => {
    const inputs = filledIn(stored[variant].inputs);
    const state = filledIn(stored[variant].state);
    const [id, urn] = [real.ENDPOINT, urnOf(variant, "db")];
    const read = await processOf(variant).read(id, state, { urn, inputs });
    // A later version adds its new arguments, and changes none.
    expect(read.props).toEqual({ ...argumentsOf(emulator.endpoint(id).endpoint), ...state });
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
