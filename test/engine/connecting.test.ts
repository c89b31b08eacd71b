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
});
