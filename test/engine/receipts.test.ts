/**
 * Receipts as users see them: what the row and the JSON of a real `pulumi up` say that a new size did.
 */
import { fixedSize } from "../../provider/pure/sizes";
import { createStack, variants, type TestStack } from "../support/stack";

const up = ["up", "--yes", "--skip-preview"];

/** One line of `pulumi up --json`. */
interface EngineEvent {
  readonly diagnosticEvent?: { readonly urn?: string; readonly severity: string; readonly message: string };
}

describe.each(variants)("the receipt of a new size, with the %s variant", (variant) => {
  let stack: TestStack;

  beforeAll(async () => {
    const switches = { service: "neon", restartedBy: "apply_config" } as const;
    stack = await createStack({ variant, switches });
    declare(1);
    await stack.ok(up, environment);
  });
  afterAll(() => stack.close());

  const environment = { COMPUTE_SERVICE: "neon" };
  function declare(cu: number): void {
    const { projectId, defaultBranchId: branchId } = stack;
    stack.declare({ app: { args: { projectId, branchId, type: "read_only", ...fixedSize(cu) } } });
  }
  const startedAt = async (): Promise<string> => {
    const { id = "" } = (await stack.stateOf("app")) ?? {};
    return stack.emulator.endpoint(id).endpoint.started_at ?? "";
  };

  it.each([
    {
      resize: "restarts",
      sizes: [2, 3],
      isRestarted: true,
      says: (at: string) => `restarted at ${at}, as announced`,
    },
    {
      resize: "live",
      sizes: [4, 5],
      isRestarted: false,
      says: (at: string) => `not restarted (running since ${at}); a restart was announced`,
    },
  ] as const)("is true where the service $resize, on the row and in JSON", async (service) => {
    const { resize, sizes, isRestarted, says } = service;
    stack.emulator.setSwitches({ resize });
    const before = await startedAt();

    declare(sizes[0]);
    const { output } = await stack.ok(up, environment);
    const between = await startedAt();
    expect(between !== before).toBe(isRestarted);
    expect(output).toContain(`; ${says(between.slice(11, 19))}`);

    declare(sizes[1]);
    const { stdout } = await stack.ok([...up, "--json"], environment);
    const said = stdout
      .trim()
      .split("\n")
      .flatMap((line) => (JSON.parse(line) as EngineEvent).diagnosticEvent ?? [])
      .filter(({ urn, severity }) => severity === "info" && urn?.endsWith("::app"));
    const after = await startedAt();
    expect(after !== between).toBe(isRestarted);
    expect(said.at(-1)?.message.startsWith(says(after.slice(11, 19)))).toBe(true);
  });
});
