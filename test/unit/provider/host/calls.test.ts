/** How each variant turns the engine's values and the service's answers into results: a call, values in, values out. */
import { remoteProvider } from "../../../../sdk/remote";
import type { Handlers } from "../../../support/providerHandlers";
import { urnOf, variants, type Variant } from "../../../support/variants";
import { argumentsOf } from "../../../support/wireArguments";
import { bed, secret, size, type Values } from "./bed";

const match = (pattern: RegExp): string => expect.stringMatching(pattern) as string;
const notice = match(/^restart: size 1 → 2 CU [^;]*; max_connections/);
const onRow = match(/^warning: restart: size 1 → 2 CU .*\(compute active now\); max_connections/);

describe.each(variants)("with the %s variant", (variant) => {
  /** A program's arguments with hidden members, as the SDK passes them. */
  const declared = (more: Values = {}): Values => bed.declared({ __urn: urnOf(variant, "db"), ...more });
  const process = (stack?: Readonly<Record<string, string>>): Handlers => bed.handlers(variant, stack);
  let made: { readonly id: string; readonly outs: Values };
  const resized = (): Values => declared(size(2));

  beforeEach(async () => {
    made = await process().create(declared());
    bed.said.length = 0;
    bed.takeRoutes();
  });

  interface Row {
    readonly reason: string;
    readonly olds?: () => Values;
    readonly news: () => Values;
    /** Default: what was declared. */
    readonly inputs?: () => Values;
    readonly failures?: number;
    readonly said?: readonly string[];
    readonly asks?: readonly string[];
    readonly only?: Variant;
  }
  const preview = { __dryRun: true };
  /** The dynamic provider names the service whose figures the report shows. */
  const shownIn = variant === "dynamic" ? { __service: "interface" } : {};
  const verdict = (): Values => {
    const { projectId, branchId, type } = bed.declared();
    const data = { effect: "restart", service: "interface", certain: true, now: "active" };
    return { ...data, endpointId: made.id, projectId, branchId, type };
  };
  const lists = ["listEndpoints"];
  const rows: readonly Row[] = [
    {
      reason: "does not return the mark of a preview",
      news: () => declared(preview),
      inputs: () => declared(shownIn),
    },
    {
      reason: "adds the notice of an interruption in a preview, and leaves the decision to the diff",
      news: () => ({ ...resized(), ...preview }),
      inputs: () => ({ ...resized(), ...shownIn, interruption: notice }),
      only: "dynamic",
    },
    {
      reason: "adds no notice in an update, whose inputs are stored",
      news: resized,
      only: "dynamic",
    },
    {
      reason: "adds the notice even in an update, since the engine does not store it",
      news: resized,
      inputs: () => ({ ...resized(), interruption: notice }),
      only: "native",
    },
    {
      reason: "adds no notice if an argument is refused",
      news: () => ({ ...resized(), poolerMode: "x", ...preview }),
      inputs: () => ({ ...resized(), poolerMode: "x" }),
      failures: 1,
    },
    {
      reason: "drops the notice of an earlier update, which stayed in the state",
      olds: () => declared({ interruption: "old" }),
      news: () => declared(preview),
      inputs: () => declared(shownIn),
    },
    {
      reason: "warns on the row if an adoption interrupts its compute, since no diff follows",
      olds: () => ({}),
      news: () => ({ ...resized(), adopt: made.id, ...preview }),
      inputs: () => {
        const { now: _, ...stable } = verdict();
        const data = variant === "native" ? stable : verdict();
        return { ...resized(), ...shownIn, adopt: made.id, interruption: notice, __verdict: data };
      },
      said: [onRow],
      asks: lists,
    },
    {
      reason: "lists computes before an adoption in an update, as in the preview",
      olds: () => ({}),
      news: () => ({ ...resized(), adopt: made.id }),
      asks: ["listEndpoints"],
      only: "dynamic",
    },
  ];

  it.each(rows.filter(({ only = variant }) => only === variant))("a check $reason", async (row) => {
    const { olds = declared, news, inputs = news, failures = 0, said = [], asks = [] } = row;
    const checked = await process().check(olds(), news());
    expect(checked.failures).toHaveLength(failures);
    expect(checked.inputs).toEqual(inputs());
    expect(bed.said).toEqual(said);
    expect(bed.takeRoutes()).toEqual(asks);
  });

  it("a check of a new compute returns its declaration, defaults and the names of secrets, and nothing else", async () => {
    const { type: _, ...news } = declared({ branchId: bed.emptyBranch(), __secrets: ["branchId"] });
    const { inputs } = await process().check({}, news);
    expect(inputs).toEqual({ ...news, type: "read_write" });
  });

  it("the diff of a refresh, which no check precedes, sends nothing, prints nothing and forbids nothing", async () => {
    const run = process({ "compute:onInterruption": "forbid-when-active" });
    // A plugin's inputs keep the notice of the last update, which a read leaves there.
    const diff = await run.diff(made.id, made.outs, { ...resized(), interruption: "restart: old" });
    expect(diff).toMatchObject({ changes: true, replaces: [], deleteBeforeReplace: false });
    expect(diff.told).toEqual(
      variant === "dynamic"
        ? undefined
        : {
            detailed: {
              autoscalingLimitMinCu: { kind: "update", replaces: false },
              autoscalingLimitMaxCu: { kind: "update", replaces: false },
            },
            verdict: undefined,
          },
    );
    expect([...bed.takeRoutes(), ...bed.said]).toEqual([]);
    const { inputs } = await run.check(declared(), resized());
    await expect(run.diff(made.id, made.outs, inputs)).rejects.toThrow("This is forbidden here");
  });

  it("a declared secret is redacted where the service quotes it", async () => {
    const body = { message: "s3cret-name?" };
    bed.emulator.addFault({ kind: "status", status: 400, method: "PATCH", times: 1, body });
    const news = declared({ name: "s3cret-name", __secrets: ["name"] });
    await expect(process().update(made.id, made.outs, news)).rejects.toThrow("[redacted]?");
  });

  it("a state without a compute's id is refused with advice, and nothing is sent", async () => {
    const [run, empty] = [process(), { __urn: urnOf(variant, "db"), projectId: bed.projectId }];
    for (const call of [
      () => run.diff("ep-any", empty, declared()),
      () => run.update("ep-any", empty, declared()),
      () => run.delete("ep-any", empty),
    ])
      await expect(call()).rejects.toThrow(
        "reading the state: it names no compute. Remove the resource from the state with `pulumi state delete`",
      );
    expect(bed.takeRoutes()).toEqual([]);
  });
});

it.each([
  { reason: "without an organisation", more: {}, name: "organization/app/dev" },
  { reason: "with its organisation", more: { __organization: "acme" }, name: "acme/app/dev" },
])("the provider asks Pulumi's backend for the stack by its full name, $reason", async ({ more, name }) => {
  const declared = bed.declared({ __urn: urnOf("dynamic", "db"), type: "read_only", ...more });
  await bed.handlers("dynamic").check({}, declared);
  expect(bed.told.asked.at(-1)).toBe(name);
});

/** A whole state as a stack holds it. Do not change it here: every later version must read it without a change. */
describe.each(variants)("a state that the %s variant wrote", (variant) => {
  const args = (): Values => ({
    ...{ projectId: bed.projectId, branchId: bed.branchId, type: "read_only" },
    ...{ autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 2, suspendTimeoutSeconds: 60 },
    settings: { pgSettings: { jit: "off" } },
  });
  const own = { __urn: urnOf(variant, "db") };
  const hidden = variant === "native" ? own : { ...own, __organization: "acme", __secrets: ["settings"] };
  const text = variant === "native" ? {} : { __provider: remoteProvider };

  it("is read without a change, and deleted", async () => {
    const id = bed.byHand({
      ...{ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2, suspend_timeout_seconds: 60 },
      settings: { pg_settings: { jit: "off" } },
    });
    const { created_at: createdAt } = bed.emulator.endpoint(id).endpoint;
    const inputs = { ...args(), ...hidden };
    const state = {
      ...inputs,
      ...text,
      ...{ endpointId: id, host: `${id}.local-1.compute.localhost`, proxyHost: "local-1.compute.localhost" },
      ...{ createdAt, regionId: "local-1", disabled: false, poolerEnabled: false, poolerMode: "transaction" },
      passwordlessAccess: true,
      __managed: [
        ...["projectId", "type", "branchId", "autoscalingLimitMinCu", "autoscalingLimitMaxCu", "settings"],
        ...["suspendTimeoutSeconds", "settings.pgSettings.jit"],
      ],
    };
    const read = await bed.handlers(variant).read(id, state, { urn: own.__urn, inputs });
    // A later version adds its new arguments, and leaves the others alone.
    expect(read.props).toEqual({ ...argumentsOf(bed.emulator.endpoint(id).endpoint), ...state });
    const run = bed.handlers(variant);
    const checked = await run.check(inputs, { ...inputs, ...text });
    expect(checked).toEqual({ inputs, failures: [] });
    expect((await run.diff(id, state, checked.inputs)).changes).toBe(false);
    expect(bed.takeWrites()).toEqual([]);
    await bed.handlers(variant).delete(id, state);
    expect(bed.takeWrites()).toEqual(["deleteEndpoint"]);
  });
});

describe("a state that moves to the plugin", () => {
  it("keeps its secrets marked, and loses its hidden members with the next step", async () => {
    const moved = bed.declared({ branchId: secret(bed.branchId) });
    const hidden = {
      __provider: "text",
      __urn: urnOf("dynamic", "db"),
      __organization: "acme",
      __secrets: ["branchId"],
    };
    const { id, outs } = await bed.handlers("dynamic").create(bed.declared(hidden));
    const [urn, run] = [urnOf("native", "db"), bed.plugin()];
    const { inputs } = await run.check({ urn, olds: bed.declared(hidden), news: moved });
    expect(inputs).toEqual(moved);
    expect(await run.diff({ urn, olds: outs, news: inputs })).toMatchObject({ changes: false });
    const seen = await run.read({ urn, id, properties: outs, inputs });
    const news = { ...inputs, ...size(2) };
    const changed = await run.update({ urn, olds: outs, news, preview: false, timeout: 0 });
    for (const { properties } of [seen, changed]) {
      expect(properties).toMatchObject({ branchId: secret(bed.branchId), __urn: urn });
      for (const name of ["__provider", "__secrets", "__organization"])
        expect(properties).not.toHaveProperty(name);
    }
  });

  it.each(["in the run that moves it", "in a later run"])(
    "still deletes its adopted compute %s",
    async (when) => {
      const adopt = bed.byHand();
      const declared = bed.declared({ type: "read_only", adopt });
      const hidden = { __urn: urnOf("dynamic", "db"), __organization: "acme" };
      const { id, outs } = await bed.handlers("dynamic").create({ ...declared, ...hidden });
      const [urn, run] = [urnOf("native", "db"), bed.plugin()];
      await run.check({ urn, olds: { ...declared, ...hidden }, news: declared });
      expect((await run.diff({ urn, olds: outs, news: declared })).changes).toBe(false);
      const isLater = when === "in a later run";
      const { properties } = isLater
        ? await bed.plugin().read({ urn, id, properties: outs, inputs: declared })
        : { properties: outs };
      await bed.plugin().delete({ urn, properties, timeout: 0 });
      expect(bed.said.join()).not.toContain("not deleted");
      expect(bed.computes()).toEqual([]);
    },
  );
});
