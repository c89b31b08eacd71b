/**
 * A policy pack may change what a program declares, after the provider has checked it: what it makes of it is judged and
 * sent.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { reportOf } from "../../preview/judge/report";
import { readPreview } from "../../preview/read/preview";
import { fixedSize } from "../../provider/pure/sizes";
import { createStack, variants, type CommandResult, type TestStack } from "../support/stack";

const pack = path.join(__dirname, "fixtures", "remediating");

describe.each(variants)("a policy pack that remediates, with the %s variant", (variant) => {
  let stack: TestStack;

  beforeAll(async () => {
    stack = await createStack({ variant });
    declare(1);
    await stack.ok(["up", "--yes", "--skip-preview"]);
  });
  afterAll(() => stack.close());

  function declare(cu: number, more: Record<string, unknown> = {}): void {
    const { projectId, defaultBranchId: branchId } = stack;
    stack.declare({ app: { args: { projectId, branchId, type: "read_only", ...fixedSize(cu), ...more } } });
  }

  function withPack(name: string, ...words: readonly string[]): Promise<CommandResult> {
    const file = path.join(stack.folder, "pack.json");
    writeFileSync(file, JSON.stringify({ [name]: { enforcementLevel: "remediate" } }));
    return stack.pulumi([...words, "--policy-pack", pack, "--policy-pack-config", file]);
  }
  const preview = (name: string): Promise<CommandResult> => withPack(name, "preview", "--diff");
  const up = (name: string): Promise<CommandResult> => withPack(name, "up", "--yes", "--skip-preview");
  const succeeded = ({ code, output }: CommandResult): string => {
    expect(`${String(code)} ${output}`).toMatch(/^0 /);
    return output;
  };
  const sizeNow = async (): Promise<number> =>
    stack.emulator.endpoint((await stack.stateOf("app"))!.id).endpoint.autoscaling_limit_max_cu;

  it("refuses in the preview what a remedy forbids, and so does the update", async () => {
    declare(2);
    for (const { code, output } of [await preview("forbidding"), await up("forbidding")]) {
      expect({ output, fails: code !== 0 }).toEqual({ output, fails: true });
      expect(output).toMatch(/size 1 → 2 CU drops open connections.*to allow it, set it to "warn"/s);
    }
    expect(await sizeNow()).toBe(1);
  });

  it("judges, reports and sends the size that a remedy makes", async () => {
    declare(4);
    expect(succeeded(await preview("capped"))).toMatch(
      /warning: restart: size 1 → 2 CU drops open connections/,
    );
    const { stdout } = await withPack("capped", "preview", "--json");
    const [compute] = reportOf(readPreview(Buffer.from(stdout))).computes;
    expect(compute).toMatchObject({
      outcome: "restart",
      drops: "yes",
      notice: expect.stringContaining("size 1 → 2 CU") as string,
    });
    const output = succeeded(await up("capped"));
    expect(output).toMatch(/restarted, .*, as announced/);
    expect(output).not.toContain("4 CU");
    expect(await sizeNow()).toBe(2);
  });

  it("passes each later preview of what it has made, under a policy that forbids", async () => {
    declare(4, { onInterruption: "forbid" });
    succeeded(await up("capped"));
    expect(succeeded(await withPack("capped", "preview", "--expect-no-changes"))).not.toContain("restart");
    expect(await sizeNow()).toBe(2);
  });

  it("lets wait what a remedy defers", async () => {
    stack.emulator.connect((await stack.stateOf("app"))!.id);
    declare(1);
    expect(succeeded(await preview("deferring"))).toMatch(/deferred until it is idle/);
    const { stdout } = await withPack("deferring", "preview", "--json");
    expect(reportOf(readPreview(Buffer.from(stdout))).computes).toMatchObject([{ outcome: "deferred" }]);
    expect(succeeded(await up("deferring"))).toMatch(/deferred until it is idle/);
    expect(await sizeNow()).toBe(2);
  });
});
