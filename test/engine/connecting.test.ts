import { writeFileSync } from "node:fs";
import path from "node:path";
import { filesBelow, leaksInFiles } from "../support/leaks";
import { createStack, variants, programAt, type TestStack } from "../support/stack";

const up = ["up", "--yes", "--skip-preview"];
const password = "Hidden-password/1";

describe.each(variants)("a program that connects to a primary, with the %s variant", (variant) => {
  let stack: TestStack;
  const declare = (more: object): void => {
    const text = JSON.stringify({ projectId: stack.projectId, branchId: stack.defaultBranchId, ...more });
    writeFileSync(path.join(stack.folder, "resources.json"), text);
  };

  beforeAll(async () => {
    stack = await createStack({
      variant,
      program: programAt(path.join(__dirname, "programs/connecting.js")),
    });
    await stack.ok(["config", "set", "--secret", "password", password]);
  });
  afterAll(() => stack.close());

  it("has its connection string as a secret, by the service's rule for pooled hosts", async () => {
    declare({ pooled: true });
    const rule = { COMPUTE_POOLED_HOST: "neon" };
    const { output } = await stack.ok(up, rule);
    expect(output).toMatch(/url\s*: \[secret\]/);
    const { stdout } = await stack.ok(["stack", "output", "--json", "--show-secrets"]);
    const { endpoint } = stack.emulator.endpoints(stack.projectId)[0]!;
    const host = endpoint.host.replace(".", "-pooler.");
    expect(JSON.parse(stdout)).toEqual({
      primaryId: endpoint.id,
      url: `postgresql://app:Hidden-password%2F1@${host}/shop`,
    });
    expect(leaksInFiles(filesBelow(stack.folder), "Hidden-password")).toEqual([]);
    await stack.ok(["preview", "--expect-no-changes"], rule);
  });

  it("fails its preview where no rule is configured, in one sentence with the setting", async () => {
    declare({ pooled: true });
    const { code, output } = await stack.pulumi(["preview"]);
    expect(code).not.toBe(0);
    expect(output).toContain(
      "neither compute:pooledHost nor COMPUTE_POOLED_HOST says what the service calls",
    );
    expect(output).not.toMatch(/\bat \w+ \(.*connectionString/);
  });

  it("fails its preview where the branch has no primary, with the ids and what to do", async () => {
    const branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    declare({ branchId });
    const { code, output } = await stack.pulumi(["preview"]);
    expect(code).not.toBe(0);
    expect(output).toContain(
      `looking up the primary of branch ${branchId}: project ${stack.projectId} has no compute there. Check the two ids`,
    );
  });
});
