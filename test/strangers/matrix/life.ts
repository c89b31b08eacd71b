/** What each program of the matrix goes through, at a control plane of its own; each step is a column. */
import { createStack, type TestStack } from "../../support/stack";
import { computes } from "./program";

export interface Life {
  /** @returns the folder of the program, ready for `pulumi`. */
  readonly prepare: () => string;
  /** What commands have in their environment, given the stack's own. */
  readonly environment?: (own: NodeJS.ProcessEnv) => NodeJS.ProcessEnv;
}

export function comesUpAndGoesAway({ prepare, environment = (): NodeJS.ProcessEnv => ({}) }: Life): void {
  let stack: TestStack;
  const run = async (words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> =>
    (await stack.ok(words, { ...environment(stack.environment), ...more })).output;

  beforeAll(async () => {
    stack = await createStack({ program: prepare });
    const branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    for (const [key, value] of Object.entries({ projectId: stack.projectId, branchId }))
      await stack.ok(["config", "set", key, value]);
  });
  afterAll(() => stack.close());

  it("up", async () => {
    const told = await run(["up", "--yes", "--skip-preview"], { PULUMI_NODEJS_TRANSPILE_ONLY: "false" });
    expect(told).not.toContain("warning: ");
    expect(sizes(stack)).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(await paths(stack)).toEqual([...computes].sort());
  });

  it("preview's notice", async () => {
    await stack.ok(["config", "set", "size", "large"]);
    const told = await run(["preview", "--diff"]);
    expect(told.match(/^ *warning: restart: size 0\.25 → 1 CU drops open connections/gm)).toHaveLength(4);
    expect(told).toMatch(/~ 4 to update\n/);
  });

  it("destroy", async () => {
    expect(sizes(stack)).toHaveLength(4);
    await run(["destroy", "--yes", "--skip-preview"]);
    expect(sizes(stack)).toEqual([]);
  });
}

/** The sizes of the computes on the program's branch, as the service has them. */
function sizes({ emulator, projectId, defaultBranchId }: TestStack): readonly number[] {
  return emulator
    .endpoints(projectId)
    .map(({ endpoint }) => endpoint)
    .filter((endpoint) => endpoint.branch_id !== defaultBranchId)
    .map((endpoint) => endpoint.autoscaling_limit_max_cu);
}

/** The computes of the state, each behind the components that it is in. */
async function paths(stack: TestStack): Promise<readonly string[]> {
  const { stdout } = await stack.ok(["stack", "export"]);
  const urns = [...stdout.matchAll(/"urn": "urn:pulumi:test::outside::(.*?)"/g)].map(([, rest]) => rest!);
  return urns
    .filter((urn) => /compute:(index:)?Endpoint::/.test(urn))
    .map((urn) => urn.replace(/^(.*\$)?[^$]*::/, "$1"))
    .map((urn) => urn.replaceAll("outside:index:", "").replace(/\$(?=[^$]*$)/, " "))
    .sort();
}
