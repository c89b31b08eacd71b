import { fixedSize } from "../../provider/model/sizes";
import { up, useStack, variants } from "../support/stack";

/** Long enough to be no part of anything else. */
const token = "hunter2-tok-4711";
const secret = (value: unknown): unknown => ({ $secret: value });

describe.each(variants)("a declared secret with the %s variant", (variant) => {
  const stack = useStack({ variant });
  const declare = (args: Record<string, unknown>, more: object = {}): void => {
    stack.declare({ app: { args: { projectId: stack.projectId, ...args }, ...more } });
  };

  it("is in no state after it is no longer declared, and in no notice, also after a refresh", async () => {
    const [branchId, elsewhere] = [stack.emptyBranch(), stack.emptyBranch()];
    const place = { branchId: secret(branchId), ...fixedSize(1) };
    declare({ ...place, settings: { pgSettings: { "ext.token": secret(token) } } });
    await stack.up();
    declare({ ...place, suspendTimeoutSeconds: 900 });
    await stack.up();
    await stack.ok(["refresh", "--yes"]);
    declare({ branchId: secret(elsewhere), ...fixedSize(1) });
    const { output } = await stack.ok(["preview", "--diff"]);
    expect(output).toContain("move: branchId (secret)");
    expect([token, branchId, elsewhere].flatMap((each) => stack.leaks(each))).toEqual([]);
  });

  // The plugin's lookups fail in the same program.
  if (variant === "native") return;

  it("is in no failure of a lookup", async () => {
    const branchId = stack.emptyBranch();
    declare({ branchId: secret(branchId), type: "read_only" }, { lookUp: true });
    const failed = await stack.fails(up);
    expect(failed).toContain("looking up the primary of branch [redacted]: ");
    expect(failed).not.toContain(branchId);
  });
});
