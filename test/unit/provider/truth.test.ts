import { Clock, startEmulator, type Emulator } from "../../../emulator";
import type { EndpointInputs } from "../../../provider/model/inputs";
import { toCreateBody, toState, toUpdateBody, type EndpointState } from "../../../provider/model/state";
import { changeOf } from "../../../provider/model/interruption";
import { agrees, agreesWithTimes, both, receiptFor, worlds, type Request } from "../../support/receipts";
import { unknownValue } from "../../../provider/model/unknown";
import { toStateValues } from "../../../provider/model/stored";
import { reportOf } from "../../../preview/judge/report";
import { readPreview } from "../../../preview/input";
import { asksForRestart, branches, dimensions, sizePairsOf, type Values } from "../../support/argumentValues";
import { urnOf, type Variant } from "../../support/variants";
import { asMuchAs } from "../../support/extent";
import { wrongFiguresOn } from "../../support/figures";
import { createFakeClock } from "../../support/fakeClock";
import { openHandlers, type Handlers } from "../../support/providerHandlers";
import { argumentNames, effectOf, type ArgumentName } from "../../../provider/model/fields";

/**
 * Compares what a preview says with what then happens. For every pair of declarations, `check` and `diff` of each variant produce the
 * notice, and the change is applied to the control plane. The control plane's count of interruptions says whether the notices and
 * the receipt were true.
 *
 * In this test, the report judges the dynamic provider's change by the inputs, and the plugin's by the reasons of its diff.
 */

/** Both variants share the table of effects and the report: `npm test` tries only the plugin, with a part of the pairs. */
const { variants, every, everyOfOthers } = asMuchAs<{
  readonly variants: readonly Variant[];
  readonly every: number;
  readonly everyOfOthers: number;
}>({
  quick: { variants: ["native"], every: 37, everyOfOthers: 37 },
  full: { variants: ["dynamic", "native"], every: 1, everyOfOthers: 5 },
});

interface PlannedUpdate {
  readonly variant: Variant;
  readonly old: object;
  readonly outputs: object;
  readonly inputs: object;
  readonly reasons: readonly string[];
}

/** What the report says about one update in a preview: whether connections drop. */
function dropsIn({ variant, old, outputs, inputs, reasons }: PlannedUpdate): string {
  const [oldState, newState] = [
    { inputs: old, outputs },
    { inputs, outputs },
  ];
  const steps = [{ op: "update", urn: urnOf(variant, "db"), oldState, newState, diffReasons: reasons }];
  const report = reportOf(readPreview(Buffer.from(JSON.stringify({ steps, changeSummary: { update: 1 } }))));
  return report.computes[0]?.drops ?? "missing";
}

/** How many sizes the interface (2.1) and Neon have, fixed and autoscaling. */
const sizeCounts = { interface: 78, neon: 147 };

it("the test has values of every argument that an update can change", () => {
  const declared = Object.values(dimensions).flatMap((values) => values.flatMap(Object.keys));
  const isLeftOut = (name: ArgumentName): boolean => effectOf(name) === "replace" || name === "adopt";
  expect([...new Set(declared)].sort()).toEqual(argumentNames.filter((name) => !isLeftOut(name)).sort());
});

const title =
  "the notice of an interruption, and its receipt, on $service, with resize: $resize and restartedBy: $by";

describe.each(worlds)(title, ({ service, by, resize }) => {
  const onNeon = service === "neon";
  /** A notice does not depend on how the service carries out a change: for each other way, a part of the pairs is enough. */
  const isFirst = by === "start_compute";
  const manual = new Clock("manual");
  let emulator: Emulator;
  let projectId: string;
  let handlers: Readonly<Record<Variant, Handlers>>;
  /** The messages on the resource's row since a test last emptied this list. */
  let said: string[] = [];

  beforeAll(async () => {
    const stack = {
      "compute:apiKey": "local-key",
      "compute:baseUrl": "http://127.0.0.1:1",
      "compute:service": service,
      "compute:liveFacts": "false",
    };
    const onSaid = (message: string): void => void said.push(message);
    const clock = createFakeClock();
    const open = (variant: Variant): Handlers => openHandlers({ variant, clock, stack, onSaid });
    handlers = { dynamic: open("dynamic"), native: open("native") };
    emulator = await startEmulator({
      clock: manual,
      operationMs: 0,
      switches: { service, restartedBy: by, resize },
    });
    projectId = emulator.createProject().project.id;
    for (const id of branches) emulator.createBranch(projectId, { id, compute: false });
  });
  afterAll(() => emulator.close());

  interface Sides {
    readonly old: EndpointInputs;
    readonly next: EndpointInputs;
    readonly state: EndpointState;
  }

  /** What a variant says about a change: on its property, on its row and in the report. */
  async function previewOf(variant: Variant, { old, next, state }: Sides) {
    const urn = urnOf(variant, "db");
    const provider = handlers[variant];
    const before = { ...old, __urn: urn };
    const { inputs, failures } = await provider.check(before, { ...next, __urn: urn, __dryRun: true });
    expect(failures).toEqual([]);
    said = [];
    const outputs = toStateValues(state, { urn, secrets: [] });
    const { changes, told } = await provider.diff(state.endpointId, outputs, inputs);
    const reasons = told?.verdict === undefined ? [] : [told.verdict];
    const planned = { variant, old, outputs, inputs, reasons };
    // The engine shows only the properties that a plugin's diff names.
    const isShown = told === undefined || told.detailed["interruption"] !== undefined;
    return {
      notice: isShown ? (inputs["interruption"] as string | undefined) : undefined,
      warning: said[0]?.replace(/^warning: /, "") ?? "",
      drops: changes ? dropsIn(planned) : "no",
    };
  }

  /** Sends a change of a compute as an update does. @returns whether the change interrupted it, and the receipt. */
  function apply(id: string, { old, next, state }: Sides) {
    const change = changeOf(state, next);
    const body = toUpdateBody(next, change.changed);
    const interruptionsBefore = emulator.counters(id).interruptions;
    const isInterrupted = (): boolean => emulator.counters(id).interruptions > interruptionsBefore;
    const first = emulator.endpoint(id).endpoint;
    /** Sends one request. @returns its answer, and on Neon the compute before and after it. */
    const send = (request: () => ReturnType<Emulator["updateEndpoint"]>): Request => {
      manual.advance(1);
      const answer = request();
      return { answer, ...(onNeon && { before: first, after: emulator.endpoint(id).endpoint }) };
    };
    const isPatched = Object.keys(body).length > 0;
    const patched = isPatched ? send(() => emulator.updateEndpoint(id, { ...body })) : undefined;
    // A trigger asks for a restart if the compute runs, and nothing has interrupted it.
    const runs = [first, emulator.endpoint(id).endpoint].every(({ disabled }) => !disabled);
    const isDue = asksForRestart({ ...old }, { ...next }) && runs && !isInterrupted();
    const restarted = isDue ? send(() => emulator.restartEndpoint(id)) : undefined;
    const sent = restarted && patched ? both(patched, restarted) : (restarted ?? patched);
    return { interrupted: isInterrupted(), receipt: receiptFor(sent, change) };
  }

  /** Previews one change of a running replica, applies it, and compares what was said with what happened. */
  async function tryChange([before, after]: readonly [Values, Values]) {
    const [old, next] = [before, after].map(
      (values) =>
        ({ projectId, branchId: branches[0], type: "read_only", ...values }) as unknown as EndpointInputs,
    ) as [EndpointInputs, EndpointInputs];
    const { endpoint } = emulator.createEndpoint(projectId, { ...toCreateBody(old, "interface") });
    const seen = emulator.endpoint(endpoint.id).endpoint as unknown as Parameters<typeof toState>[0];
    const sides = { old, next, state: toState(seen, { inputs: old }) };
    const previews: Awaited<ReturnType<typeof previewOf>>[] = [];
    for (const variant of variants) previews.push(await previewOf(variant, sides));
    const { interrupted, receipt } = apply(endpoint.id, sides);
    emulator.deleteEndpoint(endpoint.id);
    const isTrue = onNeon ? agreesWithTimes(receipt, interrupted) : agrees(receipt, interrupted, by);
    const wrong = previews.flatMap((preview) => untruthsIn(preview, interrupted));
    const untrue = isTrue ? wrong : ["receipt", ...wrong];
    const says = previews.map(({ warning }) => (warning.startsWith("may ") ? "may" : warning && "certain"));
    return {
      says,
      wrong: untrue.map((what) => JSON.stringify({ what, before, after, interrupted, previews, receipt })),
    };
  }

  /** The row's text counts, because it is made from the old state, and the property only from the old declaration. */
  function untruthsIn(
    { notice, warning, drops }: Awaited<ReturnType<typeof previewOf>>,
    interrupted: boolean,
  ) {
    // A notice announces a restart, as the interface says, even for a service that then applies the size live.
    const isLive = resize === "live" && warning !== "" && !interrupted;
    const isFalse = warning !== "" && !warning.startsWith("may ") && !interrupted && !isLive;
    const isMissed = interrupted && (warning === "" || notice === undefined);
    const isWrongReport = drops === (interrupted ? "no" : "yes") && !isLive;
    return [
      ...(isFalse ? ["false"] : []),
      ...(isMissed ? ["missed"] : []),
      ...(isWrongReport ? ["report"] : []),
    ];
  }

  /** All pairs, or the evenly spread part of them that this run tries on this service. */
  function pairsOf(values: readonly Values[], spread = 1): readonly (readonly [Values, Values])[] {
    const all = values.flatMap((before) => values.map((after) => [before, after] as const));
    return all.filter((_pair, index) => index % (spread * (isFirst ? every : everyOfOthers)) === 0);
  }

  it("are true for every pair of sizes, fixed and autoscaling", async () => {
    // On Neon, interruptions are tried for every eleventh pair; below, the figures are compared for all of them.
    const spread = onNeon ? 11 : 1;
    const pairs = pairsOf(sizePairsOf(service), spread);
    expect(pairs.length).toBeGreaterThan(sizeCounts[service] ** 2 / spread / every / 6);
    for (const pair of pairs) {
      const { says, wrong } = await tryChange(pair);
      expect(wrong).toEqual([]);
      expect(says).toEqual(variants.map(() => (pair[0] === pair[1] ? "" : "certain")));
    }
  });

  const all = Object.entries(dimensions);
  // The other arguments have the same effects on Neon as on the interface.
  const pairings = (onNeon ? all.slice(0, 1) : all).flatMap(([left, lefts], index) =>
    all.slice(index + 1).map(([right, rights]) => {
      const values = lefts.flatMap((one) => rights.map((other) => ({ ...one, ...other })));
      return [left, right, pairsOf(values)] as const;
    }),
  );
  it.each(pairings)("are true for every pair of values of %s and %s", async (_left, _right, pairs) => {
    for (const pair of pairs) expect((await tryChange(pair)).wrong).toEqual([]);
  });

  it.each([
    [
      "a minimum",
      { autoscalingLimitMinCu: unknownValue },
      /^may restart: size \(value known only during the update\)/,
    ],
    ["a branch", { branchId: unknownValue }, /^may move: branchId \(value known only during the update\)/],
    [
      "a project",
      { projectId: unknownValue },
      /^may replace: projectId \(value known only during the update\)/,
    ],
  ])('say "may" for %s that is known only during the update', async (_reason, unknown, says) => {
    const stored = {
      projectId,
      branchId: "br-one",
      type: "read_only",
      autoscalingLimitMinCu: 1,
      autoscalingLimitMaxCu: 1,
    };
    for (const variant of variants) {
      const old = { ...stored, __urn: urnOf(variant, "db") };
      const { inputs, failures } = await handlers[variant].check(old, { ...old, ...unknown, __dryRun: true });
      expect(failures).toEqual([]);
      expect(inputs["interruption"]).toMatch(says);
    }
  });
});

describe.each(["interface", "neon"] as const)("the figures of a notice on %s", (service) => {
  it("are right for every pair of sizes, and no figure is missing", async () => {
    const { compared, wrong } = await wrongFiguresOn(service, every);
    expect(wrong).toEqual([]);
    expect(compared).toBe(Math.ceil(sizeCounts[service] ** 2 / every));
  });
});
