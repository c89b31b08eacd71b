import { fixedSize } from "../../../provider/sizes";
import { createStack, type TestStack } from "../../support/stack";

const up = ["up", "--yes", "--skip-preview"];

describe("a compute is imported", () => {
  let stack: TestStack;
  let appId: string;
  const args = (more: object = {}): Record<string, unknown> => ({
    projectId: stack.projectId,
    branchId: stack.defaultBranchId,
    type: "read_only",
    ...fixedSize(0.25),
    ...more,
  });
  const urn = "urn:pulumi:test::tested::compute:index:Endpoint::app";

  beforeAll(async () => {
    stack = await createStack({ variant: "native" });
    stack.declare({ app: { args: args() } });
    await stack.ok(up);
    appId = (await stack.stateOf("app"))!.id;
  });
  afterAll(() => stack.close());
  const forget = (): Promise<unknown> => stack.ok(["state", "delete", urn, "--yes", "--force"]);

  it("by the command, with its project's id, and needs nothing changed afterwards", async () => {
    await forget();
    const words = ["import", "compute:index:Endpoint", "app"];
    const options = ["--yes", "--generate-code=false", "--protect=false"];
    const refused = await stack.pulumi([...words, appId, ...options]);
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain(`pulumi import compute:index:Endpoint NAME PROJECT/${appId}`);
    await stack.ok([...words, `${stack.projectId}/${appId}`, ...options]);
    const { inputs } = (await stack.stateOf("app"))!;
    expect(inputs).toMatchObject({ ...args(), poolerEnabled: false, suspendTimeoutSeconds: 0 });
    stack.declare({ app: { args: inputs } });
    await stack.ok(["preview", "--expect-no-changes"]);
    stack.declare({ app: { args: args() } });
    await stack.ok(["preview", "--expect-no-changes"]);
  });

  it("by the option, which is read once: left in the program, it deletes nothing", async () => {
    await forget();
    const opts = { import: `${stack.projectId}/${appId}` };
    stack.declare({ app: { args: args(fixedSize(1)), opts } });
    const { output } = await stack.ok(up);
    expect(output).toContain("restart: size 0.25 → 1 CU");
    // The engine has forgotten by now what it imported, and would replace the compute by itself.
    const refused = await stack.pulumi(["preview"]);
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain("this resource has it already. Remove the option `import` from it");
    stack.declare({ app: { args: args(fixedSize(1)) } });
    await stack.ok(["preview", "--expect-no-changes"]);
    expect(stack.emulator.endpoint(appId).endpoint.id).toBe(appId);
  });

  it("without being deleted as its own original where it is not read first", async () => {
    await forget();
    const unread = { COMPUTE_REFRESH_BEFORE_UPDATE: "false" };
    const opts = { import: `${stack.projectId}/${appId}` };
    stack.declare({ app: { args: args(fixedSize(2)), opts } });
    await stack.ok(up, unread);
    const { output } = await stack.ok(up, unread);
    expect(output).toContain(
      `Compute ${appId} is not deleted: its own \`adopt\` or \`import\` took it over again`,
    );
    expect(stack.emulator.endpoint(appId).endpoint.id).toBe(appId);
    stack.declare({ app: { args: args(fixedSize(2)) } });
    await stack.ok(["preview", "--expect-no-changes"], unread);
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
  });
});
