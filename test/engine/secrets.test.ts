import { fixedSize } from "../../provider/pure/sizes";
import { filesBelow, leaksInFiles, leaksInText } from "../support/leaks";
import { createStack, variants, type TestStack } from "../support/stack";

/** Long enough to be no part of anything else. */
const token = "hunter2-tok-4711";
const secret = (value: unknown): unknown => ({ $secret: value });

describe.each(variants)("a declared secret with the %s variant", (variant) => {
  let stack: TestStack;
  let branchId: string;
  let output = "";

  const declare = (more: Record<string, unknown>): void => {
    stack.declare({ app: { args: { projectId: stack.projectId, branchId, ...more } } });
  };
  const run = async (words: readonly string[], code: 0 | "error"): Promise<string> => {
    const result = await stack.pulumi(words);
    output += result.output;
    expect(`${result.code === 0 ? 0 : "error"} ${result.output}`).toMatch(new RegExp(`^${code} `));
    return result.output;
  };
  const up = (code: 0 | "error" = 0): Promise<string> => run(["up", "--yes", "--skip-preview"], code);

  beforeAll(async () => {
    stack = await createStack({ variant });
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    stack.emulator.clearFaults();
    output = "";
  });
  afterEach(async () => {
    // State, its backups and history, the journal: wherever a run writes, but for the program itself.
    const written = filesBelow(stack.folder).filter((file) => !file.endsWith("resources.json"));
    expect(leaksInFiles(written, token)).toEqual([]);
    expect(leaksInText("output", output, token)).toEqual([]);
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
  });

  it("is in no state after it is no longer declared", async () => {
    declare({ settings: { pgSettings: { "ext.token": secret(token) } } });
    await up();
    declare({});
    await up();
    declare({ suspendTimeoutSeconds: 900 });
    await up();
    await run(["refresh", "--yes"], 0);
  });

  it("is in no notice, also after a refresh", async () => {
    const elsewhere = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    declare({ branchId: secret(branchId), ...fixedSize(1) });
    await up();
    await run(["refresh", "--yes"], 0);
    declare({ branchId: secret(elsewhere), ...fixedSize(1) });
    const previewed = await run(["preview", "--diff"], 0);
    expect(previewed).toContain("move: branchId (secret) drops open connections");
    expect(previewed).not.toContain(branchId);
    expect(previewed).not.toContain(elsewhere);
    const written = filesBelow(stack.folder).filter((file) => !file.endsWith("resources.json"));
    expect(leaksInFiles(written, branchId)).toEqual([]);
  });

  it("is in no failure of a lookup", async () => {
    const args = { projectId: stack.projectId, branchId: secret(branchId), type: "read_only" };
    stack.declare({ app: { args, lookUp: true } });
    const failed = await up("error");
    expect(failed).toContain("looking up the primary of branch [redacted]: ");
    expect(failed).not.toContain(branchId);
    stack.declare({});
  });
});
