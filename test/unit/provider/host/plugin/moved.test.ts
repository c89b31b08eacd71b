/**
 * The plugin's handlers in this process, where a test has to say what the engine has passed: what an earlier run, or
 * the other variant, has left.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmulator, type Emulator } from "../../../../../emulator";
import { connectLifecycle } from "../../../../../provider/connect";
import { systemClock } from "../../../../../provider/clock";
import { createHandlers, type EndpointHandlers } from "../../../../../provider/host/dynamic/handlers";
import { createPluginHandlers, type PluginHandlers } from "../../../../../provider/host/plugin/handlers";

type Values = Record<string, unknown>;

const urn = "urn:pulumi:dev::app::compute:index:Endpoint::db";
const dynamicUrn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::db";

let emulator: Emulator;
let folder: string;
let args: Values;
const said: string[] = [];

beforeEach(async () => {
  emulator = await startEmulator({ operationMs: 0 });
  folder = mkdtempSync(path.join(tmpdir(), "compute-native-"));
  const { project, branch } = emulator.createProject();
  args = { projectId: project.id, branchId: branch.id, type: "read_only" };
  said.length = 0;
});
afterEach(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
});

const process = {
  clock: systemClock,
  loadLifecycle: () => Promise.resolve(connectLifecycle),
  onEnd: () => undefined,
  log: (redact: (text: string) => string) => ({
    say: (_urn: string | undefined, severity: string, message: string) => {
      said.push(`${severity}: ${redact(message)}`);
      return Promise.resolve();
    },
    progress: () => undefined,
  }),
};

const configuration = (): Record<string, string> => ({
  apiKey: emulator.apiKey,
  baseUrl: emulator.url,
  journalFolder: folder,
});

/** The plugin in a process of its own. */
function plugin(more: Record<string, string> = {}): PluginHandlers {
  const handlers = createPluginHandlers({ ...process, lookups: () => Promise.reject(new Error("none")) });
  handlers.configure({ ...configuration(), ...more });
  return handlers;
}

/** The dynamic provider in a process of its own. */
function dynamic(): EndpointHandlers {
  const handlers = createHandlers(process);
  const values = Object.entries(configuration()).map(([key, value]) => [`compute:${key}`, value] as const);
  handlers.configure({ config: { get: (key) => Object.fromEntries(values)[key] } });
  return handlers;
}

const computes = (): readonly string[] =>
  emulator
    .endpoints(String(args["projectId"]))
    .filter(({ endpoint }) => endpoint.type === "read_only")
    .map(({ endpoint }) => endpoint.id);

const adoptable = (): string =>
  emulator.createEndpoint(String(args["projectId"]), {
    branch_id: String(args["branchId"]),
    type: "read_only",
  }).endpoint.id;

describe("a compute that a stack of an organisation adopted with the dynamic provider", () => {
  it.each([
    { reason: "in the run that moves", refreshes: false },
    { reason: "in a later run", refreshes: true },
  ])("is the same resource's behind the plugin, and deleted with it $reason", async ({ refreshes }) => {
    const adopt = adoptable();
    const declared = { ...args, adopt };
    const hidden = { __urn: dynamicUrn, __organization: "acme" };
    const { id, outs } = await dynamic().create({ ...declared, ...hidden });
    let properties = outs;
    const first = plugin();
    await first.check({ urn, olds: { ...declared, ...hidden }, news: declared });
    expect((await first.diff({ urn, olds: properties, news: declared })).changes).toBe(false);
    if (refreshes) properties = (await plugin().read({ urn, id, properties, inputs: declared })).properties;
    await plugin().delete({ urn, properties, timeout: 0 });
    expect(said.filter((text) => text.includes("not deleted"))).toEqual([]);
    expect(computes()).toEqual([]);
  });
});

describe("a create whose answer never reached the state", () => {
  it("is found where the stack has moved to the plugin since", async () => {
    const { id: left } = await dynamic().create({ ...args, __urn: dynamicUrn });
    const { id } = await plugin().create({ urn, properties: args, preview: false, timeout: 0 });
    expect(id).toBe(left);
    expect(computes()).toEqual([left]);
  });
});

describe("a compute that was only read by its id", () => {
  it("is taken over by the resource of that name: nothing of it is replaced", async () => {
    const adopt = adoptable();
    const lookup = { projectId: args["projectId"] };
    const { properties, inputs } = await plugin().read({
      urn,
      id: adopt,
      properties: lookup,
      inputs: lookup,
    });
    const run = plugin();
    await run.read({ urn, id: adopt, properties, inputs });
    const { inputs: checked, failures } = await run.check({ urn, olds: {}, news: { ...args, adopt } });
    expect(failures).toEqual([]);
    expect(checked["interruption"]).toBeUndefined();
    expect((await run.create({ urn, properties: checked, preview: false, timeout: 0 })).id).toBe(adopt);
  });
});

describe("an import", () => {
  it.each(["PROJECT/ep-a/extra", "PROJECT/", "/ep-a", "a/b/ep-c"])(
    "refuses the id %s by its form",
    async (id) => {
      const read = plugin().read({ urn, id, properties: {}, inputs: {} });
      await expect(read).rejects.toThrow("its id is not of the form PROJECT/ep-…. Name the project");
      expect(emulator.requests()).toEqual([]);
    },
  );
});

describe("a key that is another one since the last run", () => {
  it("is told with the way on: without a program, the engine takes the old one from the state", async () => {
    const { id, properties } = await plugin().create({ urn, properties: args, preview: false, timeout: 0 });
    const old = plugin({ apiKey: "revoked" });
    const advice =
      /answered 401.*still takes the old one from the state: run `pulumi up --refresh --run-program`/;
    await expect(old.read({ urn, id, properties, inputs: args })).rejects.toThrow(advice);
    await expect(old.delete({ urn, properties, timeout: 0 })).rejects.toThrow(advice);
  });
});

describe("a replacement that an option of the resource asks for", () => {
  const changed = { suspendTimeoutSeconds: 600 };
  const notice =
    "replace: by force (--replace, taint or an option), which makes a new compute and deletes this one";

  /** As the engine goes: a check and a diff of the change, then a check of the new side alone. */
  async function replace(more: Values): ReturnType<PluginHandlers["check"]> {
    const { properties } = await plugin().create({ urn, properties: args, preview: false, timeout: 0 });
    const run = plugin();
    const news = { ...args, ...changed, ...more };
    await run.check({ urn, olds: args, news });
    expect((await run.diff({ urn, olds: properties, news })).replaces).toEqual([]);
    return run.check({ urn, olds: {}, news });
  }

  it("has its notice, in the diff, on the row and for the report", async () => {
    const { inputs } = await replace({});
    expect(inputs["interruption"]).toContain(notice);
    expect(inputs["__verdict"]).toMatchObject({ effect: "replace", certain: true });
    expect(said.join("\n")).toContain(`warning: ${notice}; its host goes away and open connections drop (`);
  });

  it("is forbidden where interruptions are", async () => {
    const { failures } = await replace({ onInterruption: "forbid" });
    expect(failures).toMatchObject([{ property: "onInterruption" }]);
    expect(failures[0]?.reason).toContain(notice);
  });
});
