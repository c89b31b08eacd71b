import { writeFileSync } from "node:fs";
import path from "node:path";
import { createStack, variants, programAt, type TestStack } from "../support/stack";

interface Preview {
  readonly steps: readonly { readonly op: string; readonly urn: string }[];
  readonly diagnostics?: readonly { readonly urn?: string; readonly message: string }[];
}

describe.each(variants)("a program of components, with the %s variant", (variant) => {
  let stack: TestStack;
  let branchId: string;
  const declare = (more: object = {}): void => {
    const args = { projectId: stack.projectId, branchId, name: "shop", aliases: [], cu: 0.25, replicas: 2 };
    writeFileSync(path.join(stack.folder, "resources.json"), JSON.stringify({ ...args, ...more }));
  };
  const computes = (): string[] =>
    stack.emulator
      .endpoints(stack.projectId)
      .map(({ endpoint }) => endpoint)
      .filter(({ branch_id }) => branch_id === branchId)
      .map(({ id, type, suspend_timeout_seconds }) => `${id} ${type} ${String(suspend_timeout_seconds)}`)
      .sort();
  const preview = async (): Promise<Preview> =>
    JSON.parse((await stack.ok(["preview", "--json"])).stdout) as Preview;

  beforeAll(async () => {
    stack = await createStack({
      variant,
      program: programAt(path.join(__dirname, "programs/components.js")),
    });
    branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
  });
  afterAll(() => stack.close());

  it("previews, comes up and then has no changes", async () => {
    declare();
    const { steps } = await preview();
    expect(steps.filter(({ urn }) => /compute:(index:)?Endpoint/.test(urn))).toHaveLength(3);
    await stack.ok(["up", "--yes", "--skip-preview"]);
    const made = computes().map((line) => line.replace(/^\S+ /, ""));
    expect(made).toHaveLength(3);
    expect(made.sort()).toEqual(["read_only 900", "read_only 900", "read_write 900"]);
    await stack.ok(["preview", "--expect-no-changes"]);
    await stack.ok(["refresh", "--yes", "--expect-no-changes"]);
  });

  it("has each notice on the row of its own compute", async () => {
    declare({ cu: 1 });
    const { steps, diagnostics } = await preview();
    const primary = steps.find(({ op }) => op === "update")?.urn ?? "";
    expect(primary).toMatch(
      /shop:index:Database\$(pulumi-nodejs:dynamic\/compute|compute:index):Endpoint::shop-primary$/,
    );
    const warned = (diagnostics ?? []).filter(({ message }) => message.includes("drops open connections"));
    expect(warned.map(({ urn }) => urn)).toEqual([primary]);
    declare();
  });

  it("keeps its computes where a component above them has another name", async () => {
    const before = computes();
    declare({ name: "store", aliases: [{ name: "shop" }] });
    const { steps } = await preview();
    expect(steps.filter(({ op }) => !["same", "refresh"].includes(op))).toEqual([]);
    await stack.ok(["up", "--yes", "--skip-preview"]);
    declare({ name: "store", replicas: 1 });
    await stack.ok(["up", "--yes", "--skip-preview"]);
    expect(computes()).toHaveLength(2);
    expect(before).toEqual(expect.arrayContaining(computes()));
  });

  it("leaves nothing behind", async () => {
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
    expect(computes()).toEqual([]);
  });
});
