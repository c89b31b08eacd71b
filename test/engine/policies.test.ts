/** Policy packs read what the provider says of a change, and may change a declaration after the provider has checked it. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { reportOf } from "../../preview/judge/report";
import { readPreview } from "../../preview/read/preview";
import { fixedSize } from "../../provider/model/sizes";
import { up, useStack, variants } from "../support/stack";

const windowPack = path.join(__dirname, "..", "..", "examples", "maintenance-window");
const remediating = path.join(__dirname, "fixtures", "remediating");
const everyDay = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const open = { days: everyDay, fromHourUtc: 0, toHourUtc: 24 };
const shut = { days: [] };

describe.each(variants)("policy packs, with the %s variant", (variant) => {
  const stack = useStack({ variant }, () => {
    declare(1);
    return stack.up();
  });
  function declare(cu: number, more: Record<string, unknown> = {}): void {
    const { projectId, defaultBranchId: branchId } = stack;
    stack.declare({ app: { args: { projectId, branchId, type: "read_only", ...fixedSize(cu), ...more } } });
  }
  /** The words that add a pack with the settings of one policy. */
  const under = (pack: string, policy: string, settings: object): readonly string[] => {
    const file = path.join(stack.folder, "pack.json");
    writeFileSync(file, JSON.stringify({ [policy]: settings }));
    return ["--policy-pack", pack, "--policy-pack-config", file];
  };
  const within = (window: object) => under(windowPack, "interruption-window", window);
  const remedy = (policy: string) => under(remediating, policy, { enforcementLevel: "remediate" });
  const sizeNow = async (): Promise<number> =>
    stack.emulator.endpoint((await stack.stateOf("app"))!.id).endpoint.autoscaling_limit_max_cu;

  it("refuse an interruption outside the maintenance window, by its notice", async () => {
    declare(2, { restartTriggers: { release: 1 } });
    const [, said] = (await stack.fails(["preview", ...within(shut)])).split("interruption-window");
    expect(said).toContain("restart: size 1 → 2 CU and restartTriggers (release)");
    expect(said).toContain("The maintenance window is");
  });

  it("that make another size have that size judged, reported and sent, and nothing to do afterwards", async () => {
    declare(4);
    const { stdout, warned } = await stack.previewed({}, ...remedy("capped"));
    expect(warned.map(({ message }) => message).join()).toContain("restart: size 1 → 2 CU");
    const notice = expect.stringContaining("size 1 → 2 CU") as string;
    expect(reportOf(readPreview(Buffer.from(stdout))).computes).toMatchObject([
      { outcome: "restart", drops: "yes", notice },
    ]);
    const { output } = await stack.ok([...up, ...remedy("capped")]);
    expect(output).toMatch(/restarted.* as announced; down for /);
    expect(output).not.toContain("4 CU");
    expect(await sizeNow()).toBe(2);
    await stack.ok(["preview", "--expect-no-changes", ...remedy("capped")]);
  });

  // A pack has to know the type of each variant, and its notice. The rest is the same.
  if (variant === "native") return;

  it("let it pass inside the window, and at any time what interrupts nothing", async () => {
    declare(4);
    await stack.ok(["preview", ...within(open)]);
    declare(2, { suspendTimeoutSeconds: 600 });
    await stack.ok(["preview", ...within(shut)]);
  });

  it("that forbid by a remedy refuse the preview and the update", async () => {
    declare(4);
    for (const words of [["preview"], up])
      expect(await stack.fails([...words, ...remedy("forbidding")])).toMatch(
        /size 2 → 4 CU .*To allow it, set it to "warn"/s,
      );
    expect(await sizeNow()).toBe(2);
  });

  it("that let a change wait have it wait", async () => {
    stack.emulator.connect((await stack.stateOf("app"))!.id);
    declare(1);
    const { output } = await stack.ok([...up, ...remedy("deferring")]);
    expect(output).toMatch(/deferred to the first update that finds it idle/);
    expect(await sizeNow()).toBe(2);
  });
});
