import { writeFileSync } from "node:fs";
import path from "node:path";
import { startEmulator, type Emulator } from "../../../emulator";
import { filesBelow, leaksInFiles } from "../../support/leaks";
import { createStack, programAt, type TestStack } from "../../support/stack";

const up = ["up", "--yes", "--skip-preview"];

describe("a stack with computes of two accounts", () => {
  let stack: TestStack;
  let other: Emulator;
  const otherKey = "key-of-the-other-account";

  beforeAll(async () => {
    other = await startEmulator({ operationMs: 20, apiKey: otherKey });
    const program = programAt(path.join(__dirname, "../programs/accounts.js"));
    stack = await createStack({ variant: "native", program });
  });
  afterAll(async () => {
    await other.close();
    await stack.close();
  });

  it("has a provider for each, looks things up through it, and keeps the keys encrypted", async () => {
    const elsewhere = other.createProject();
    const accounts = {
      own: {
        apiKey: stack.emulator.apiKey,
        baseUrl: stack.emulator.url,
        projectId: stack.projectId,
        branchId: stack.defaultBranchId,
      },
      other: {
        apiKey: otherKey,
        baseUrl: other.url,
        projectId: elsewhere.project.id,
        branchId: elsewhere.branch.id,
        requestsPerMinute: 600,
        liveFacts: false,
      },
    };
    const declare = (declared: object): void => {
      writeFileSync(path.join(stack.folder, "resources.json"), JSON.stringify(declared));
    };
    declare(accounts);
    // A third account: none of the two may come from it.
    const environment = { COMPUTE_API_KEY: "key-of-nobody", COMPUTE_BASE_URL: "http://127.0.0.1:9" };
    const { output } = await stack.ok(up, environment);
    expect(output).toMatch(/ownState\s*: "active"/);
    expect(output).toMatch(/otherState\s*: "active"/);
    expect(output).toContain("start_compute");
    const replicas = (emulator: Emulator, projectId: string): number =>
      emulator.endpoints(projectId).filter(({ endpoint }) => endpoint.type === "read_only").length;
    expect([replicas(stack.emulator, stack.projectId), replicas(other, elsewhere.project.id)]).toEqual([
      1, 1,
    ]);
    const written = filesBelow(stack.folder).filter((file) => !file.endsWith("resources.json"));
    expect(leaksInFiles(written, otherKey)).toEqual([]);
    await stack.ok(["preview", "--expect-no-changes"], environment);
    declare({ ...accounts, other: { ...accounts.other, requestsPerMinute: -1 } });
    const wrong = await stack.pulumi(["preview"], environment);
    expect(wrong.code).not.toBe(0);
    expect(wrong.output).toMatch(/argument requestsPerMinute: it is "-1"\. Set it to a whole number from 0/);
    declare({ ...accounts, other: { ...accounts.other, apikey: "key-under-a-wrong-name" } });
    const misspelt = await stack.pulumi(["preview"], environment);
    expect(misspelt.code).not.toBe(0);
    expect(misspelt.output).toContain(
      "reading the provider's argument apikey: there is no such setting. Write apiKey.",
    );
    expect(misspelt.output).not.toContain("key-under-a-wrong-name");
    declare(accounts);
    await stack.ok(["destroy", "--yes", "--skip-preview"], environment);
    expect(replicas(other, elsewhere.project.id)).toBe(0);
  });
});
