import { messageOf } from "../../../../provider/pure/errors";
import { variants, type Variant } from "../../../support/variants";
import type { RunOptions } from "../../../support/miniEngine";
import { answers, openBench, size, type Bench } from "./bench";
import { openEngine } from "./stack";

type Values = Readonly<Record<string, unknown>>;

interface Previewing {
  readonly bench: Bench;
  /** What the preview of two new computes says, with its severity: `error` where it fails. */
  readonly preview: (how?: RunOptions) => Promise<readonly string[]>;
}

async function open(
  variant: Variant,
  { apiKey, projectId }: { readonly apiKey?: string; readonly projectId?: string } = {},
): Promise<Previewing> {
  const bench = await openBench();
  const engine = openEngine(bench, variant, apiKey === undefined ? {} : { apiKey });
  const place = { projectId: projectId ?? bench.projectId, ...size(1) };
  const program = {
    db: { args: { ...place, branchId: bench.branchId } },
    other: { args: { ...place, branchId: bench.emptyBranch() } },
  };
  return {
    bench,
    preview: async (how = {}) => {
      const { failures } = await engine.up(program, { isPreview: true, ...how });
      return [...engine.said, ...failures.map((failure) => `error: ${messageOf(failure)}`)];
    },
  };
}

describe.each(variants)("a preview that the service does not answer, with the %s variant", (variant) => {
  it.each([
    {
      reason: "the key is refused, in the words of the update's error",
      is: { apiKey: "another-key" },
      says: /^error: .*The service refuses the key: listing the computes of project \S+: the service answered 401.*Check the API key: COMPUTE_API_KEY/,
    },
    {
      reason: "the key may not do this",
      is: { status: 403 },
      says: /^error: .*The service refuses the key: .*answered 403.*Ask for a key that may do/,
    },
    {
      reason: "the service does not know the project",
      is: { projectId: "no-such-project" },
      says: /^error: (?!.*listing).*The service knows no project no-such-project: the service answered 404.*Check the project/,
    },
  ])("fails once where $reason", async ({ is: { status, ...place }, says }) => {
    const { bench, preview } = await open(variant, place);
    if (status !== undefined) bench.emulator.addFault({ kind: "status", status, times: 100 });
    expect(await preview()).toEqual([expect.stringMatching(says)]);
  });

  it("warns once of an outage, which may be over before the update", async () => {
    const { bench, preview } = await open(variant);
    bench.emulator.addFault({ kind: "status", status: 500, times: 1_000 });
    const said = await preview();
    expect(said).toEqual([
      expect.stringMatching(
        /^warning: The service could not be asked, so nothing was checked there: listing the computes of project \S+: the service answered 500/,
      ),
    ]);
  });

  it("says nothing with compute:liveFacts false", async () => {
    const { bench, preview } = await open(variant);
    bench.emulator.addFault({ kind: "status", status: 401, times: 1_000 });
    expect(await preview({ stack: { "compute:liveFacts": "false" } })).toEqual([]);
  });
});

describe("the judgement of a preview that the service does not answer", () => {
  const old = size(1);
  it.each<[reason: string, before: Values | undefined, now: Values, verdict: Values]>([
    ["a new compute, whose branch it looks at", undefined, {}, { effect: "none", unasked: true }],
    ["a change that interrupts", old, size(2), { effect: "restart", unasked: true }],
    ["an adoption", undefined, { ...size(2), adopt: "ep-a" }, { effect: "restart", unasked: true }],
    [
      "not a change that asks nothing",
      { ...old, suspendTimeoutSeconds: 300 },
      { ...old, suspendTimeoutSeconds: 600 },
      { effect: "none", unasked: undefined },
    ],
  ])("says so of %s", async (...[, before, now, verdict]) => {
    const bench = await openBench();
    bench.spoil("listEndpoints", answers(500, { times: 1_000 }));
    const olds = before === undefined ? {} : bench.declared(before);
    const declared = { ...bench.declared(now), __dryRun: true };
    const { inputs } = await bench.process().handlers.check({ ...olds }, declared);
    const { effect, unasked } = inputs["__verdict"] as { effect: string; unasked?: boolean };
    expect({ effect, unasked }).toEqual(verdict);
  });
});
