import { sharedBehind } from "../../../support/extent";
import type { Variant } from "../../../support/variants";
import { openBench } from "./bench";
import { openEngine } from "./stack";

const count = 45;

interface Sent {
  /** From the first request of a create to the last. */
  readonly seconds: number;
  readonly refused: number;
  readonly computes: number;
}

/** Creates replicas side by side. */
async function createAll(variant: Variant, stack: Readonly<Record<string, string>>): Promise<Sent> {
  const bench = await openBench();
  const { emulator, projectId, branchId } = bench;
  const engine = openEngine(bench, variant);
  const args = { projectId, branchId, type: "read_only" };
  const names = Array.from({ length: count }, (_, index) => `r${index}`);
  await engine.up(Object.fromEntries(names.map((name) => [name, { args }])), { stack });
  const creates = emulator.requests().filter(({ route }) => route === "createEndpoint");
  const refused = creates.filter(({ status }) => status === 429).length;
  return {
    seconds: Math.floor((creates.at(-1)!.atMs - creates[0]!.atMs) / 1_000),
    refused,
    computes: bench.computes().length,
  };
}

describe.each(sharedBehind("native"))("compute:requestsPerMinute, with the %s variant", (variant) => {
  it.each([
    ["36 in each second where it is not set", {}, 1],
    ["the same where it is the default", { "compute:requestsPerMinute": "680" }, 1],
    ["four in each second where a minute takes 60", { "compute:requestsPerMinute": "60" }, 11],
    ["more at once where a minute takes more", { "compute:requestsPerMinute": "2000" }, 0],
    ["all at once without a limit", { "compute:requestsPerMinute": "0" }, 0],
  ])("lets creates go: %s", async (_reason, stack, seconds) => {
    expect(await createAll(variant, stack)).toEqual({ seconds, refused: 0, computes: count });
  });
});
