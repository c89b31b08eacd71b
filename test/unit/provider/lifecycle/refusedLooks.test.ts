import { variants, type Variant } from "../../../support/variants";
import { createMiniEngine, type RunOptions } from "../../../support/miniEngine";
import { closeBenches, openBench, size, type Bench } from "./bench";

afterEach(closeBenches);

interface Previewing {
  readonly bench: Bench;
  /** What the preview of two new computes says, with its severity. */
  readonly preview: (how?: RunOptions) => Promise<readonly string[]>;
}

async function open(
  variant: Variant,
  { apiKey, projectId }: { readonly apiKey?: string; readonly projectId?: string } = {},
): Promise<Previewing> {
  const bench = await openBench();
  const { emulator, clock } = bench;
  const engine = createMiniEngine({
    variant,
    baseUrl: emulator.url,
    apiKey: apiKey ?? emulator.apiKey,
    clock,
  });
  const place = { projectId: projectId ?? bench.projectId, ...size(1) };
  const program = {
    db: { args: { ...place, branchId: bench.branchId } },
    other: { args: { ...place, branchId: bench.emptyBranch() } },
  };
  return {
    bench,
    preview: async (how = {}) => {
      const { failures } = await engine.up(program, { isPreview: true, ...how });
      expect(failures).toEqual([]);
      return engine.said;
    },
  };
}

describe.each(variants)("a preview that the service refuses to answer, with the %s variant", (variant) => {
  it("warns once that the key is refused, in the words of the update's error", async () => {
    const { preview } = await open(variant, { apiKey: "another-key" });
    expect(await preview()).toEqual([
      expect.stringMatching(
        /^warning: The service refuses the key, so nothing was checked there, and the update will fail: listing the computes of project \S+: the service answered 401.*Check the API key: COMPUTE_API_KEY/,
      ),
    ]);
  });

  it("says the same of a key that may not do this", async () => {
    const { bench, preview } = await open(variant);
    bench.emulator.addFault({ kind: "status", status: 403, times: 100 });
    expect(await preview()).toEqual([
      expect.stringMatching(/^warning: The service refuses the key.*answered 403.*Ask for a key that may do/),
    ]);
  });

  it("warns once of a project that the service does not know", async () => {
    const { preview } = await open(variant, { projectId: "no-such-project" });
    expect(await preview()).toEqual([
      expect.stringMatching(
        /^warning: The service knows no project no-such-project, so .*answered 404.*Check the project/,
      ),
    ]);
  });

  it("stays quiet where the service fails, and where nothing is asked", async () => {
    const { bench, preview } = await open(variant);
    bench.emulator.addFault({ kind: "status", status: 500, times: 1_000 });
    expect(await preview()).toEqual([]);
    bench.emulator.clearFaults();
    bench.emulator.addFault({ kind: "status", status: 401, times: 1_000 });
    expect(await preview({ stack: { "compute:liveFacts": "false" } })).toEqual([]);
  });
});
