/**
 * Receipts as users see them: what the row and the JSON of a real `pulumi up` say that a new size did.
 */
import { fixedSize } from "../../provider/pure/sizes";
import { up, useStack, variants } from "../support/stack";

/** One line of `pulumi up --json`. */
interface EngineEvent {
  readonly diagnosticEvent?: { readonly urn?: string; readonly severity: string; readonly message: string };
}

describe.each(variants)("the receipt of a new size, with the %s variant", (variant) => {
  const switches = { service: "neon", restartedBy: "apply_config" } as const;
  const stack = useStack({ variant, switches, environment: { COMPUTE_SERVICE: "neon" } }, () => {
    declare(1);
    return stack.up();
  });
  function declare(cu: number): void {
    const { projectId, defaultBranchId: branchId } = stack;
    stack.declare({ app: { args: { projectId, branchId, type: "read_only", ...fixedSize(cu) } } });
  }
  const startedAt = async (): Promise<string> => {
    const { id = "" } = (await stack.stateOf("app")) ?? {};
    return stack.emulator.endpoint(id).endpoint.started_at ?? "";
  };

  it("is true where the service restarts, on the row", async () => {
    stack.emulator.setSwitches({ resize: "restarts" });
    const before = await startedAt();
    declare(2);
    const { output } = await stack.up();
    const after = await startedAt();
    expect(after).not.toBe(before);
    expect(output).toContain(`; restarted at ${after.slice(11, 19)}, as announced`);
  });

  it("is true where the service does not, in JSON", async () => {
    stack.emulator.setSwitches({ resize: "live" });
    const before = await startedAt();
    declare(4);
    const { stdout } = await stack.ok([...up, "--json"]);
    const said = stdout
      .trim()
      .split("\n")
      .flatMap((line) => (JSON.parse(line) as EngineEvent).diagnosticEvent ?? [])
      .filter(({ urn, severity }) => severity === "info" && urn?.endsWith("::app"));
    expect(await startedAt()).toBe(before);
    const at = before.slice(11, 19);
    const says = `not restarted (running since ${at}); a restart was announced`;
    expect(said.at(-1)?.message.startsWith(says)).toBe(true);
  });
});
