import { sampledCycles } from "./cases";
import { openVictim, type Victim } from "./killing";

jest.setTimeout(180_000);

describe("kill -9, then `pulumi cancel` and the same command", () => {
  let victim: Victim;

  beforeAll(async () => {
    victim = await openVictim();
  });
  afterAll(() => victim.close());

  it.each(sampledCycles)("leaves one compute and no process: $name", async (cycle) => {
    const outcomes = await victim.run(cycle);
    expect(outcomes.map(({ ended }) => ended)).not.toContain("not reached");
  });
});
