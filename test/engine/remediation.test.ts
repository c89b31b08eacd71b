/**
 * A policy pack may change what a program declares, after the provider has checked it: what it makes of it is judged and
 * sent.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { reportOf } from "../../preview/judge/report";
import { readPreview } from "../../preview/read/preview";
import { fixedSize } from "../../provider/model/sizes";
import { up, useStack, variants } from "../support/stack";

const pack = path.join(__dirname, "fixtures", "remediating");

describe.each(variants)("a policy pack that remediates, with the %s variant", (variant) => {
  const stack = useStack({ variant }, () => {
    declare(1);
    return stack.up();
  });
  function declare(cu: number, more: Record<string, unknown> = {}): void {
    const { projectId, defaultBranchId: branchId } = stack;
    stack.declare({ app: { args: { projectId, branchId, type: "read_only", ...fixedSize(cu), ...more } } });
  }
  /** The words that add one policy of the pack. */
  const and = (policy: string): readonly string[] => {
    const file = path.join(stack.folder, "pack.json");
    writeFileSync(file, JSON.stringify({ [policy]: { enforcementLevel: "remediate" } }));
    return ["--policy-pack", pack, "--policy-pack-config", file];
  };
  const sizeNow = async (): Promise<number> =>
    stack.emulator.endpoint((await stack.stateOf("app"))!.id).endpoint.autoscaling_limit_max_cu;

  it("refuses in the preview what a remedy forbids, and so does the update", async () => {
    declare(2);
    for (const words of [["preview"], up])
      expect(await stack.fails([...words, ...and("forbidding")])).toMatch(
        /size 1 → 2 CU drops open connections.*to allow it, set it to "warn"/s,
      );
    expect(await sizeNow()).toBe(1);
  });

  it("judges, reports and sends the size that a remedy makes", async () => {
    declare(4);
    const { stdout, warned } = await stack.previewed({}, ...and("capped"));
    expect(warned.map(({ message }) => message).join()).toContain(
      "restart: size 1 → 2 CU drops open connections",
    );
    const notice = expect.stringContaining("size 1 → 2 CU") as string;
    expect(reportOf(readPreview(Buffer.from(stdout))).computes).toMatchObject([
      { outcome: "restart", drops: "yes", notice },
    ]);
    const { output } = await stack.ok([...up, ...and("capped")]);
    expect(output).toMatch(/restarted, .*, as announced/);
    expect(output).not.toContain("4 CU");
    expect(await sizeNow()).toBe(2);
  });

  it("passes each later preview of what it has made, under a policy that forbids", async () => {
    declare(4, { onInterruption: "forbid" });
    await stack.ok([...up, ...and("capped")]);
    const { output } = await stack.ok(["preview", "--expect-no-changes", ...and("capped")]);
    expect(output).not.toContain("restart");
    expect(await sizeNow()).toBe(2);
  });

  it("lets wait what a remedy defers", async () => {
    stack.emulator.connect((await stack.stateOf("app"))!.id);
    declare(1);
    const { stdout } = await stack.previewed({}, ...and("deferring"));
    expect(reportOf(readPreview(Buffer.from(stdout))).computes).toMatchObject([{ outcome: "deferred" }]);
    const { output } = await stack.ok([...up, ...and("deferring")]);
    expect(output).toMatch(/deferred until it is idle/);
    expect(await sizeNow()).toBe(2);
  });
});
