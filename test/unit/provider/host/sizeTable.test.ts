import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { reportOf } from "../../../../preview/judge/report";
import type { ComputeReport } from "../../../../preview/judge/shape";
import { readPreview } from "../../../../preview/read/preview";
import { createHandlers } from "../../../../provider/host/dynamic";
import { createPluginHandlers } from "../../../../provider/host/native";
import { createFakeClock } from "../../../support/fakeClock";

/**
 * One size table from the configuration to the notice and, by way of the preview, to the report: through the handlers
 * of each variant, into the JSON that the engine would print.
 */

type Values = Record<string, unknown>;

const least = { projectId: "p", branchId: "br-a", type: "read_write" };
const limits = (min: number, max = min): Values => ({
  autoscalingLimitMinCu: min,
  autoscalingLimitMaxCu: max,
});
const own = '[{"cu":1,"maxConnections":300},{"cu":2,"ramGb":5,"maxConnections":700},{"cu":4,"ramGb":9}]';

let journalFolder: string;
beforeEach(() => {
  journalFolder = mkdtempSync(path.join(tmpdir(), "compute-sizes-"));
});
afterEach(() => {
  rmSync(journalFolder, { recursive: true, force: true });
});

const log = { say: () => Promise.resolve(), progress: () => undefined };
const nobody = (): Promise<never> => Promise.reject(new Error("nobody is asked"));
const processParts = {
  clock: createFakeClock(),
  log: () => log,
  connect: nobody,
  onEnd: () => undefined,
};

function stackOf(more: Readonly<Record<string, string>>): Record<string, string> {
  const all = { apiKey: "k3y", baseUrl: "https://api.example.com", liveFacts: "false", journalFolder };
  return { ...all, ...more };
}

/** What a variant answers to a preview, as a step of `pulumi preview --json`. */
interface Previewed {
  readonly inputs: Readonly<Values>;
  readonly diffReasons: readonly string[];
}

/** @param old - the state's declaration; undefined for a new compute. */
type Preview = (
  old: Values | undefined,
  next: Values,
  more: Readonly<Record<string, string>>,
) => Promise<Previewed>;

const stateOf = (old: Values): Values => ({
  ...old,
  endpointId: "ep-a",
  host: "ep-a.local",
  __managed: Object.keys(old),
});

const throughDynamic: Preview = async (old, next, more) => {
  const stack = stackOf(more);
  const handlers = createHandlers(processParts);
  handlers.configure({ config: { get: (key) => stack[key.replace("compute:", "")] } });
  const { inputs, failures } = await handlers.check({ ...old }, { ...next, __dryRun: true });
  expect(failures).toEqual([]);
  return { inputs, diffReasons: [] };
};

const throughPlugin: Preview = async (old, next, more) => {
  const handlers = createPluginHandlers({ ...processParts, lookups: nobody });
  handlers.configure(stackOf(more));
  const urn = "urn:pulumi:dev::app::compute:index:Endpoint::db";
  const { inputs, failures } = await handlers.check({ urn, olds: { ...old }, news: { ...next } });
  expect(failures).toEqual([]);
  if (old === undefined) return { inputs, diffReasons: [] };
  const { verdict } = await handlers.diff({ urn, olds: stateOf(old), news: inputs });
  return { inputs, diffReasons: verdict === undefined ? [] : [verdict] };
};

function reported(old: Values | undefined, { inputs, diffReasons }: Previewed): ComputeReport {
  const urn = "urn:pulumi:dev::app::compute:index:Endpoint::db";
  const oldState = old === undefined ? undefined : { id: "ep-a", inputs: old, outputs: stateOf(old) };
  const step = {
    op: old === undefined ? "create" : "update",
    urn,
    oldState,
    newState: { inputs },
    diffReasons,
  };
  return reportOf(readPreview(Buffer.from(JSON.stringify({ steps: [step] })))).computes[0]!;
}

const figuresOf = ({ figures }: ComputeReport): readonly string[] =>
  figures.map(({ name, from, to, unit }) =>
    `${name} ${from === null ? "" : `${from} to `}${to} ${unit}`.trimEnd(),
  );

describe.each([
  { variant: "the dynamic provider", preview: throughDynamic },
  { variant: "the plugin", preview: throughPlugin },
])("the figures of $variant", ({ preview }) => {
  it.each([
    {
      configured: {},
      from: limits(0.25),
      to: limits(1),
      told: ["max_connections 112 to 450", "RAM 1 to 4 GB", "file cache 0.8 to 3.2 GB"],
    },
    {
      configured: { sizeTable: "neon" },
      from: limits(0.25),
      to: limits(1),
      told: ["max_connections 104 to 419", "RAM 1 to 4 GB", "file cache 0.75 to 3 GB"],
    },
    { configured: {}, from: limits(0.25, 1), to: limits(0.25, 2), told: [] },
    {
      configured: { sizeTable: "neon" },
      from: limits(0.25, 1),
      to: limits(0.25, 2),
      told: ["max_connections 419 to 839"],
    },
    { configured: { sizeTable: "neon" }, from: limits(38), to: limits(56), told: ["RAM 152 to 224 GB"] },
    { configured: { sizeTable: own }, from: limits(1), to: limits(2), told: ["max_connections 300 to 700"] },
    { configured: { sizeTable: own }, from: limits(2), to: limits(4), told: ["RAM 5 to 9 GB"] },
    { configured: { sizeTable: own }, from: limits(1), to: limits(1, 2), told: [] },
    { configured: { sizeTable: "neon", figures: "false" }, from: limits(0.25), to: limits(1), told: [] },
    { configured: { figures: "false" }, from: limits(0.25), to: limits(1), told: [] },
    { configured: { allowUnlistedSizes: "true" }, from: limits(1), to: limits(16), told: [] },
  ])(
    "are $told with $configured, from $from to $to, in notice and report",
    async ({ configured, from, to, told }) => {
      const old = { ...least, ...from };
      const previewed = await preview(old, { ...least, ...to }, configured);
      const { interruption } = previewed.inputs;
      expect(interruption).toMatch(/^restart: size .* CU drops open connections/);
      expect(String(interruption).split("; ").slice(1).join("; ")).toBe(told.join(", "));
      expect(figuresOf(reported(old, previewed))).toEqual(told);
    },
  );

  it.each([
    { configured: {}, told: ["max_connections 901", "RAM 8 GB", "file cache 6.4 GB"] },
    { configured: { sizeTable: "neon" }, told: ["max_connections 839", "RAM 8 GB", "file cache 6 GB"] },
    { configured: { sizeTable: own }, told: ["max_connections 700", "RAM 5 GB"] },
    { configured: { figures: "false" }, told: [] },
    // The preview then carries no judgement, and is as its update.
    {
      configured: { sizeTable: "neon", updatePlans: "true" },
      told: ["max_connections 839", "RAM 8 GB", "file cache 6 GB"],
    },
  ])("are $told of a new compute with $configured", async ({ configured, told }) => {
    const previewed = await preview(undefined, { ...least, ...limits(2) }, configured);
    expect(figuresOf(reported(undefined, previewed))).toEqual(told);
  });

  it("carry no table that a reader would not need", async () => {
    const { inputs } = await preview(undefined, { ...least, ...limits(2) }, { sizeTable: "interface" });
    expect(inputs).not.toHaveProperty("__sizeTable");
  });

  it("are none where the report does not know the table", async () => {
    const { inputs, diffReasons } = await preview(
      undefined,
      { ...least, ...limits(2) },
      { sizeTable: "neon" },
    );
    const later = { inputs: { ...inputs, __sizeTable: "of a later version" }, diffReasons };
    expect(figuresOf(reported(undefined, later))).toEqual([]);
  });
});

it("the plugin keeps the table where it is in a refresh, which would else show a change", async () => {
  const state = { ...least, ...limits(1) };
  const found = { ...stateOf(state), managed: Object.keys(state) };
  const handlers = createPluginHandlers({
    ...processParts,
    lookups: nobody,
    connect: () => Promise.resolve(() => ({ read: () => Promise.resolve(found) }) as never),
  });
  handlers.configure(stackOf({ sizeTable: "neon" }));
  const inputs = { ...state, __sizeTable: "neon" };
  const urn = "urn:pulumi:dev::app::compute:index:Endpoint::db";
  const read = await handlers.read({ urn, id: "ep-a", properties: stateOf(state), inputs });
  expect(read.inputs["__sizeTable"]).toBe("neon");
});

it("the dynamic provider stores no table, unless saved plans hold updates to previews", async () => {
  const news = { ...least, ...limits(1) };
  const inputsWith = async (more: Readonly<Record<string, string>>): Promise<Values> => {
    const stack = stackOf(more);
    const handlers = createHandlers(processParts);
    handlers.configure({ config: { get: (key) => stack[key.replace("compute:", "")] } });
    return (await handlers.check({}, news)).inputs;
  };
  expect(await inputsWith({ sizeTable: "neon" })).toEqual(news);
  expect(await inputsWith({ sizeTable: "neon", updatePlans: "true" })).toEqual({
    ...news,
    __sizeTable: "neon",
  });
});
