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
    expect(refused.output).toMatch(/adopt: "ep-.*a renamed resource \(aliases\)/);
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

  it("stays at the service when the resource that adopted it goes, and the former holder's row says so", async () => {
    const id = await seeOld();
    const { output } = await up({ heir: { args: args({ adopt: id }) } });
    expect(output).toMatch(new RegExp(`Compute ${id} is not deleted: .* set retainOnDelete: false there`));
    expect(await up({})).toMatchObject({ code: 0 });
    expect(computes()).toEqual([id]);
    // As that row says.
    expect(await up({ heir: adopting(id) })).toMatchObject({ code: 0 });
    expect(await up({})).toMatchObject({ code: 0 });
    expect(computes()).toEqual([]);
  });

  it("is refused to two resources that adopt it, by both names", async () => {
    const { id } = stack.emulator.createEndpoint(stack.projectId, {
      branch_id: branchId,
      type: "read_write",
    }).endpoint;
    const adopted = adopting(id);
    for (const words of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      stack.declare({ first: adopted, second: adopted });
      const { code, output } = await stack.pulumi(words);
      expect(code).not.toBe(0);
      expect(output).toMatch(
        /resource "(first|second)" and resource "(first|second)" of this program both hold/,
      );
    }
    // Where the first was taken over before the second was refused, it stays with one of them.
    expect(await up({ first: adopted })).toMatchObject({ code: 0 });
    expect(computes()).toEqual([id]);
  });

  it.each(
    casesFor(variant, [
      { reason: "declared before it", order: ["old", "heir"] },
      { reason: "declared after it", order: ["heir", "old"] },
    ]),
  )("is refused to a second resource, and handed over once the first is gone: $reason", async ({ order }) => {
    const id = await seeOld();
    const resources: Declared = { old: { args: args() }, heir: adopting(id) };
    const both = Object.fromEntries(order.map((name) => [name, resources[name]!]));
    const refused = await preview(both);
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

  it("is not called anybody's leftover where a replica is renamed without an alias", async () => {
    const replica = { args: args({ type: "read_only" }) };
    expect(await up({ old: replica })).toMatchObject({ code: 0 });
    for (const words of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      stack.declare({ renamed: replica });
      const { output } = await stack.ok(words);
      expect(output).not.toMatch(/warning|adopt|killed run/);
    }
    expect(computes()).toEqual([await idOf("renamed")]);
  });

  it.each(casesFor(variant, [{ order: ["second", "old"] }, { order: ["old", "second"] }]))(
    "has its branch to itself: a second primary is refused with the advice to remove one of two, in the order $order",
    async ({ order }) => {
      const id = await seeOld();
      const refused = await preview(Object.fromEntries(order.map((name) => [name, { args: args() }])));
      expect(refused.code).not.toBe(0);
      // Which of the two is checked first is the engine's to say: the second is not known yet then.
      expect(refused.output).toMatch(
        /resource "(old|second)" and resource "(old|second)" of this program both declare it|If another resource of this program declares it, remove one of the two/,
      );
      expect(refused.output).toMatch(/[Rr]emove one of the two/);
      stack.declare({ old: { args: args() } });
      await stack.ok(["preview", "--expect-no-changes"]);
      expect(computes()).toEqual([id]);
    },
  );

  it("does not leave the state for a gateway's 404, but for its project in a run that is told so", async () => {
    const id = await seeOld();
    const body = { message: "no Route matched with those values" };
    const missing = { kind: "status", status: 404, body, times: 1_000 } as const;
    stack.emulator.addFault({ ...missing, route: "listEndpoints" });
    stack.emulator.addFault({ ...missing, route: "deleteEndpoint" });
    for (const words of [
      ["refresh", "--yes"],
      ["destroy", "--yes", "--skip-preview"],
    ]) {
      const { code, output } = await stack.pulumi(words);
      expect(code).not.toBe(0);
      expect(output).toMatch(/http:\S+ knows no project \S+ \(.*COMPUTE_MISSING_PROJECT=gone/);
      await expect(idOf("old")).resolves.toBe(id);
    }
    await stack.ok(["refresh", "--yes"], { COMPUTE_MISSING_PROJECT: "gone" });
    await expect(stack.stateOf("old")).resolves.toBeUndefined();
    stack.emulator.clearFaults();
    stack.emulator.deleteEndpoint(id);
  });

  it("that does not exist cannot be read", async () => {
    const { code, output } = await up({
      seen: { args: { projectId: stack.projectId }, get: "ep-of-nobody-1" },
    });
    expect(code).not.toBe(0);
    expect(output).toMatch(
      /reading compute ep-of-nobody-1: project \S+ has no such compute\. Correct the two ids/,
    );
  });
});
