import { createStack, variants, type Declared, type Variant, type TestStack } from "../support/stack";

/** Both variants hold computes by the same calls: of the native one, the first of alike cases is tried. */
function casesFor<Case>(variant: Variant, cases: readonly Case[]): readonly Case[] {
  return variant === "native" ? cases.slice(0, 1) : cases;
}

describe.each(variants)("a compute with the %s variant", (variant) => {
  let stack: TestStack;
  let branchId: string;

  const args = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
    projectId: stack.projectId,
    branchId,
    ...more,
  });
  /** A resource that deletes what it adopted, so that a destroy leaves nothing. */
  const adopting = (id: string): Declared[string] => ({
    args: args({ adopt: id }),
    opts: { retainOnDelete: false },
  });
  const idOf = async (name: string): Promise<string> => (await stack.stateOf(name))?.id ?? "";
  const computes = (): string[] =>
    stack.emulator
      .endpoints(stack.projectId)
      .filter(({ endpoint }) => endpoint.branch_id === branchId)
      .map(({ endpoint }) => endpoint.id);
  const up = (resources: Declared, environment?: NodeJS.ProcessEnv): ReturnType<TestStack["pulumi"]> => {
    stack.declare(resources);
    return stack.pulumi(["up", "--yes", "--skip-preview"], environment);
  };
  const preview = (resources: Declared): ReturnType<TestStack["pulumi"]> => {
    stack.declare(resources);
    return stack.pulumi(["preview"]);
  };

  beforeAll(async () => {
    stack = await createStack({ variant });
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    stack.emulator.clearFaults();
  });
  afterEach(async () => {
    stack.declare({});
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
    expect(computes()).toEqual([]);
  });

  const seeOld = async (environment?: NodeJS.ProcessEnv): Promise<string> => {
    expect(await up({ old: { args: args() } }, environment)).toMatchObject({ code: 0 });
    return idOf("old");
  };

  it("keeps its id under a new name, with the alias that the refusal names first", async () => {
    const id = await seeOld();
    const refused = await up({ renamed: { args: args() } });
    expect(refused.output).toContain("if this one was renamed, add the option aliases");
    const renamed = await up({ renamed: { args: args(), opts: { aliases: [{ name: "old" }] } } });
    expect(renamed).toMatchObject({ code: 0 });
    expect(renamed.output).toMatch(/2 unchanged/);
    await expect(idOf("renamed")).resolves.toBe(id);
  });

  it.each(
    casesFor(variant, [
      { reason: "where a sibling failed in the run that took it over", words: ["up"], fails: true },
      { reason: "where a later run asks for no diff", words: ["destroy", "--target"], fails: true },
      { reason: "where the run that took it over had a target", words: ["up"], fails: false },
    ]),
  )("is never deleted for the resource that had it before: $reason", async ({ words, fails }) => {
    // Where a compute is read first, the engine refuses a target that is not in the state yet.
    const id = await seeOld({ COMPUTE_REFRESH_BEFORE_UPDATE: "false" });
    const { urn } = (await stack.stateOf("old"))!;
    const renamed = adopting(id);
    const sibling = { args: args({ type: "read_only" }) };
    if (fails) {
      stack.emulator.addFault({ kind: "status", status: 400, route: "createEndpoint", times: 9 });
      expect(await up({ renamed, sibling })).not.toMatchObject({ code: 0 });
    } else {
      stack.declare({ renamed });
      const target = urn.replace("::old", "::renamed");
      await stack.ok(["up", "--yes", "--skip-preview", "--target", target]);
    }
    await expect(idOf("renamed")).resolves.toBe(id);
    await expect(idOf("old")).resolves.toBe(id);

    stack.declare({ renamed });
    const target = words[1] === undefined ? [] : [words[1], urn];
    const { output } = await stack.ok([words[0]!, "--yes", "--skip-preview", ...target]);
    expect(output).toMatch(new RegExp(`Compute ${id} is not deleted: (resource "renamed"|another resource)`));
    expect(computes()).toEqual([id]);
    await expect(stack.stateOf("old")).resolves.toBeUndefined();
    await stack.ok(["preview", "--expect-no-changes"]);
  });

  it("that was adopted is deleted by its own destroy after the stack was renamed, and read since", async () => {
    const { id } = stack.emulator.createEndpoint(stack.projectId, {
      branch_id: branchId,
      type: "read_write",
    }).endpoint;
    expect(await up({ heir: adopting(id) })).toMatchObject({ code: 0 });
    await stack.ok(["stack", "rename", "renamed"]);
    try {
      await stack.ok(["refresh", "--yes", "--skip-preview"]);
      const { output } = await stack.ok(["destroy", "--yes", "--skip-preview"]);
      expect(output).not.toContain("is not deleted");
      expect(computes()).toEqual([]);
    } finally {
      await stack.ok(["stack", "rename", "test"]);
    }
  });

  it("is refused to a second resource, and handed over once the first is gone", async () => {
    const id = await seeOld();
    const resources: Declared = { old: { args: args() }, heir: adopting(id) };
    const refused = await preview(resources);
    expect(refused.code).not.toBe(0);
    expect(refused.output).toMatch(
      /resource "(heir|old)" and resource "(heir|old)" of this program both (hold|declare) it/,
    );
    expect(refused.output).toContain("Remove one of the two");
    stack.declare({ old: resources["old"]! });
    await stack.ok(["preview", "--expect-no-changes"]);
    expect(await up({ heir: resources["heir"]! })).toMatchObject({ code: 0 });
    await expect(idOf("heir")).resolves.toBe(id);
    expect(computes()).toEqual([id]);
  });
});
