/**
 * Runs examples/component as examples/component/README.md describes it: a company's component, two accounts, one program for all stacks.
 */
import path from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { copyOf } from "../support/examples";
import { useStack } from "../support/stack";
import { linkFolder } from "../support/systems";

/** Pulumi.yaml names the plugin by a path below its own folder. */
function installed(folder: string): string {
  const copy = copyOf("component")(folder);
  linkFolder(path.join(folder, "node_modules"), path.join(copy, "node_modules"));
  return copy;
}

describe("examples/component", () => {
  let reports: Emulator;
  const stack = useStack({ variant: "native", program: installed }, async () => {
    reports = await startEmulator({ operationMs: 20, apiKey: reportsKey });
  });
  afterAll(() => reports.close());
  const reportsKey = "key-of-the-reports";
  const sizes = (emulator: Emulator, projectId: string, branchId: string): readonly unknown[] =>
    emulator
      .endpoints(projectId)
      .filter(({ endpoint }) => endpoint.branch_id === branchId)
      .map(({ endpoint }) => [endpoint.type, endpoint.autoscaling_limit_max_cu])
      .sort();

  it("comes up in two accounts, forbids a restart in production, and keeps the key secret", async () => {
    const other = reports.createProject().project.id;
    const shop = stack.emptyBranch();
    const sales = reports.createBranch(other, { compute: false }).branch.id;
    const databases = {
      shop: { account: "main", projectId: stack.projectId, branchId: shop, cu: 1, replicas: 2 },
      sales: { account: "reports", projectId: other, branchId: sales, cu: 2, replicas: 0 },
    };
    const plain = Object.entries(databases).flatMap(([name, declared]) =>
      Object.entries(declared).flatMap(([key, value]) => [
        "--plaintext",
        `databases.${name}.${key}=${value}`,
      ]),
    );
    const secret = ["--secret", "signingKey=sign-1", "--secret", `reportsKey=${reportsKey}`];
    await stack.ok([
      ...["config", "set-all", "--path", ...plain, ...secret],
      ...["--plaintext", `reportsUrl=${reports.url}`],
    ]);
    await stack.up();
    expect(sizes(stack.emulator, stack.projectId, shop)).toEqual([
      ["read_only", 1],
      ["read_only", 1],
      ["read_write", 1],
    ]);
    expect(sizes(reports, other, sales)).toEqual([["read_write", 2]]);
    await stack.ok(["preview", "--expect-no-changes"]);
    expect((await stack.ok(["stack", "export"])).stdout).not.toContain("sign-1");

    await stack.ok(["config", "set", "production", "true"]);
    await stack.up();
    await stack.ok(["config", "set", "--path", "databases.shop.cu", "2"]);
    const refused = await stack.fails(["preview"]);
    expect(refused).toMatch(/restart: size \S+ → \S+ CU/);
    expect(refused).toContain(
      'This is forbidden here: onInterruption is "forbid" on this resource, set by the program or by a policy pack.',
    );
    await stack.ok(["config", "set", "--path", "databases.shop.interrupt", "true"]);
    expect((await stack.ok(["preview"])).output).toContain("warning: restart: size 1 → 2 CU");
  });
});
